-- Runs and their jobs. Everything is in a schema of its own; texts in JSON columns are kept as they were written.
create schema if not exists tesuji;

create table tesuji.migration (
    version integer primary key,
    applied_at timestamptz not null default now()
);

create table tesuji.run (
    id text primary key,
    -- Names kind and terms, whatever the build.
    terms_id text not null,
    kind text not null,
    terms json not null,
    setup json not null,
    -- Whose findings it takes; the last one put the jobs there.
    builds text[] not null,
    priority integer not null default 0,
    created_at timestamptz not null default now()
);

create index run_terms on tesuji.run (terms_id, created_at);

create table tesuji.job (
    run text not null references tesuji.run on delete cascade,
    key text not null,
    number bigint not null,
    task json not null,
    state text not null default 'open' check (state in ('open', 'claimed', 'done', 'failed', 'cancelled')),
    -- Tries that failed, and how.
    errors text[] not null default '{}',
    -- The last claim: who holds it, by which build, and until when it need not be renewed.
    token bigint not null default 0,
    worker text,
    build text,
    lease_until timestamptz,
    finding json,
    ended_at timestamptz,
    primary key (run, key)
);

-- What is asked for often is small: the open jobs of a run in order, the claims that may be late, what has ended of late.
create index job_open on tesuji.job (run, number) where state = 'open';
create index job_claimed on tesuji.job (lease_until) where state = 'claimed';
create index job_ended on tesuji.job (run, ended_at) where ended_at is not null;

insert into tesuji.migration (version) values (1);
