//! `tesuji web`: the board in the browser.

use anyhow::{Context, ensure};
use clap::Args;
use std::env;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};
use tesuji_engine::Settings;
use tesuji_sgf::write_file;
use tesuji_web::{Options as ServerOptions, Server};

use crate::command::engine;
use crate::command::run::BUILD;
use crate::say::say;

/// The port if none is named: GO on a telephone's keys, twice.
pub(crate) const DEFAULT_PORT: u16 = 4646;

/// MB if none are named: enough for a dozen positions that are analysed at once, and a game.
const DEFAULT_MEMORY: u64 = 1024;

#[derive(Args)]
#[command(after_long_help = engine::help())]
pub(crate) struct Options {
    /// Port to listen at; 0 is any that is free.
    #[arg(long, default_value_t = DEFAULT_PORT)]
    port: u16,
    /// Address to listen at. Any but this machine's own needs the token that is printed.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Opens the page in the browser.
    #[arg(long)]
    open: bool,
    /// Where games are kept; by default a directory of this user's.
    #[arg(long, value_name = "DIRECTORY")]
    games: Option<PathBuf>,
    /// A directory with results of the laboratory; may be repeated.
    #[arg(long, value_name = "DIRECTORY", default_value = "experiments")]
    lab: Vec<PathBuf>,
    #[command(flatten)]
    engine: engine::Options,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let games = self.games.or_else(default_games);
        let games = games.context("there is no home directory; say with --games where games are kept")?;
        for directory in self.lab.iter().filter(|directory| directory.as_os_str() != "experiments") {
            ensure!(directory.is_dir(), "there is no directory {}", directory.display());
        }
        let mut settings = self.engine.settings()?;
        if !self.engine.names_memory() {
            settings.memory = DEFAULT_MEMORY;
        }
        // People who play at a level choose it in the browser, and want another game each time.
        if !self.engine.names("seed")? {
            settings.seed = engine::fresh_seed();
        }
        let play_threads = self.engine.with_all_cores(&settings)?.threads;
        let server = Server::start(ServerOptions {
            address: SocketAddr::new(self.host, self.port),
            games,
            lab: self.lab,
            settings,
            play_threads,
            version: BUILD.to_owned(),
        })?;
        let url = server.url();
        say!("The board is at {url} (Ctrl-C ends it)");
        if self.open && !open(&url) {
            eprintln!("warning: no browser could be started");
        }
        Ok(server.run()?)
    }
}

/// The board in the browser beside another command: a server that is started when it is first needed, and ends with the program.
pub(crate) struct Beside {
    settings: Settings,
    url: Option<String>,
}

impl Beside {
    /// No server yet.
    pub(crate) fn new(settings: Settings) -> Beside {
        Beside { settings, url: None }
    }

    /// Opens a game in the browser and says where it is.
    pub(crate) fn show(&mut self, sgf: &str) -> anyhow::Result<String> {
        let games = default_games().context("there is no home directory to keep games in")?;
        let url = match &self.url {
            Some(url) => url.clone(),
            None => self.start(games.clone())?,
        };
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let id = format!("terminal-{seconds}");
        let path = games.join(format!("{id}.sgf"));
        write_file(&path, sgf).with_context(|| format!("cannot write {}", path.display()))?;
        let address = format!("{url}#/board/{id}");
        open(&address);
        Ok(address)
    }

    fn start(&mut self, games: PathBuf) -> anyhow::Result<String> {
        // Many positions are analysed at once, but one game is played.
        let settings = Settings { memory: DEFAULT_MEMORY, threads: 1, ..self.settings.clone() };
        let start = |port| {
            Server::start(ServerOptions {
                address: SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port),
                games: games.clone(),
                lab: vec![PathBuf::from("experiments")],
                settings: settings.clone(),
                play_threads: self.settings.threads,
                version: BUILD.to_owned(),
            })
        };
        // Another server may be at the usual port.
        let server = start(DEFAULT_PORT).or_else(|_| start(0))?;
        let url = server.url();
        std::thread::Builder::new().name("web".to_owned()).spawn(move || server.run())?;
        self.url = Some(url.clone());
        Ok(url)
    }
}

/// Where programs keep what belongs to a user.
fn default_games() -> Option<PathBuf> {
    let from = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = if cfg!(windows) {
        from("APPDATA")
    } else if cfg!(target_os = "macos") {
        from("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        from("XDG_DATA_HOME").or_else(|| from("HOME").map(|home| home.join(".local/share")))
    };
    data.map(|data| data.join("tesuji").join("games"))
}

/// Whether the system knows how to open a page.
fn open(url: &str) -> bool {
    let mut command = if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else {
        Command::new(if cfg!(target_os = "macos") { "open" } else { "xdg-open" })
    };
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
