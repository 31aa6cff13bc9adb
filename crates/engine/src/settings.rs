//! The numbers and switches of an engine, and the one table that names them.
//!
//! GTP, the configuration file and the command line all go through [`PARAMETERS`], so a parameter has the same name,
//! default, bounds and description everywhere. Adding one is a field of [`Settings`] and a line in the table.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use tesuji_search::Parameters;

use crate::gammas::GammaSource;
use crate::level::{LEVELS, Level};
use crate::net::Net;
use crate::preset::{DEFAULT_PRESET, PRESETS, Preset, UnknownPreset};
use crate::suggestion::suggestion;
use crate::time_budget::DEFAULT_LAG;

/// Everything about an engine that is a number, a switch or a preset.
#[derive(Clone)]
pub struct Settings {
    /// What the search began as; `search` may have changed since.
    pub preset: &'static Preset,
    /// How strong to play.
    pub level: Level,
    /// Simulations per move; 0 is no limit.
    pub playouts: u64,
    /// Visits of the root per move, with those kept from earlier searches; 0 is no limit.
    pub visits: u64,
    /// Seconds per move; 0 leaves it to the clock.
    pub time_per_move: f64,
    /// Seconds kept back per move for the way to the controller.
    pub lag: f64,
    /// Threads that search.
    pub threads: u64,
    /// Memory of the tree in MB.
    pub memory: u64,
    /// Seed of everything random.
    pub seed: u64,
    /// Whether to search while the opponent thinks.
    pub ponder: bool,
    /// Whether the engine may resign.
    pub resign: bool,
    /// Winning probability below which a position counts as lost.
    pub resign_threshold: f64,
    /// Moves in a row that must look lost before the engine resigns.
    pub resign_moves: u64,
    /// Whether to print live graphics for GoGui on stderr.
    pub live_graphics: bool,
    /// What the search is made of.
    pub search: Parameters,
    /// The network, for searches that ask one.
    pub net: Net,
    /// The gammas of learned playouts.
    pub gammas: GammaSource,
    /// A clock in nanoseconds for measuring playouts; slows the search down a little.
    pub stopwatch: Option<fn() -> u64>,
}

/// What a parameter changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// How a search is used.
    Play,
    /// The search itself, which must be made anew.
    Search,
}

/// One line of the table.
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// What KataGo calls it, for clients that ask for it.
    pub katago_name: &'static str,
    /// One line for people.
    pub description: &'static str,
    /// What it changes.
    pub scope: Scope,
    /// Its type, bounds and place.
    pub field: Field,
}

/// The type of a parameter, its bounds and where it is kept.
pub enum Field {
    /// `true` or `false`.
    Switch(fn(&mut Settings) -> &mut bool),
    /// A whole number within bounds.
    Integer(fn(&mut Settings) -> &mut u64, RangeInclusive<u64>),
    /// A number within bounds.
    Number(fn(&mut Settings) -> &mut f64, RangeInclusive<f64>),
    /// A file of gammas.
    Gammas(fn(&mut Settings) -> &mut GammaSource),
    /// A level.
    Level(fn(&mut Settings) -> &mut Level),
    /// A parameter of the search.
    Search(&'static tesuji_search::Parameter),
}

/// Why a parameter cannot be set as asked.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterError {
    /// No parameter has this name.
    UnknownName(String),
    /// The value is not one of this parameter's.
    Value {
        /// The parameter.
        name: &'static str,
        /// The values it takes.
        expected: String,
        /// What was asked for.
        found: String,
    },
    /// A file cannot be used.
    File {
        /// The parameter.
        name: &'static str,
        /// The file.
        path: String,
        /// Why not.
        reason: String,
    },
    /// The search would make no sense with it.
    Refused(tesuji_search::Refusal),
    /// The search does not use it.
    Unused {
        /// The parameter.
        name: &'static str,
        /// What the search is made of.
        search: String,
    },
}

/// A day: longer than anybody lets a move take.
const MAX_SECONDS: f64 = 86400.0;

/// Every parameter in the order in which people should read them: those of the engine, then those of the search.
pub static PARAMETERS: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
    let of_search = tesuji_search::PARAMETERS.iter().map(|parameter| Parameter {
        name: parameter.name,
        katago_name: "",
        description: parameter.description,
        scope: Scope::Search,
        field: Field::Search(parameter),
    });
    Vec::from(OF_ENGINE).into_iter().chain(of_search).collect()
});

const OF_ENGINE: [Parameter; 14] = [
    Parameter {
        name: "level",
        katago_name: "humanSLProfile",
        description: "how strong to play: as people of a rank, a step above them, or as strong as it can",
        scope: Scope::Play,
        field: Field::Level(|s| &mut s.level),
    },
    Parameter {
        name: "playouts",
        katago_name: "maxPlayouts",
        description: "simulations per move, 0 for no limit",
        scope: Scope::Play,
        field: Field::Integer(|s| &mut s.playouts, 0..=u64::MAX),
    },
    Parameter {
        name: "visits",
        katago_name: "maxVisits",
        description: "visits of the root per move, kept ones included, 0 for no limit",
        scope: Scope::Play,
        field: Field::Integer(|s| &mut s.visits, 0..=u64::MAX),
    },
    Parameter {
        name: "time-per-move",
        katago_name: "maxTime",
        description: "seconds per move, 0 to leave it to the clock",
        scope: Scope::Play,
        field: Field::Number(|s| &mut s.time_per_move, 0.0..=MAX_SECONDS),
    },
    Parameter {
        name: "lag",
        katago_name: "lagBuffer",
        description: "seconds of every move kept back for the connection",
        scope: Scope::Play,
        field: Field::Number(|s| &mut s.lag, 0.0..=60.0),
    },
    Parameter {
        name: "threads",
        katago_name: "numSearchThreads",
        description: "threads that search",
        scope: Scope::Search,
        field: Field::Integer(|s| &mut s.threads, 1..=1024),
    },
    Parameter {
        name: "memory",
        katago_name: "",
        description: "memory of the search tree in MB",
        scope: Scope::Search,
        field: Field::Integer(|s| &mut s.memory, 1..=1 << 20),
    },
    Parameter {
        name: "seed",
        katago_name: "searchRandSeed",
        description: "seed of everything random",
        scope: Scope::Search,
        field: Field::Integer(|s| &mut s.seed, 0..=u64::MAX),
    },
    Parameter {
        name: "ponder",
        katago_name: "ponderingEnabled",
        description: "search while the opponent thinks",
        scope: Scope::Play,
        field: Field::Switch(|s| &mut s.ponder),
    },
    Parameter {
        name: "resign",
        katago_name: "allowResignation",
        description: "resign lost games",
        scope: Scope::Play,
        field: Field::Switch(|s| &mut s.resign),
    },
    Parameter {
        name: "resign-threshold",
        katago_name: "",
        description: "winning probability below which a position counts as lost",
        scope: Scope::Play,
        field: Field::Number(|s| &mut s.resign_threshold, 0.0..=1.0),
    },
    Parameter {
        name: "resign-moves",
        katago_name: "resignConsecTurns",
        description: "moves in a row that must look lost before resigning",
        scope: Scope::Play,
        field: Field::Integer(|s| &mut s.resign_moves, 1..=1000),
    },
    Parameter {
        name: "live-graphics",
        katago_name: "",
        description: "print live graphics for GoGui on stderr",
        scope: Scope::Play,
        field: Field::Switch(|s| &mut s.live_graphics),
    },
    Parameter {
        name: "playout-gammas",
        katago_name: "",
        description: "file of gammas for learned playouts, made by tesuji train playout or train balance; built-in for those in the program",
        scope: Scope::Search,
        field: Field::Gammas(|s| &mut s.gammas),
    },
];

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            // The table of presets is tested to hold its default.
            preset: Preset::named(DEFAULT_PRESET).unwrap_or(&PRESETS[0]),
            level: Level::Full,
            playouts: 0,
            visits: 0,
            time_per_move: 0.0,
            lag: DEFAULT_LAG.as_secs_f64(),
            threads: 1,
            memory: 256,
            seed: 1,
            ponder: false,
            resign: true,
            resign_threshold: 0.05,
            resign_moves: 3,
            live_graphics: false,
            search: Preset::named(DEFAULT_PRESET).map_or_else(|_| Parameters::default(), Preset::parameters),
            net: Net::default(),
            gammas: GammaSource::default(),
            stopwatch: None,
        }
    }
}

impl Settings {
    /// The default settings of a preset.
    pub fn of_preset(name: &str) -> Result<Settings, UnknownPreset> {
        let preset = Preset::named(name)?;
        Ok(Settings { preset, search: preset.parameters(), ..Settings::default() })
    }

    /// Sets a parameter from text and says what that changes; unchanged on an error.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Scope, ParameterError> {
        let parameter = Parameter::named(name)?;
        let wrong = || ParameterError::Value {
            name: parameter.name,
            expected: parameter.values(),
            found: value.to_owned(),
        };
        match &parameter.field {
            Field::Switch(at) => {
                *at(self) = match value.to_ascii_lowercase().as_str() {
                    "true" | "on" | "yes" | "1" => true,
                    "false" | "off" | "no" | "0" => false,
                    _ => return Err(wrong()),
                };
            }
            Field::Integer(at, bounds) => {
                let number = value.parse().ok().filter(|number| bounds.contains(number));
                *at(self) = number.ok_or_else(wrong)?;
            }
            Field::Number(at, bounds) => {
                // A NaN is in no range.
                let number = value.parse().ok().filter(|number| bounds.contains(number));
                *at(self) = number.ok_or_else(wrong)?;
            }
            Field::Gammas(at) => {
                let refused =
                    |reason| ParameterError::File { name: parameter.name, path: value.to_owned(), reason };
                *at(self) = GammaSource::open(value).map_err(refused)?;
            }
            Field::Level(at) => *at(self) = value.parse().map_err(|_| wrong())?,
            Field::Search(of_search) => {
                self.search.set(of_search.name, value).map_err(|_| wrong())?;
            }
        }
        Ok(parameter.scope)
    }
}

impl Settings {
    /// Whether the search makes sense, and uses the parameters that were set by these names.
    pub fn check<'a>(&self, set: impl IntoIterator<Item = &'a str>) -> Result<(), ParameterError> {
        self.search.check().map_err(ParameterError::Refused)?;
        match set.into_iter().find_map(|name| self.unused(name)) {
            Some(name) => Err(ParameterError::Unused { name, search: self.description() }),
            None => Ok(()),
        }
    }

    /// The parameter of a name, if the search does not use it.
    pub fn unused(&self, name: &str) -> Option<&'static str> {
        let parameter = Parameter::named(name).ok()?;
        match parameter.field {
            Field::Search(of_search) if !(of_search.used)(&self.search) => Some(parameter.name),
            Field::Gammas(_) if !self.search.asks_gammas() => Some(parameter.name),
            _ => None,
        }
    }

    /// What the search is made of, for people.
    fn description(&self) -> String {
        let axes = ["walk", "rule", "widening", "playout", "replies", "adaptation", "prior"];
        let values = self.search.used().filter(|(name, _)| axes.contains(name));
        values.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }
}

impl Parameter {
    /// The parameter of a name; case, `-` and `_` do not matter, and KataGo's names are known too.
    pub fn named(name: &str) -> Result<&'static Parameter, ParameterError> {
        let wanted = normalized(name);
        let has_name = |p: &&Parameter| {
            normalized(p.name) == wanted || (!p.katago_name.is_empty() && normalized(p.katago_name) == wanted)
        };
        PARAMETERS.iter().find(has_name).ok_or_else(|| ParameterError::UnknownName(name.to_owned()))
    }

    /// The value as text that [`Settings::set`] reads again.
    pub fn value(&self, settings: &Settings) -> String {
        // The table has one way to a field, and that one can also write.
        let mut settings = settings.clone();
        match &self.field {
            Field::Switch(at) => at(&mut settings).to_string(),
            Field::Integer(at, _) => at(&mut settings).to_string(),
            Field::Number(at, _) => at(&mut settings).to_string(),
            Field::Gammas(at) => at(&mut settings).to_string(),
            Field::Level(at) => at(&mut settings).to_string(),
            Field::Search(of_search) => of_search.value(&settings.search),
        }
    }

    /// The values it takes, for people.
    pub fn values(&self) -> String {
        match &self.field {
            Field::Switch(_) => "true or false".to_owned(),
            Field::Integer(_, bounds) if *bounds.end() == u64::MAX => {
                format!("an integer from {}", bounds.start())
            }
            Field::Integer(_, bounds) => format!("an integer from {} to {}", bounds.start(), bounds.end()),
            Field::Number(_, bounds) => format!("a number from {} to {}", bounds.start(), bounds.end()),
            Field::Gammas(_) => "built-in or the name of a file".to_owned(),
            Field::Level(_) => LEVELS.to_owned(),
            Field::Search(of_search) => of_search.kind.values(),
        }
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterError::UnknownName(name) => {
                let names = PARAMETERS.iter().map(|parameter| parameter.name);
                write!(f, "unknown parameter '{name}'{}", suggestion(name, names))
            }
            ParameterError::Value { name, expected, found } => {
                write!(f, "parameter {name} takes {expected}, not '{found}'")
            }
            ParameterError::File { name, path, reason } => write!(f, "parameter {name}: {path}: {reason}"),
            ParameterError::Refused(refusal) => refusal.fmt(f),
            ParameterError::Unused { name, search } => {
                write!(f, "parameter {name} has no effect with {search}")
            }
        }
    }
}

impl std::error::Error for ParameterError {}

fn normalized(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_search::playout::GammaTable;

    #[test]
    fn every_default_is_a_value_of_its_parameter() {
        let mut settings = Settings::default();
        for parameter in PARAMETERS.iter() {
            let value = parameter.value(&settings);
            assert_eq!(settings.set(parameter.name, &value), Ok(parameter.scope), "{}", parameter.name);
            assert_eq!(parameter.value(&settings), value);
            assert!(!parameter.description.is_empty());
        }
    }

    #[test]
    fn names_do_not_clash() {
        let names: Vec<_> = PARAMETERS
            .iter()
            .flat_map(|p| [p.name, p.katago_name])
            .filter(|name| !name.is_empty())
            .map(normalized)
            .collect();
        for (i, name) in names.iter().enumerate() {
            assert!(!names[..i].contains(name), "{name}");
        }
    }

    #[test]
    fn wrong_values_change_nothing() {
        let mut settings = Settings::default();
        for (name, value) in [
            ("threads", "0"),
            ("threads", "-1"),
            ("threads", "two"),
            ("resign-threshold", "NaN"),
            ("resign-threshold", "1.1"),
            ("ponder", "maybe"),
            ("level", "7"),
            ("playouts", "99999999999999999999"),
        ] {
            let before = Parameter::named(name).unwrap().value(&settings);
            assert!(settings.set(name, value).is_err(), "{name} {value}");
            assert_eq!(Parameter::named(name).unwrap().value(&settings), before);
        }
        assert_eq!(settings.set("nothing", "1"), Err(ParameterError::UnknownName("nothing".to_owned())));
    }

    #[test]
    fn files_of_gammas_are_read_or_refused() {
        let mut settings = Settings::of_preset("rave-learned").unwrap();
        let directory = std::env::temp_dir().join(format!("tesuji-gammas-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let path = directory.join("gammas").display().to_string();
        let bytes = GammaTable::flat("a test").write();
        let mut set = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let result = settings.set("playout-gammas", &path);
            (result, settings.gammas.to_string())
        };
        let (error, kept) = set(&bytes[1..]);
        assert_eq!(kept, "built-in");
        assert!(error.unwrap_err().to_string().contains("not a file of gammas"));
        assert!(set(&bytes[..bytes.len() - 1]).0.unwrap_err().to_string().contains("cut off or damaged"));
        assert_eq!(set(&bytes), (Ok(Scope::Search), path.clone()));
        assert_eq!(settings.check(["playout-gammas"]), Ok(()));
        std::fs::remove_dir_all(&directory).unwrap();
        let error = settings.set("playout-gammas", &path).unwrap_err().to_string();
        assert!(error.contains(&path), "{error}");
        settings.set("playout", "rules").unwrap();
        assert!(matches!(settings.check(["playout-gammas"]), Err(ParameterError::Unused { .. })));
    }

    #[test]
    fn clients_may_spell_as_katago_does() {
        let mut settings = Settings::default();
        assert_eq!(settings.set("maxVisits", "50"), Ok(Scope::Play));
        assert_eq!(settings.set("num_search_threads", "2"), Ok(Scope::Search));
        assert_eq!((settings.visits, settings.threads), (50, 2));
    }
}
