//! The way to the server: opened when it is needed, closed when it fails, and what failures mean.

use std::collections::HashMap;

use postgres::error::SqlState;
use postgres::types::ToSql;
use postgres::{Client, Row, Statement};
use tesuji_lab::job::StoreError;

use crate::place::{Place, PlaceError};

/// A server that is connected to whenever something is asked.
pub(crate) struct Connection {
    place: Place,
    open: Option<Open>,
}

/// A connection that is there.
pub(crate) struct Open {
    pub(crate) client: Client,
    /// What the server has read already: that costs as much as doing it.
    statements: HashMap<&'static str, Statement>,
}

/// What is filled into a statement.
pub(crate) type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Connection {
    pub(crate) fn new(place: Place) -> Connection {
        Connection { place, open: None }
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// Does something with the connection.
    pub(crate) fn with<T>(
        &mut self,
        act: impl FnOnce(&mut Open) -> Result<T, postgres::Error>,
    ) -> Result<T, StoreError> {
        let open = match &mut self.open {
            Some(open) if !open.client.is_closed() => open,
            open => open.insert(Open { client: connect(&self.place)?, statements: HashMap::new() }),
        };
        act(open).map_err(|error| {
            // Whatever it was, a transaction may be half done: the server forgets it with the connection.
            self.open = None;
            store_error(&error)
        })
    }

    /// The rows that a statement returns.
    pub(crate) fn query(&mut self, sql: &'static str, values: Values<'_>) -> Result<Vec<Row>, StoreError> {
        self.with(|open| open.query(sql, values))
    }

    /// How many rows a statement changes.
    pub(crate) fn execute(&mut self, sql: &'static str, values: Values<'_>) -> Result<u64, StoreError> {
        self.with(|open| {
            let statement = open.prepared(sql)?;
            open.client.execute(&statement, values)
        })
    }
}

impl Open {
    pub(crate) fn query(
        &mut self,
        sql: &'static str,
        values: Values<'_>,
    ) -> Result<Vec<Row>, postgres::Error> {
        let statement = self.prepared(sql)?;
        self.client.query(&statement, values)
    }

    pub(crate) fn prepared(&mut self, sql: &'static str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }
}

fn connect(place: &Place) -> Result<Client, StoreError> {
    place.connect().map_err(|error| match error {
        PlaceError::Connect(error) => store_error(&error),
        other => StoreError::Server(other.to_string()),
    })
}

/// What an error of the server or of the way to it means.
pub(crate) fn store_error(error: &postgres::Error) -> StoreError {
    let is_busy = |code: &SqlState| {
        let away = [
            SqlState::ADMIN_SHUTDOWN,
            SqlState::CRASH_SHUTDOWN,
            SqlState::CANNOT_CONNECT_NOW,
            SqlState::TOO_MANY_CONNECTIONS,
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
        ];
        away.contains(code) || code.code().starts_with("08")
    };
    // Without a code it did not come from the server, so the server was not reached or did not answer to the end.
    match error.code() {
        Some(code) if !is_busy(code) => StoreError::Server(reason(error)),
        _ => StoreError::Away(reason(error)),
    }
}

/// The error with what caused it.
pub(crate) fn reason(error: &postgres::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}
