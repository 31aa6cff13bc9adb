//! `tesuji doctor`: does everything work here, how fast is it, what is there and what is missing, and how other programs are connected.

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;
use tesuji_analysis::{Service, ServiceSettings};
use tesuji_board::{Color, Diagram, Game, Rules, Size, perft};
use tesuji_engine::settings::Settings;
use tesuji_net::Isa;
use tesuji_search::Simulations;

use crate::command::{engine, web};
use crate::say::say;

/// How long anything may take before it counts as broken.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long speed is measured, per board.
const MEASURED: Duration = Duration::from_millis(500);

#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    engine: engine::Options,
}

/// Part of the self-test: what is wrong, if anything is.
type Check = fn(&Settings) -> Result<(), String>;

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let settings = self.engine.settings()?;
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        say!("Tesuji {}, {cores} cores, network kernels for {}", env!("CARGO_PKG_VERSION"), Isa::best());
        say!("\nSelf-test");
        let checks: [(&str, Check); 3] = [
            ("rules of Go: 15,650 ways to make three moves on 5×5", |_| check_rules()),
            ("search: knows who wins a decided game", check_search),
            ("analysis engine: answers", check_analysis),
        ];
        let mut all_well = true;
        for (name, check) in checks {
            let result = check(&settings);
            all_well &= result.is_ok();
            match result {
                Ok(()) => say!("  ok      {name}"),
                Err(problem) => say!("  FAILED  {name}: {problem}"),
            }
        }
        let threads =
            if settings.threads == 1 { "one thread" } else { &format!("{} threads", settings.threads) };
        say!("\nSpeed of preset {}, {threads}", settings.preset.name);
        for side in [9, 19] {
            say!("  {side}×{side}: {:.0} simulations a second", speed(&settings, side)?);
        }
        say!("\nFound");
        match settings.net.path() {
            Some(path) if settings.net.wait(Size::square(9)?).is_some() => {
                say!("  network {}", path.display());
            }
            Some(path) => {
                all_well = false;
                say!("  network {} cannot be used", path.display());
            }
            None => say!(
                "  no network file named (--net FILE); there is one in the program for boards about 9×9 (--preset net)"
            ),
        }
        match find_program("gnugo") {
            Some(path) => say!("  GNU Go at {}", path.display()),
            None => say!("  no GNU Go: only needed for matches and tests against it"),
        }
        say!("\nConnect other programs\n{}", connections(&env::current_exe()?, &settings));
        Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// A published count (see `tesuji perft`).
fn check_rules() -> Result<(), String> {
    let size = Size::square(5).map_err(|error| error.to_string())?;
    let rules = Rules::named("cgos").map_err(|error| error.to_string())?;
    let count = perft(&mut Game::new(size, rules), 3);
    if count == 15_650 { Ok(()) } else { Err(format!("counted {count}")) }
}

/// Black has seven rows and White two, whoever moves next.
fn check_search(settings: &Settings) -> Result<(), String> {
    let diagram = Diagram::parse(
        "
        . O . O . O . O .
        O O O O O O O O O
        X X X X X X X X X
        . X . X . X . X .
        . . . . . . . . .
        . . . . . . . . .
        . . X . . . X . .
        . . . . . . . . .
        . . . . . . . . .",
    );
    let board = diagram.map_err(|error| error.to_string())?.board;
    let size = board.size();
    for color in Color::BOTH {
        let game = Game::from_position(board.clone(), color, Rules::default());
        let mut searcher = settings.searcher(size).map_err(|error| error.to_string())?;
        searcher.search(&game, color, &Simulations(200));
        let win_rate = searcher.report().moves.first().map_or(0.5, |best| best.win_rate);
        let for_black = if color == Color::Black { win_rate } else { 1.0 - win_rate };
        if for_black < 0.9 {
            let percent = 100.0 * for_black;
            return Err(format!("gives Black {percent:.0} % in a won game, with {color} to move"));
        }
    }
    Ok(())
}

fn check_analysis(settings: &Settings) -> Result<(), String> {
    let service = Service::new(ServiceSettings { workers: 1, ..ServiceSettings::new(settings.clone()) });
    let (sender, replies) = channel();
    let connection = service.connect(move |reply| drop(sender.send(reply)));
    connection
        .send(r#"{"id":"doctor","boardXSize":9,"boardYSize":9,"rules":"chinese","moves":[],"maxVisits":20}"#);
    let reply = replies.recv_timeout(PATIENCE).map_err(|_| "no reply".to_owned())?;
    if reply.contains("\"moveInfos\"") { Ok(()) } else { Err(reply) }
}

/// Simulations per second on an empty board.
fn speed(settings: &Settings, side: usize) -> anyhow::Result<f64> {
    let game = Game::new(Size::square(side)?, Rules::default());
    let mut searcher = settings.searcher(game.size())?;
    let started = Instant::now();
    let mut made = 0;
    while started.elapsed() < MEASURED {
        searcher.search(&game, Color::Black, &Simulations(50));
        made += 50;
    }
    Ok(f64::from(made) / started.elapsed().as_secs_f64())
}

/// A program on the path, or where Debian puts games.
fn find_program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    places.map(|place| place.join(name)).find(|program| program.is_file())
}

/// How other programs are told of this one: where to click, and what to write into their files.
fn connections(program: &Path, settings: &Settings) -> String {
    let program = program.display().to_string();
    let quoted = if program.contains(' ') { format!("\"{program}\"") } else { program.clone() };
    let net = settings.net.path().map(|path| path.display().to_string());
    let arguments = |command: &str| {
        net.as_ref().map_or_else(|| command.to_owned(), |net| format!("{command} --net {net}"))
    };
    let (gtp, analysis) = (arguments("gtp"), format!("{quoted} {}", arguments("analysis")));
    let lizzie = format!("{quoted} {}", arguments("gtp --gtp-name KataGo"));
    let words: Vec<&str> =
        [program.as_str(), "gtp"].into_iter().chain(net.iter().flat_map(|net| ["--net", net])).collect();
    let remote = format!("ws://127.0.0.1:{}/ws/analysis", web::DEFAULT_PORT);
    [
        ("browser", "tesuji web --open".to_owned(), String::new()),
        (
            "KaTrain",
            format!("Settings, Engine, custom command: {analysis}"),
            format!(
                "~/.katrain/config.json: \"engine\": {}",
                json!({ "backend": "custom", "altcommand": analysis })
            ),
        ),
        (
            "",
            format!("or as a remote engine, while tesuji web runs: {remote}"),
            format!(
                "~/.katrain/config.json: \"engine\": {}",
                json!({ "backend": "remote", "remote_url": remote })
            ),
        ),
        (
            "Sabaki",
            format!("Engines, Manage Engines, Add: path {program}, arguments {gtp}"),
            format!(
                "settings.json: \"engines.list\": {}",
                json!([{ "name": "Tesuji", "path": program, "args": gtp }])
            ),
        ),
        (
            "Lizzie",
            format!("engine command: {lizzie}"),
            format!("config.txt: \"leelaz\": {}", json!({ "engine-command": lizzie })),
        ),
        ("q5Go", format!("Settings, Computer Go, New: executable {program}, arguments {gtp}"), String::new()),
        ("GoGui", format!("Program, New Program: {quoted} {gtp}"), String::new()),
        ("gtp2ogs", format!("in its configuration: \"bot\": {}", json!({ "command": words })), String::new()),
    ]
    .into_iter()
    .flat_map(|(name, how, file)| [(name, how), ("", file)])
    .filter(|(_, line)| !line.is_empty())
    .map(|(name, line)| format!("  {name:<9} {line}"))
    .collect::<Vec<_>>()
    .join("\n")
}
