//! Where jobs are shared: the options that name a store, and how it is opened.

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use tesuji_postgres::{Place, PostgresStore};

/// Options that name a store which is needed.
#[derive(Args, Clone, Debug)]
#[group(id = "shared-store")]
pub(crate) struct Options {
    /// Address of the store: postgres://USER@HOST/DATABASE.
    #[arg(long, value_name = "URL", env = "TESUJI_STORE", hide_env_values = true)]
    store: String,
    #[command(flatten)]
    access: Access,
}

/// Options that name a store which is not needed.
#[derive(Args, Clone, Debug, Default)]
#[group(id = "sharing")]
pub(crate) struct Sharing {
    /// Puts the jobs into a store, postgres://USER@HOST/DATABASE, and waits until workers have done them.
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    #[command(flatten)]
    access: Access,
}

/// How a store is reached.
#[derive(Args, Clone, Debug, Default)]
#[group(id = "access")]
pub(crate) struct Access {
    /// File with the password of the store; otherwise PGPASSWORD is taken from the environment.
    #[arg(long, value_name = "FILE", env = "TESUJI_STORE_PASSWORD_FILE")]
    store_password_file: Option<PathBuf>,
    /// File with the certificates of the authorities that the store's certificate is checked with; otherwise those of the system.
    #[arg(long, value_name = "FILE", env = "TESUJI_STORE_CA")]
    store_ca: Option<PathBuf>,
}

impl Access {
    /// The place of an address.
    pub(crate) fn place(&self, address: &str) -> anyhow::Result<Place> {
        let place = Place::parse(address, self.store_password_file.as_deref())?;
        Ok(place.with_authorities(self.store_ca.as_deref()))
    }
}

impl Sharing {
    /// Whether there is one.
    pub(crate) fn is_named(&self) -> bool {
        self.store.is_some()
    }

    /// Opens the store, if there is one.
    pub(crate) fn open(&self) -> anyhow::Result<Option<PostgresStore>> {
        let Some(address) = &self.store else { return Ok(None) };
        // Everybody on the machine can read command lines, and the reports of experiments repeat them.
        ensure!(
            !Place::shows_password(address),
            "--store: the address shows a password; use PGPASSWORD or --store-password-file"
        );
        Ok(Some(PostgresStore::open(self.access.place(address)?)?))
    }
}

impl Options {
    pub(crate) fn place(&self) -> anyhow::Result<Place> {
        self.access.place(&self.store)
    }

    pub(crate) fn open(&self) -> anyhow::Result<PostgresStore> {
        Ok(PostgresStore::open(self.place()?)?)
    }
}
