-- What workers may change, given after every migration if the role is there. They read runs and jobs, and write how a claim stands.
do $$
begin
    if exists (select from pg_roles where rolname = 'tesuji_worker') then
        grant usage on schema tesuji to tesuji_worker;
        grant select on tesuji.migration, tesuji.run, tesuji.job, tesuji.file, tesuji.file_part to tesuji_worker;
        grant update (state, errors, token, worker, build, lease_until, finding, ended_at) on tesuji.job to tesuji_worker;
    end if;
end $$;
