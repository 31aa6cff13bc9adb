//! The store itself: a dozen statements.
//!
//! Time is the server's. A call that fails because the server is away leaves nothing half done, and the next one connects again; a caller whose
//! call was cut off may repeat it, because every statement that ends a claim names its token and looks at the state first.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use postgres::Row;
use serde_json::Value;
use tesuji_lab::job::{
    Builds, Claim, Claimant, Counts, Ended, JobEnd, JobEntry, JobStore, MAX_TRIES, RunInfo, RunSpec,
    StoreError,
};
use tesuji_lab::terms::Terms;

use crate::connection::Connection;
use crate::place::Place;
use crate::schema;
use crate::sql::{ADD, CLAIM, DONE, FAILED, IMPORT, RENEW, RETURNED, TAKE_BACK};

/// Jobs in a database.
pub struct PostgresStore {
    pub(crate) connection: Connection,
    lease: Duration,
    /// When to look for claims of others that are late.
    next_look: Instant,
    /// Runs never change but in their builds and their priority, which are the server's business.
    runs: HashMap<String, Arc<RunSpec>>,
}

/// How long a claim holds: so long that a server may be restarted in between, so short that nobody waits long for the jobs of a dead worker.
const LEASE: Duration = Duration::from_secs(60);

/// How often in the time of a lease somebody who has enough to do looks for claims that are late; who has not looks at once.
const LOOKS: u32 = 3;

/// What ended within this time before the last look is looked at again: a transaction may end later than its own clock says.
const OVERLAP_MICROSECONDS: u64 = 2_000_000;

impl PostgresStore {
    /// Opens a store whose tables are there. An error if they are not those that this program works with.
    pub fn open(place: Place) -> Result<PostgresStore, StoreError> {
        let connection = Connection::new(place);
        let mut store =
            PostgresStore { connection, lease: LEASE, next_look: Instant::now(), runs: HashMap::new() };
        let found = store.connection.with(|open| schema::version(&mut open.client))?;
        if found == schema::VERSION {
            return Ok(store);
        }
        let (place, ours) = (store.connection.place(), schema::VERSION);
        Err(StoreError::Server(match found {
            0 => format!("{place} has no tables for jobs; `tesuji jobs migrate` makes them"),
            _ if found < ours => {
                format!(
                    "the tables of {place} are of version {found}, this program needs {ours}; `tesuji jobs migrate` brings them there"
                )
            }
            _ => format!(
                "the tables of {place} are of version {found}, which is newer than this program ({ours})"
            ),
        }))
    }

    /// Where it is.
    pub fn place(&self) -> &Place {
        self.connection.place()
    }

    /// The store with another lease.
    #[must_use]
    pub fn with_lease(self, lease: Duration) -> PostgresStore {
        PostgresStore { lease, ..self }
    }

    fn spec(&mut self, run: &str) -> Result<Arc<RunSpec>, StoreError> {
        if let Some(spec) = self.runs.get(run) {
            return Ok(Arc::clone(spec));
        }
        let rows = self
            .connection
            .query("select kind, terms::text, setup::text, builds from tesuji.run where id = $1", &[&run])?;
        let row = rows.first().ok_or_else(|| StoreError::NoRun(run.to_owned()))?;
        let spec = Arc::new(read_spec(row)?);
        self.runs.insert(run.to_owned(), Arc::clone(&spec));
        Ok(spec)
    }

    fn claim_open(&mut self, claimant: &Claimant, most: i64) -> Result<Vec<Row>, StoreError> {
        let lease = self.lease.as_secs_f64();
        let Claimant { name, build, kinds } = claimant;
        self.connection.query(CLAIM, &[kinds, build, &most, name, &lease])
    }

    /// Claims that were not renewed in time: their jobs are open again, or failed once too often.
    fn take_back_late_claims(&mut self) -> Result<u64, StoreError> {
        let tries = MAX_TRIES as i32;
        self.next_look = Instant::now() + self.lease / LOOKS;
        self.connection.execute(TAKE_BACK, &[&tries])
    }
}

/// Jobs that are sent to the server at once.
const AT_ONCE: usize = 5000;

impl JobStore for PostgresStore {
    fn begin(&mut self, spec: &RunSpec, builds: Builds) -> Result<String, StoreError> {
        let (terms_id, own_id) = (spec.id(), spec.id_with_build());
        let (terms, setup) = (Value::Object(spec.terms.clone()).to_string(), spec.setup.to_string());
        let any = builds == Builds::Any;
        let begun = self.connection.with(|open| {
            let mut transaction = open.client.transaction()?;
            // A run that this build may go on with, the one that got furthest if there are several.
            let found = "
                select id from tesuji.run where terms_id = $1 and ($3 or builds[cardinality(builds)] = $2)
                order by (select count(*) from tesuji.job where job.run = run.id and state = 'done') desc, created_at desc, id
                limit 1";
            let found = transaction.query_opt(found, &[&terms_id, &spec.build, &any])?;
            let id = found.map_or_else(|| own_id.clone(), |row| row.get(0));
            let row = transaction.query_one(
                "insert into tesuji.run as run (id, terms_id, kind, terms, setup, builds)
                 values ($1, $2, $3, $4::text::json, $5::text::json, array[$6])
                 on conflict (id) do update set
                    setup = case when $7 or run.builds[cardinality(run.builds)] = $6 then excluded.setup else run.setup end,
                    builds = case when $7 then array_remove(run.builds, $6) || $6 else run.builds end
                 returning builds",
                &[&id, &terms_id, &spec.kind, &terms, &setup, &spec.build, &any],
            )?;
            transaction.commit()?;
            Ok((id, row.get::<_, Vec<String>>(0)))
        })?;
        let (id, theirs) = begun;
        if theirs.last() != Some(&spec.build) {
            // We began it once, and another build has taken it over since.
            let place = self.connection.place().to_string();
            return Err(StoreError::OtherBuild { place, theirs, ours: spec.build.clone() });
        }
        self.runs.remove(&id);
        Ok(id)
    }

    fn add(&mut self, run: &str, jobs: &[JobEntry]) -> Result<(), StoreError> {
        for part in jobs.chunks(AT_ONCE) {
            let keys: Vec<&str> = part.iter().map(|job| job.key.as_str()).collect();
            let tasks: Vec<&str> = part.iter().map(|job| job.task.as_str()).collect();
            self.connection.execute(ADD, &[&run, &keys, &tasks])?;
        }
        Ok(())
    }

    fn claim(&mut self, claimant: &Claimant, most: usize) -> Result<Vec<Claim>, StoreError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        if Instant::now() >= self.next_look {
            self.take_back_late_claims()?;
        }
        let mut rows = self.claim_open(claimant, most)?;
        let missing = most.saturating_sub(rows.len() as i64);
        if missing > 0 && self.take_back_late_claims()? > 0 {
            rows.extend(self.claim_open(claimant, missing)?);
        }
        // What an update returns is in no order.
        rows.sort_by_key(|row| row.get::<_, i64>(4));
        let mut claims = Vec::with_capacity(rows.len());
        for row in &rows {
            let (run_id, key, token): (String, String, i64) = (row.get(0), row.get(1), row.get(3));
            match self.spec(&run_id) {
                Ok(run) => {
                    let (task, token) = (row.get(2), token.cast_unsigned());
                    claims.push(Claim { run_id, run, key, task, token });
                }
                // Whoever put it there must not stop the others.
                Err(StoreError::Server(reason)) => {
                    let last_try = vec![0i32];
                    let (runs, keys, tokens, reasons) = (vec![run_id], vec![key], vec![token], vec![reason]);
                    self.connection.execute(FAILED, &[&runs, &keys, &tokens, &reasons, &last_try])?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(claims)
    }

    fn lease(&self) -> Duration {
        self.lease
    }

    fn renew(&mut self, claims: &[&Claim]) -> Result<Vec<bool>, StoreError> {
        let lease = self.lease.as_secs_f64();
        let Columns { runs, keys, tokens } = Columns::of(claims.iter().copied());
        let held = self.connection.query(RENEW, &[&runs, &keys, &tokens, &lease])?;
        Ok(claims.iter().map(|claim| held.iter().any(|row| is_of(row, claim))).collect())
    }

    fn settle(&mut self, ends: &[(Claim, JobEnd)]) -> Result<Vec<bool>, StoreError> {
        let (mut done, mut failed, mut returned) = (Vec::new(), Vec::new(), Vec::new());
        let (mut findings, mut reasons, mut tries) = (Vec::new(), Vec::new(), Vec::new());
        for (claim, end) in ends {
            match end {
                JobEnd::Done(finding) => {
                    done.push(claim);
                    findings.push(finding.as_str());
                }
                JobEnd::Failed(reason) | JobEnd::Refused(reason) => {
                    failed.push(claim);
                    // A text of the server has no zeros.
                    reasons.push(reason.replace('\0', "?"));
                    tries.push(if matches!(end, JobEnd::Refused(_)) { 0 } else { MAX_TRIES as i32 });
                }
                JobEnd::Returned => returned.push(claim),
            }
        }
        let (is_done, is_failed, is_returned) = (!done.is_empty(), !failed.is_empty(), !returned.is_empty());
        let kinds = [is_done, is_failed, is_returned].into_iter().filter(|&is_there| is_there).count();
        let rows = self.connection.with(|open| {
            // One statement is a transaction by itself.
            if kinds > 1 {
                open.client.batch_execute("begin")?;
            }
            let mut rows = Vec::new();
            if is_done {
                let Columns { runs, keys, tokens } = Columns::of(done.iter().copied());
                rows.extend(open.query(DONE, &[&runs, &keys, &tokens, &findings])?);
            }
            if is_failed {
                let Columns { runs, keys, tokens } = Columns::of(failed.iter().copied());
                rows.extend(open.query(FAILED, &[&runs, &keys, &tokens, &reasons, &tries])?);
            }
            if is_returned {
                let Columns { runs, keys, tokens } = Columns::of(returned.iter().copied());
                rows.extend(open.query(RETURNED, &[&runs, &keys, &tokens])?);
            }
            if kinds > 1 {
                open.client.batch_execute("commit")?;
            }
            Ok(rows)
        })?;
        Ok(ends.iter().map(|(claim, _)| rows.iter().any(|row| is_of(row, claim))).collect())
    }

    fn ended(&mut self, run: &str, since: u64) -> Result<(Vec<Ended>, u64), StoreError> {
        let from = since.saturating_sub(OVERLAP_MICROSECONDS) as f64 / 1e6;
        let rows = self.connection.query(
                "select key, finding::text, array_to_string(errors, '; '), (extract(epoch from ended_at) * 1000000)::bigint
                 from tesuji.job where run = $1 and ended_at is not null and ended_at >= to_timestamp($2)
                 order by ended_at",
                &[&run, &from],
            )?;
        let last = rows.iter().map(|row| row.get::<_, i64>(3).cast_unsigned()).max().unwrap_or(0);
        let ended = |row: &Row| Ended {
            key: row.get(0),
            finding: row.get::<_, Option<String>>(1).ok_or_else(|| row.get(2)),
        };
        Ok((rows.iter().map(ended).collect(), last.max(since)))
    }

    fn import(&mut self, run: &str, findings: &[(String, String)]) -> Result<u64, StoreError> {
        let mut new = 0;
        for part in findings.chunks(AT_ONCE) {
            let keys: Vec<&str> = part.iter().map(|(key, _)| key.as_str()).collect();
            let texts: Vec<&str> = part.iter().map(|(_, finding)| finding.as_str()).collect();
            new += self.connection.execute(IMPORT, &[&run, &keys, &texts])?;
        }
        Ok(new)
    }

    fn counts(&mut self, run: &str) -> Result<Counts, StoreError> {
        let rows = self
            .connection
            .query("select state, count(*) from tesuji.job where run = $1 group by state", &[&run])?;
        let pairs = rows.iter().map(|row| (row.get::<_, &str>(0), row.get::<_, i64>(1).cast_unsigned()));
        Ok(counts_of(pairs))
    }

    fn cancel(&mut self, run: &str) -> Result<u64, StoreError> {
        self.connection.execute(
                "update tesuji.job set state = 'cancelled', lease_until = null where run = $1 and state in ('open', 'claimed')",
                &[&run],
            )
    }

    fn retry(&mut self, run: &str) -> Result<u64, StoreError> {
        self.connection.execute(
            "update tesuji.job set state = 'open', errors = '{}', ended_at = null
                 where run = $1 and state in ('failed', 'cancelled')",
            &[&run],
        )
    }

    fn set_priority(&mut self, run: &str, priority: i32) -> Result<(), StoreError> {
        let changed = self
            .connection
            .execute("update tesuji.run set priority = $2 where id = $1", &[&run, &priority])?;
        if changed == 0 { Err(StoreError::NoRun(run.to_owned())) } else { Ok(()) }
    }

    fn runs(&mut self) -> Result<Vec<RunInfo>, StoreError> {
        let rows = self.connection.query(
                "select kind, terms::text, setup::text, builds, id,
                    array(select state || ' ' || count(*) from tesuji.job where job.run = run.id group by state)
                 from tesuji.run order by created_at, id",
                &[],
            )?;
        let info = |row: &Row| {
            let counted: Vec<String> = row.get(5);
            let pairs = counted.iter().filter_map(|text| text.split_once(' '));
            let counts = counts_of(pairs.map(|(state, count)| (state, count.parse().unwrap_or(0))));
            // One that cannot be read is shown all the same, so that it can be called off.
            let unreadable = || RunSpec {
                kind: row.get(0),
                terms: Terms::new(),
                setup: Value::Null,
                build: build_of(row),
            };
            RunInfo { id: row.get(4), spec: read_spec(row).unwrap_or_else(|_| unreadable()), counts }
        };
        Ok(rows.iter().map(info).collect())
    }
}

/// Claims as columns.
struct Columns<'a> {
    runs: Vec<&'a str>,
    keys: Vec<&'a str>,
    tokens: Vec<i64>,
}

impl<'a> Columns<'a> {
    fn of(claims: impl Iterator<Item = &'a Claim>) -> Columns<'a> {
        let mut columns = Columns { runs: Vec::new(), keys: Vec::new(), tokens: Vec::new() };
        for claim in claims {
            columns.runs.push(&claim.run_id);
            columns.keys.push(&claim.key);
            columns.tokens.push(claim.token.cast_signed());
        }
        columns
    }
}

fn is_of(row: &Row, claim: &Claim) -> bool {
    row.get::<_, i64>(2) == claim.token.cast_signed()
        && row.get::<_, &str>(1) == claim.key
        && row.get::<_, &str>(0) == claim.run_id
}

fn read_spec(row: &Row) -> Result<RunSpec, StoreError> {
    let damaged = |error: serde_json::Error| StoreError::Server(format!("a run cannot be read: {error}"));
    let terms: Terms = serde_json::from_str(row.get(1)).map_err(damaged)?;
    let setup: Value = serde_json::from_str(row.get(2)).map_err(damaged)?;
    Ok(RunSpec { kind: row.get(0), terms, setup, build: build_of(row) })
}

/// The build whose findings a run takes.
fn build_of(row: &Row) -> String {
    row.get::<_, Vec<String>>(3).pop().unwrap_or_default()
}

fn counts_of<'a>(pairs: impl Iterator<Item = (&'a str, u64)>) -> Counts {
    let mut counts = Counts::default();
    for (state, count) in pairs {
        match state {
            "open" => counts.open = count,
            "claimed" => counts.claimed = count,
            "done" => counts.done = count,
            "failed" => counts.failed = count,
            _ => counts.cancelled = count,
        }
    }
    counts
}
