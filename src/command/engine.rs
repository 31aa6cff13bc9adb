//! Options of every command that runs an engine, on the command line and in a configuration file.
//!
//! Defaults come first, then the file, then options of their own, then `--set`. All numbers go through the engine's table of
//! parameters, so a name, its bounds and its error are the same everywhere. The file may also hold the terms of a game; a
//! command that takes them asks for [`Terms`].

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail, ensure};
use clap::Args;
use tesuji_board::{Game, Rules, Size};
use tesuji_engine::preset::{DEFAULT_PRESET, PRESETS, Preset};
use tesuji_engine::settings::{PARAMETERS, Parameter, Settings};
use tesuji_engine::{Level, Net, suggestion};

use crate::argument;
use tesuji_net::Isa;

/// How the engine searches.
#[derive(Args, Clone, Debug, Default)]
#[group(id = "engine")]
pub(crate) struct Options {
    /// How strong to play: a rank from 30k to 9d, s1 to s3 above that, or full.
    #[arg(long)]
    level: Option<String>,
    /// The search, by name.
    #[arg(long)]
    preset: Option<String>,
    /// Threads that search; in games, by default as many as there are cores, or one with --seed.
    #[arg(long, value_name = "N")]
    threads: Option<String>,
    /// Seconds per move.
    #[arg(long, value_name = "SECONDS")]
    time_per_move: Option<String>,
    /// Simulations per move.
    #[arg(long, value_name = "N")]
    playouts: Option<String>,
    /// Memory of the search tree in MB.
    #[arg(long, value_name = "MB")]
    memory: Option<String>,
    /// Seed of everything random.
    #[arg(long)]
    seed: Option<String>,
    /// A network to search with instead of the program's own: a file of KataGo's or of our own.
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Instructions to evaluate the network with, such as avx2; by default the fastest.
    #[arg(long, value_name = "NAME")]
    isa: Option<Isa>,
    /// Set any parameter; may be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// A TOML file with options and parameters; its keys are their names.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The terms of a game.
#[derive(Args, Clone, Debug, Default)]
#[group(id = "terms")]
pub(crate) struct Terms {
    /// Rules by name: chinese, japanese, aga, tromp-taylor, …
    #[arg(long, value_parser = argument::rules)]
    pub(crate) rules: Option<Rules>,
    /// Points for White; by default the usual number under the rules.
    #[arg(long, value_parser = argument::komi, allow_negative_numbers = true)]
    pub(crate) komi: Option<f32>,
    /// Board size, such as 9 or 13x9.
    #[arg(long, value_parser = argument::size)]
    pub(crate) size: Option<Size>,
}

impl Options {
    /// Reads the configuration file and puts everything together.
    pub(crate) fn settings(&self) -> anyhow::Result<Settings> {
        let mut words = self.config_words()?;
        words.retain(|(name, _)| !TERMS.contains(&name.as_str()) && !PLAY_KEYS.contains(&name.as_str()));
        words.iter().try_for_each(|(name, _)| check_key(name))?;
        let words_of_file = words.len();
        words.extend(self.line_words()?);
        refuse_contradictions(&words[words_of_file..])?;
        let preset = words.iter().rfind(|(name, _)| name == "preset");
        let mut settings = Settings::of_preset(preset.map_or(DEFAULT_PRESET, |(_, name)| name))?;
        settings.net = load_net(self.net.as_deref(), self.isa);
        for (name, value) in words.iter().filter(|(name, _)| name != "preset") {
            settings.set(name, value)?;
        }
        ensure!(
            self.net.is_none() || settings.search.asks_network(),
            "--net: preset {} uses no network; leave --preset out, or choose one that does",
            settings.preset.name
        );
        // A file serves many searches, a command line one.
        let (of_file, of_line) = words.split_at(words_of_file);
        settings.check(of_line.iter().map(|(name, _)| name.as_str()))?;
        for name in of_file.iter().filter_map(|(name, _)| settings.unused(name)) {
            eprintln!("warning: {name} in the configuration file has no effect on this search");
        }
        if settings.level != Level::Full && !words.iter().any(|(name, _)| name == "seed") {
            settings.seed = fresh_seed();
        }
        Ok(settings)
    }

    /// The settings of an engine that has the machine to itself.
    pub(crate) fn settings_for_all_cores(&self) -> anyhow::Result<Settings> {
        let settings = self.settings()?;
        self.with_all_cores(&settings)
    }

    /// The same settings with a thread for every core, unless something else is said. Whoever names a seed wants the same game
    /// again, which only one thread gives.
    pub(crate) fn with_all_cores(&self, settings: &Settings) -> anyhow::Result<Settings> {
        let mut parallel = settings.clone();
        if self.names("threads")? || self.names("seed")? {
            return Ok(parallel);
        }
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        // Not every search can use several.
        let can = parallel.set("threads", &cores.to_string()).is_ok() && parallel.check(["threads"]).is_ok();
        Ok(if can { parallel } else { settings.clone() })
    }

    /// Whether a parameter is set, on the command line or in the configuration file.
    pub(crate) fn names(&self, parameter: &str) -> anyhow::Result<bool> {
        let is_it = |words: Vec<(String, String)>| words.iter().any(|(name, _)| canonical(name) == parameter);
        Ok(is_it(self.line_words()?) || is_it(self.config_words()?))
    }

    /// Whether the command line sets a parameter.
    pub(crate) fn line_names(&self, parameter: &str) -> bool {
        self.line_words().is_ok_and(|words| words.iter().any(|(name, _)| canonical(name) == parameter))
    }

    /// What the configuration file says about these keys.
    pub(crate) fn config_words_among(&self, keys: &[&str]) -> anyhow::Result<Vec<(String, String)>> {
        let mut words = self.config_words()?;
        words.retain(|(name, _)| keys.contains(&name.as_str()));
        Ok(words)
    }

    /// A network if none was named.
    pub(crate) fn net_if_none(&mut self, path: PathBuf) {
        self.net.get_or_insert(path);
    }

    /// A number of threads if none was named.
    pub(crate) fn threads_if_none(&mut self, threads: usize) {
        self.threads.get_or_insert_with(|| threads.to_string());
    }

    /// Sets a parameter if nobody has set it with `--set`; a value that it does not take is warned about.
    pub(crate) fn set_if_new(&mut self, name: &str, value: &str) {
        let is_set = self.set.iter().any(|pair| pair.split('=').next().is_some_and(|set| set.trim() == name));
        match Settings::default().set(name, value) {
            Ok(_) if !is_set => self.set.push(format!("{name}={value}")),
            Ok(_) => {}
            Err(error) => eprintln!("warning: {error}"),
        }
    }

    /// Whether the command line says how much memory to use.
    pub(crate) fn names_memory(&self) -> bool {
        self.memory.is_some() || self.set.iter().any(|pair| pair.starts_with("memory="))
    }

    fn own_words(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let words = [
            ("preset", &self.preset),
            ("level", &self.level),
            ("threads", &self.threads),
            ("time-per-move", &self.time_per_move),
            ("playouts", &self.playouts),
            ("memory", &self.memory),
            ("seed", &self.seed),
        ];
        words.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)))
    }

    /// Everything that the command line sets, in its order.
    fn line_words(&self) -> anyhow::Result<Vec<(String, String)>> {
        let own = self.own_words().map(|(name, value)| Ok((name.to_owned(), value.clone())));
        let set = self.set.iter().map(|pair| match pair.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
            None => bail!("--set {pair}: expected name=value"),
        });
        own.chain(set).collect()
    }

    fn config_words(&self) -> anyhow::Result<Vec<(String, String)>> {
        self.config.as_deref().map_or_else(|| Ok(Vec::new()), read_config)
    }
}

impl Terms {
    /// The game before its first move, by these terms and those in the engine's configuration file.
    pub(crate) fn game(&self, engine: &Options) -> anyhow::Result<Game> {
        let terms = self.with_config(engine)?;
        let rules = terms.rules.unwrap_or_default();
        let komi = terms.komi.unwrap_or(rules.komi);
        let size = terms.size.map_or_else(|| Size::square(DEFAULT_SIDE), Ok)?;
        Ok(Game::new(size, Rules { komi, ..rules }))
    }

    /// These terms, and those of the engine's configuration file where they say nothing.
    pub(crate) fn with_config(&self, engine: &Options) -> anyhow::Result<Terms> {
        let mut terms = Terms::default();
        for (name, value) in engine.config_words()? {
            let at = |error: String| anyhow::anyhow!("{name} in the configuration file: {error}");
            match name.as_str() {
                "rules" => terms.rules = Some(argument::rules(&value).map_err(at)?),
                "komi" => terms.komi = Some(argument::komi(&value).map_err(at)?),
                "size" => terms.size = Some(argument::size(&value).map_err(at)?),
                _ => {}
            }
        }
        Ok(Terms {
            rules: self.rules.or(terms.rules),
            komi: self.komi.or(terms.komi),
            size: self.size.or(terms.size),
        })
    }
}

/// Refuses a key of a file that means nothing.
fn check_key(name: &str) -> anyhow::Result<()> {
    if name == "preset" || Parameter::named(name).is_ok() {
        return Ok(());
    }
    let parameters = PARAMETERS.iter().map(|parameter| parameter.name);
    let meant = suggestion(name, parameters.chain(TERMS).chain(PLAY_KEYS).chain(["preset"]));
    bail!("the configuration file: unknown key '{name}'{meant}");
}

/// The usual name of a parameter; a name that there is not is its own.
fn canonical(name: &str) -> &str {
    Parameter::named(name).map_or(name, |parameter| parameter.name)
}

/// Refuses a parameter with two values: nobody can know which one was meant.
fn refuse_contradictions(words: &[(String, String)]) -> anyhow::Result<()> {
    for (i, (name, value)) in words.iter().enumerate() {
        let other = words[..i].iter().find(|(other, _)| canonical(other) == canonical(name));
        if let Some((_, other)) = other.filter(|(_, other)| other != value) {
            bail!("{} is set twice, to {other} and to {value}", canonical(name));
        }
    }
    Ok(())
}

/// A seed that nobody has had before.
pub(crate) fn fresh_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64)
}

/// The network: those of the program, or a file, which begins to load. If that fails, the engine plays without and says so.
fn load_net(path: Option<&Path>, isa: Option<Isa>) -> Net {
    let isa = isa.unwrap_or_else(Isa::best);
    let Some(path) = path else { return Net::BuiltIn(isa) };
    let shown = path.display().to_string();
    Net::load(path.to_owned(), isa, move |loaded| {
        if let Err(error) = loaded {
            eprintln!("{error}");
            eprintln!("warning: {shown} is not used; playing without a network");
        }
    })
}

/// The presets and parameters with what there is to know, for the end of a help text.
pub(crate) fn help() -> String {
    let preset = |preset: &Preset| format!("  {:<18} {}\n", preset.name, preset.description);
    let defaults = Settings::default();
    let parameter = |parameter: &Parameter| {
        let (name, value) = (parameter.name, parameter.value(&defaults));
        format!("  {name:<18} {}: {}, default {value}\n", parameter.description, parameter.values())
    };
    let presets: String = PRESETS.iter().map(preset).collect();
    let parameters: String = PARAMETERS.iter().map(parameter).collect();
    format!("Presets (default {DEFAULT_PRESET}):\n{presets}\nParameters for --set:\n{parameters}")
}

/// The side of the board if none is given.
const DEFAULT_SIDE: usize = 19;
/// Keys of the file that are not the engine's but the game's.
const TERMS: [&str; 3] = ["rules", "komi", "size"];
/// Keys of the file that are options of `tesuji play`.
pub(crate) const PLAY_KEYS: [&str; 6] = ["color", "handicap", "rank", "clock", "autosave", "ascii"];

fn read_config(path: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let table: toml::Table = text.parse().with_context(|| format!("{name} is no TOML"))?;
    let word = |(key, value): (String, toml::Value)| match value {
        toml::Value::String(text) => Ok((key, text)),
        toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => {
            Ok((key, value.to_string()))
        }
        _ => bail!("{name}: {key} must be a text, a number or a switch"),
    };
    table.into_iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        engine: Options,
        #[command(flatten)]
        terms: Terms,
    }

    fn resolve(line: &str) -> anyhow::Result<(Settings, Game)> {
        let line = Line::try_parse_from(["tesuji"].into_iter().chain(line.split_whitespace()))?;
        Ok((line.engine.settings()?, line.terms.game(&line.engine)?))
    }

    #[test]
    fn options_become_settings_and_a_game() {
        let (settings, game) = resolve(
            "--preset flat --threads 2 --time-per-move 0.5 --playouts 100 --memory 64 --seed 7 \
             --rules japanese --komi -3.5 --size 13x9 --set resign=off --set lag=0.5",
        )
        .unwrap();
        assert_eq!(settings.preset.name, "flat");
        assert_eq!((settings.threads, settings.time_per_move, settings.memory), (2, 0.5, 64));
        assert_eq!((settings.seed, settings.resign, settings.playouts), (7, false, 100));
        assert_eq!(
            (settings.level, resolve("--level 12k").unwrap().0.level),
            (Level::Full, "12k".parse().unwrap())
        );
        assert_eq!(game.size(), Size::new(13, 9).unwrap());
        assert_eq!((game.rules().komi, game.rules().name()), (-3.5, Some("japanese")));
    }

    #[test]
    fn komi_follows_the_rules_unless_said_otherwise() {
        assert_eq!(resolve("--rules japanese").unwrap().1.rules().komi, 6.5);
        assert_eq!(resolve("--rules japanese --komi 0").unwrap().1.rules().komi, 0.0);
    }

    #[test]
    fn mistakes_are_named() {
        for (line, part) in [
            ("--preset none", "flat"),
            ("--preset rvae", "did you mean 'rave'?"),
            ("--set playots=1", "did you mean 'playouts'?"),
            ("--playouts 5 --set playouts=6", "playouts is set twice, to 5 and to 6"),
            ("--set seed=5 --set seed=6", "seed is set twice"),
            ("--preset uct --net no-such-net", "uses no network"),
            ("--threads 0", "threads"),
            ("--level 7", "30k"),
            ("--set nothing=1", "nothing"),
            ("--set resign", "name=value"),
            ("--size 26", "26"),
            ("--komi nan", "nan"),
            ("--rules chess", "chess"),
            ("--rules japanes", "did you mean 'japanese'?"),
            ("--config does-not-exist.toml", "does-not-exist.toml"),
        ] {
            let error = resolve(line).err().map(|error| format!("{error:#}")).unwrap_or_default();
            assert!(error.contains(part), "{line}: {error}");
        }
    }

    #[test]
    fn threads_follow_the_cores_unless_something_else_is_said() {
        let threads = |line: &str| {
            let line = Line::try_parse_from(["tesuji"].into_iter().chain(line.split_whitespace())).unwrap();
            line.engine.settings_for_all_cores().unwrap().threads
        };
        let cores = std::thread::available_parallelism().unwrap().get() as u64;
        assert_eq!(threads(""), cores);
        assert_eq!(threads("--threads 3"), 3);
        assert_eq!(threads("--set numSearchThreads=3"), 3);
        assert_eq!(threads("--seed 5"), 1);
    }

    #[test]
    fn the_command_line_overrules_the_file() {
        let path = std::env::temp_dir().join(format!("tesuji-options-{}.toml", std::process::id()));
        let with_file = |text: &str, line: &str| {
            fs::write(&path, text).unwrap();
            resolve(&format!("--config {} {line}", path.display()))
        };
        let text = "preset = \"flat\"\nplayouts = 5\nresign = false\nsize = 9\nkomi = 6.5\nrules = \"aga\"\n";
        let good = with_file(text, "--playouts 6");
        let bad = ["playouts = [1]", "nothing = 1", "size = 99", "playouts"].map(|text| with_file(text, ""));
        fs::remove_file(&path).unwrap();
        let (settings, game) = good.unwrap();
        assert_eq!((settings.playouts, settings.resign), (6, false));
        assert_eq!((game.size().width(), game.rules().komi), (9, 6.5));
        assert!(bad.iter().all(Result::is_err));
    }
}
