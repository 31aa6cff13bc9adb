//! Files that jobs need, such as networks: kept by checksum, in parts that fit into a message.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_lab::checksum::{Checksum, Summing};
use tesuji_lab::file_cache::{FetchError, Library};
use tesuji_lab::job::StoreError;

use crate::connection::Connection;
use crate::place::Place;
use crate::store::PostgresStore;

/// The files of a store, over a connection of their own: a worker renews its claims while a network is on its way.
pub struct PostgresLibrary {
    connection: Mutex<Connection>,
}

/// Why a file cannot be put into a store.
#[derive(Debug)]
pub enum KeepError {
    /// It cannot be read, or has changed since it was looked into.
    File(PathBuf, io::Error),
    /// The store does not take it.
    Store(StoreError),
}

/// Bytes of a part.
const PART: usize = 1 << 20;
/// How long a server that is away is waited for.
const PATIENCE: Duration = Duration::from_secs(60);
const AWAY: Duration = Duration::from_millis(500);

impl PostgresStore {
    /// Puts a file there for the workers, if it is not there yet; whether it was new.
    pub fn keep_file(&mut self, path: &Path, checksum: &Checksum) -> Result<bool, KeepError> {
        let failed = |error: io::Error| KeepError::File(path.to_owned(), error);
        let mut file = File::open(path).map_err(failed)?;
        // All or nothing: half a file never shows.
        let kept = self.connection.with(|open| {
            let mut transaction = open.client.transaction()?;
            let added = "insert into tesuji.file (checksum) values ($1) on conflict do nothing";
            if transaction.execute(added, &[&checksum.as_str()])? == 0 {
                return Ok(Ok(false));
            }
            let add = "insert into tesuji.file_part (checksum, number, content) values ($1, $2, $3)";
            let add = transaction.prepare(add)?;
            let mut sum = Summing::new(io::sink());
            for number in 0i32.. {
                let mut part = Vec::new();
                let read = Read::by_ref(&mut file).take(PART as u64).read_to_end(&mut part);
                if let Err(error) = read.and_then(|_| sum.write_all(&part)) {
                    return Ok(Err(failed(error)));
                }
                if part.is_empty() {
                    break;
                }
                transaction.execute(&add, &[&checksum.as_str(), &number, &part])?;
            }
            if sum.finish().1 != *checksum {
                return Ok(Err(failed(io::Error::other("it has changed in the meantime"))));
            }
            transaction.commit().map(|()| Ok(true))
        });
        kept.map_err(KeepError::Store)?
    }
}

impl PostgresLibrary {
    /// The files of a store.
    pub fn new(place: Place) -> PostgresLibrary {
        PostgresLibrary { connection: Mutex::new(Connection::new(place)) }
    }

    /// One part of a file; nothing after the last. A server that is away may come back.
    fn part(&self, checksum: &Checksum, number: i32) -> Result<Option<Vec<u8>>, FetchError> {
        let sql = "select content from tesuji.file_part where checksum = $1 and number = $2";
        let end = Instant::now() + PATIENCE;
        loop {
            let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
            match connection.query(sql, &[&checksum.as_str(), &number]) {
                Ok(rows) => return Ok(rows.first().map(|row| row.get(0))),
                Err(error) if error.is_transient() && Instant::now() < end => {
                    drop(connection);
                    thread::sleep(AWAY);
                }
                Err(error) => return Err(FetchError::Away(error.to_string())),
            }
        }
    }
}

impl Library for PostgresLibrary {
    fn fetch(&self, checksum: &Checksum, to: &mut dyn Write) -> Result<(), FetchError> {
        let failed = |error| FetchError::Io(PathBuf::from(checksum.as_str()), error);
        for number in 0i32.. {
            match self.part(checksum, number)? {
                Some(part) => to.write_all(&part).map_err(failed)?,
                None if number == 0 => return Err(FetchError::Unknown(checksum.clone())),
                None => break,
            }
        }
        Ok(())
    }
}

impl std::fmt::Display for KeepError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            KeepError::File(path, error) => write!(f, "{}: {error}", path.display()),
            KeepError::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for KeepError {}
