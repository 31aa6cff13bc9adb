//! The statements that change jobs.
//!
//! Each is whole by itself: it looks at the state and the token of a job before it changes it, so it may be repeated by somebody who did not hear the answer.

/// Claims open jobs: kinds, build, most, worker, seconds.
///
/// It does not wait for the disk: a claim that a crash of the server loses is as if it had never been made. The token is random for the same reason, as a
/// sequence may go back in a crash.
pub(crate) const CLAIM: &str = "
    with picked as (
        select job.run, job.key, job.number
        from (
            select id, priority, created_at from tesuji.run
            where kind = any($1) and builds[cardinality(builds)] = $2
                and set_config('synchronous_commit', 'off', true) is not null
            order by priority desc, created_at, id
        ) as run
        cross join lateral (
            select run, key, number from tesuji.job
            where job.run = run.id and state = 'open'
            order by number limit $3 for update skip locked
        ) as job
        limit $3
    )
    update tesuji.job
    set state = 'claimed', token = floor(random() * 9007199254740992)::bigint, worker = $4, build = $2,
        lease_until = now() + make_interval(secs => $5)
    from picked
    where job.run = picked.run and job.key = picked.key
    returning job.run, job.key, job.task::text, job.token, job.number";

pub(crate) const TAKE_BACK: &str = "
        with late as (
            select run, key from tesuji.job
            where state = 'claimed' and lease_until < now()
            for update skip locked
        )
        update tesuji.job
        set errors = errors || (worker || ' was not heard of again'),
            state = case when cardinality(errors) + 1 >= $1 then 'failed' else 'open' end,
            ended_at = case when cardinality(errors) + 1 >= $1 then clock_timestamp() end,
            lease_until = null
        from late
        where job.run = late.run and job.key = late.key";

pub(crate) const DONE: &str = "
    update tesuji.job
    set state = 'done', finding = ended.finding::json, lease_until = null, ended_at = clock_timestamp()
    from unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) as ended (run, key, token, finding)
    where job.run = ended.run and job.key = ended.key and job.token = ended.token
        and job.state in ('claimed', 'open', 'failed')
    returning job.run, job.key, job.token";

pub(crate) const FAILED: &str = "
    update tesuji.job
    set errors = errors || ended.reason,
        state = case when ended.tries = 0 or cardinality(errors) + 1 >= ended.tries then 'failed' else 'open' end,
        ended_at = case when ended.tries = 0 or cardinality(errors) + 1 >= ended.tries then clock_timestamp() end,
        lease_until = null
    from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::int[]) as ended (run, key, token, reason, tries)
    where job.run = ended.run and job.key = ended.key and job.token = ended.token and job.state = 'claimed'
    returning job.run, job.key, job.token";

pub(crate) const RETURNED: &str = "
    update tesuji.job set state = 'open', lease_until = null
    from unnest($1::text[], $2::text[], $3::bigint[]) as ended (run, key, token)
    where job.run = ended.run and job.key = ended.key and job.token = ended.token and job.state = 'claimed'
    returning job.run, job.key, job.token";

/// Renews claims; it does not wait for the disk either.
pub(crate) const RENEW: &str = "
    update tesuji.job set lease_until = now() + make_interval(secs => $4)
    from unnest($1::text[], $2::text[], $3::bigint[]) as held (run, key, token)
    where job.run = held.run and job.key = held.key and job.token = held.token and job.state = 'claimed'
        and set_config('synchronous_commit', 'off', true) is not null
    returning job.run, job.key, job.token";

pub(crate) const ADD: &str = "
    insert into tesuji.job (run, key, number, task)
    select $1, added.key, first.number + added.place, added.task::json
    from unnest($2::text[], $3::text[]) with ordinality as added (key, task, place),
        (select coalesce(max(number), 0) as number from tesuji.job where run = $1) as first
    on conflict (run, key) do update set state = 'open', ended_at = null where job.state = 'cancelled'";

pub(crate) const IMPORT: &str = "
    insert into tesuji.job (run, key, number, task, state, finding, ended_at)
    select $1, made.key, first.number + made.place, 'null', 'done', made.finding::json, clock_timestamp()
    from unnest($2::text[], $3::text[]) with ordinality as made (key, finding, place),
        (select coalesce(max(number), 0) as number from tesuji.job where run = $1) as first
    on conflict (run, key) do update
        set state = 'done', finding = excluded.finding, lease_until = null, ended_at = excluded.ended_at
        where job.state <> 'done'";
