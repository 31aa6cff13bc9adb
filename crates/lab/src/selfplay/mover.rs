//! A network as a player: a short search, the same for the same seed.

use std::path::PathBuf;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use tesuji_board::{Game, Move, Size};
use tesuji_engine::{Net, Settings};
use tesuji_net::{Isa, Reader};
use tesuji_search::{Focus, Report, Searcher, Simulations};

use crate::checksum::Checksum;
use crate::duel::{Action, Contestant};
use crate::host::Host;
use crate::job::JobError;

/// A network that jobs need: a file for those who have it, a checksum for those who have to fetch it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NetFile {
    /// What is in it.
    pub checksum: Checksum,
    /// Where it is here.
    #[serde(skip)]
    pub path: Option<PathBuf>,
    /// It, once somebody has loaded it: all threads use the same.
    #[serde(skip)]
    net: OnceLock<Net>,
}

/// Policy and value of a network and nothing else.
const PRESET: &str = "net";
/// Megabytes of a player: enough for trees of some thousand simulations.
const MEMORY: u64 = 24;

impl NetFile {
    /// A file of this machine.
    pub fn here(path: PathBuf) -> std::io::Result<NetFile> {
        Ok(NetFile { checksum: Checksum::of_file(&path)?, path: Some(path), net: OnceLock::new() })
    }

    /// The network, ready for boards of a size, and the settings of a player with it.
    pub(super) fn ready(&self, host: &Host, size: Size) -> Result<(Settings, Reader), JobError> {
        let path = match &self.path {
            Some(path) => path.clone(),
            None => host.net(&self.checksum)?,
        };
        let net = self.net.get_or_init(|| Net::load(path, Isa::best(), |_| ())).clone();
        let reader = net.wait(size);
        let reader =
            reader.ok_or_else(|| JobError::Refused(format!("the network cannot be used on {size}")))?;
        let preset = Settings::of_preset(PRESET).map_err(|error| JobError::Failed(error.to_string()))?;
        Ok((Settings { memory: MEMORY, threads: 1, net, ..preset }, reader))
    }
}

/// A player of one game.
pub(super) struct Mover {
    searcher: Box<dyn Searcher>,
    visits: u64,
}

impl Mover {
    /// A player with a seed; it looks at the moves of a position by their probabilities, which a temperature above 1 evens out.
    pub(super) fn new(
        settings: &Settings,
        size: Size,
        seed: u64,
        visits: u64,
        temperature: f32,
    ) -> Result<Mover, JobError> {
        let settings = Settings { seed, ..settings.clone() };
        let mut searcher = settings.searcher(size).map_err(|error| JobError::Failed(error.to_string()))?;
        let mut focus = Focus::default();
        focus.root_temperature = temperature;
        searcher.set_focus(focus);
        Ok(Mover { searcher, visits })
    }

    /// What so many simulations find out about a position.
    pub(super) fn look(&mut self, game: &Game, visits: u64) -> Report {
        self.searcher.search(game, game.to_move(), &Simulations(visits));
        self.searcher.report()
    }
}

impl Contestant for Mover {
    fn choose(&mut self, game: &Game) -> Action {
        let report = self.look(game, self.visits);
        Action::Move(report.moves.first().map_or(Move::Pass, |best| best.mv))
    }
}
