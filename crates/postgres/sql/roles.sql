-- Two roles, to be run once by a superuser in the database of the jobs, before the first migration.
-- tesuji_owner makes the tables and puts jobs there; tesuji_worker takes jobs and brings findings, and can do nothing else.
-- Give people and machines logins of their own:
--   create role anna login password '…' in role tesuji_owner;
--   create role cluster login password '…' in role tesuji_worker;

do $$
begin
    if not exists (select from pg_roles where rolname = 'tesuji_owner') then
        create role tesuji_owner nologin;
    end if;
    if not exists (select from pg_roles where rolname = 'tesuji_worker') then
        create role tesuji_worker nologin;
    end if;
end $$;

create schema if not exists tesuji authorization tesuji_owner;
revoke all on schema tesuji from public;
grant usage on schema tesuji to tesuji_worker;

alter default privileges for role tesuji_owner in schema tesuji grant select on tables to tesuji_worker;
