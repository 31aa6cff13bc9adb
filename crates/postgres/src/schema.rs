//! The tables, in versions.

use postgres::Client;

/// SQL that brings the tables from one version to the next; the first makes version 1.
const MIGRATIONS: [&str; 2] = [include_str!("../sql/001_jobs.sql"), include_str!("../sql/002_files.sql")];
/// What workers may do.
const GRANTS: &str = include_str!("../sql/grants.sql");

/// The roles, for somebody who may make roles.
pub const ROLES: &str = include_str!("../sql/roles.sql");

/// The version that this program works with.
pub const VERSION: i32 = MIGRATIONS.len() as i32;

/// Names the lock under which tables are changed, so that two programs do not do it at once.
const LOCK: i64 = 0x7465_7375_6a69;

/// The version of the tables that are there; 0 if there are none.
pub fn version(client: &mut Client) -> Result<i32, postgres::Error> {
    let exists: bool = client.query_one("select to_regclass('tesuji.migration') is not null", &[])?.get(0);
    if !exists {
        return Ok(0);
    }
    Ok(client.query_one("select coalesce(max(version), 0) from tesuji.migration", &[])?.get(0))
}

/// Brings the tables to the version that this program works with; the version that was there.
pub fn migrate(client: &mut Client) -> Result<i32, postgres::Error> {
    let mut transaction = client.transaction()?;
    transaction.execute("select pg_advisory_xact_lock($1)", &[&LOCK])?;
    let exists: bool =
        transaction.query_one("select to_regclass('tesuji.migration') is not null", &[])?.get(0);
    let before: i32 = if exists {
        transaction.query_one("select coalesce(max(version), 0) from tesuji.migration", &[])?.get(0)
    } else {
        0
    };
    for migration in MIGRATIONS.iter().skip(usize::try_from(before).unwrap_or(0)) {
        transaction.batch_execute(migration)?;
    }
    if before < VERSION {
        transaction.batch_execute(GRANTS)?;
    }
    transaction.commit()?;
    Ok(before)
}
