//! Where the server is, and how to reach it.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use postgres::config::SslMode;
use postgres::{Client, Config, NoTls};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

/// A server, a database, and who we are there.
#[derive(Clone)]
pub struct Place {
    config: Config,
    authorities: Option<PathBuf>,
}

/// Why a place cannot be used.
#[derive(Debug)]
pub enum PlaceError {
    /// It is no address of a PostgreSQL server.
    Address(String),
    /// The file with the password cannot be read.
    Password(PathBuf, std::io::Error),
    /// The certificates of the authorities cannot be read.
    Authorities(PathBuf, String),
    /// Nobody answers, or not as we like; it may be better later.
    Connect(postgres::Error),
}

/// How long to wait for the server to answer at all.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Where systems keep the certificates of the authorities that they trust.
const SYSTEM_AUTHORITIES: [&str; 3] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

impl Place {
    /// Reads an address such as `postgres://user@host/database?sslmode=require`.
    ///
    /// The password is better kept out of it: `password_file` names a file that holds nothing else, otherwise the environment variable
    /// `PGPASSWORD` is taken.
    pub fn parse(address: &str, password_file: Option<&Path>) -> Result<Place, PlaceError> {
        let mut config = Config::from_str(address).map_err(|error| PlaceError::Address(error.to_string()))?;
        if config.get_password().is_none() {
            if let Some(path) = password_file {
                let text =
                    fs::read_to_string(path).map_err(|error| PlaceError::Password(path.to_owned(), error))?;
                config.password(text.trim_end_matches(['\r', '\n']));
            } else if let Ok(password) = std::env::var("PGPASSWORD") {
                config.password(password);
            }
        }
        config.connect_timeout(CONNECT_TIMEOUT);
        config.application_name("tesuji");
        Ok(Place { config, authorities: None })
    }

    /// Whether an address has a password in it.
    pub fn shows_password(address: &str) -> bool {
        Config::from_str(address).is_ok_and(|config| config.get_password().is_some())
    }

    /// Trusts servers whose certificate one of these authorities has signed, instead of those that the system trusts.
    #[must_use]
    pub fn with_authorities(mut self, file: Option<&Path>) -> Place {
        self.authorities = file.map(Path::to_owned);
        self
    }

    /// Opens a connection, encrypted unless the address says `sslmode=disable` or the server is on this machine's own socket.
    pub fn connect(&self) -> Result<Client, PlaceError> {
        let is_local = self.config.get_hosts().iter().all(|host| match host {
            #[cfg(unix)]
            postgres::config::Host::Unix(_) => true,
            postgres::config::Host::Tcp(_) => false,
        });
        let connected = match self.config.get_ssl_mode() {
            SslMode::Disable => self.config.connect(NoTls),
            _ if is_local => self.config.connect(NoTls),
            _ => {
                // By default a server without encryption would do.
                let mut config = self.config.clone();
                config.ssl_mode(SslMode::Require);
                config.connect(MakeRustlsConnect::new(self.tls()?))
            }
        };
        connected.map_err(PlaceError::Connect)
    }

    fn tls(&self) -> Result<ClientConfig, PlaceError> {
        let by_default = || SYSTEM_AUTHORITIES.iter().map(PathBuf::from).find(|path| path.exists());
        let path =
            self.authorities.clone().or_else(by_default).unwrap_or_else(|| SYSTEM_AUTHORITIES[0].into());
        let failed = |error: String| PlaceError::Authorities(path.clone(), error);
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_file_iter(&path).map_err(|error| failed(error.to_string()))? {
            let certificate = certificate.map_err(|error| failed(error.to_string()))?;
            // A bundle may hold some that nobody understands any more.
            let _ = roots.add(certificate);
        }
        if roots.is_empty() {
            return Err(failed("there is no certificate in it".to_owned()));
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| failed(error.to_string()))?;
        Ok(builder.with_root_certificates(roots).with_no_client_auth())
    }
}

impl fmt::Display for Place {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts = self.config.get_hosts().iter().map(|host| match host {
            postgres::config::Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            postgres::config::Host::Unix(path) => path.display().to_string(),
        });
        let hosts: Vec<String> = hosts.collect();
        write!(f, "postgres://{}/{}", hosts.join(","), self.config.get_dbname().unwrap_or_default())
    }
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlaceError::Address(error) => write!(f, "this is no address of a PostgreSQL server: {error}"),
            PlaceError::Password(path, error) => write!(f, "the password file {}: {error}", path.display()),
            PlaceError::Authorities(path, error) => {
                write!(f, "the certificates of the authorities, {}: {error}", path.display())
            }
            PlaceError::Connect(error) => write!(f, "{}", crate::connection::reason(error)),
        }
    }
}

impl std::error::Error for PlaceError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_shown_without_the_password() {
        let place = Place::parse("postgres://me:secret@db.example:5433/jobs?sslmode=require", None).unwrap();
        assert_eq!(place.to_string(), "postgres://db.example/jobs");
        assert!(Place::parse("postgres//", None).is_err());
        assert!(Place::shows_password("postgres://me:secret@db.example/jobs"));
        assert!(!Place::shows_password("postgres://me@db.example/jobs"));
        assert!(matches!(
            Place::parse("postgres://me@host/jobs", Some(Path::new("/no/such/file"))),
            Err(PlaceError::Password(..))
        ));
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "hidden\n").unwrap();
        let place = Place::parse("postgres://me@host/jobs", Some(file.path())).unwrap();
        assert_eq!(place.config.get_password(), Some(&b"hidden"[..]));
    }
}
