//! The server as a whole: what it is made of and where it listens.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use tesuji_analysis::{Service, ServiceSettings};
use tesuji_engine::{Player, Settings};
use tesuji_solve::Solver;

use crate::archive::Archive;
use crate::desk::Threads;
use crate::guard::Guard;
use crate::lab::Lab;
use crate::listener::BoundedListener;
use crate::review::Reviewer;
use crate::route::{Shared, router};
use crate::worker::Worker;

/// Memory for the solver, in bytes.
const SOLVER_BYTES: usize = 64 << 20;

/// What a server is to be.
pub struct Options {
    /// Where it listens; port 0 is any that is free.
    pub address: SocketAddr,
    /// Where games are kept.
    pub games: PathBuf,
    /// Directories with results of the laboratory.
    pub lab: Vec<PathBuf>,
    /// How the engine searches; its threads are those of one position that is analysed.
    pub settings: Settings,
    /// Threads of the search that answers moves.
    pub play_threads: u64,
    /// The version of the program.
    pub version: String,
}

/// A server that has its address and waits to be run.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    guard: Guard,
    shared: Shared,
}

/// Why a server cannot start.
#[derive(Debug)]
pub enum StartError {
    /// The address is taken, or not one of this machine.
    Address(SocketAddr, io::Error),
    /// The directory of games cannot be made.
    Games(PathBuf, io::Error),
    /// The system has no random numbers for a token.
    Token(getrandom::Error),
    /// The system has no more threads.
    Thread(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Address(address, error) => write!(f, "cannot listen at {address}: {error}"),
            StartError::Games(path, error) => write!(f, "cannot keep games in {}: {error}", path.display()),
            StartError::Token(error) => write!(f, "cannot make a token: {error}"),
            StartError::Thread(error) => write!(f, "cannot start a thread: {error}"),
        }
    }
}

impl std::error::Error for StartError {}

impl Server {
    /// Takes the address and starts the threads that think.
    pub fn start(options: Options) -> Result<Server, StartError> {
        let Options { address, games, lab, settings, play_threads, version } = options;
        let archive = Archive::open(&games).map_err(|error| StartError::Games(games, error))?;
        let listener = TcpListener::bind(address).map_err(|error| StartError::Address(address, error))?;
        let address = listener.local_addr().map_err(|error| StartError::Address(address, error))?;
        // What the user allows is for both: analysis serves many, and each search wants its tree.
        let for_play = (settings.memory / 4).max(1);
        let for_analysis = settings.memory.saturating_sub(for_play).max(1);
        let service =
            Service::new(ServiceSettings { memory: for_analysis, ..ServiceSettings::new(settings.clone()) });
        let service = Arc::new(service);
        let for_review = (Arc::clone(&service), settings.clone());
        let reviewer =
            move || Reviewer { service: Arc::clone(&for_review.0), settings: for_review.1.clone() };
        let settings = Settings { memory: for_play, threads: play_threads, ..settings };
        let threads = Threads {
            play: Worker::start("play", move || Player::new(settings.clone())).map_err(StartError::Thread)?,
            solve: Worker::start("solve", || Solver::new(SOLVER_BYTES)).map_err(StartError::Thread)?,
            review: Worker::start("review", reviewer).map_err(StartError::Thread)?,
        };
        let shared = Shared {
            archive: Arc::new(archive),
            lab: Arc::new(Lab::new(lab)),
            service,
            threads: Arc::new(threads),
            version: version.into(),
        };
        let guard = Guard::for_address(address).map_err(StartError::Token)?;
        Ok(Server { listener, address, guard, shared })
    }

    /// What to open in a browser.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            // Any address of this machine will do; this one it has for sure.
            address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        match self.guard.token() {
            Some(token) => format!("http://{address}/?token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// Serves until the process ends.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        runtime.block_on(async {
            self.listener.set_nonblocking(true)?;
            let listener = BoundedListener::new(tokio::net::TcpListener::from_std(self.listener)?);
            axum::serve(listener, router(self.shared, self.guard)).await
        })
    }
}
