-- Files that jobs need, such as networks, by SHA-256 and in parts.
create table tesuji.file (
    checksum text primary key,
    added_at timestamptz not null default now()
);

create table tesuji.file_part (
    checksum text not null references tesuji.file on delete cascade,
    number integer not null,
    content bytea not null,
    primary key (checksum, number)
);

-- Weights do not get smaller.
alter table tesuji.file_part alter column content set storage external;

insert into tesuji.migration (version) values (2);
