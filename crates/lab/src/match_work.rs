//! The games of a match as jobs.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tesuji_board::Color;

use crate::engine_spec::{EngineSpec, Launch, Lifetime, fill_command};
use crate::host::{Host, Trust};
use crate::job::{JobError, Work};
use crate::opening::read_opening;
use crate::player::{Fault, Player};
use crate::record::{Ending, GameLine};
use crate::referee::{GameTerms, Played, Side, play_game};
use crate::schedule::ScheduledGame;

/// How the games of a match are played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchWork {
    /// The match that records name.
    pub match_id: String,
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// What all games have in common.
    pub terms: GameTerms,
    /// Determines all seeds.
    pub seed: u64,
    /// How long engines live.
    pub lifetime: Lifetime,
    /// The machine that games are played on; everybody has another one.
    #[serde(skip)]
    pub host: Host,
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameTask {
    /// Who plays.
    pub game: ScheduledGame,
    /// The first moves.
    pub opening: Vec<String>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameFinding {
    /// What tables are made from.
    pub line: GameLine,
    /// The game as SGF; nothing in logs that are older than this program.
    #[serde(default)]
    pub sgf: String,
}

/// What a thread keeps: the command lines, and the engines that live as long as the match, by index.
pub struct Tools {
    commands: Vec<String>,
    /// Whether the engines are known to start; at home somebody has tried them.
    are_tried: bool,
    kept: BTreeMap<usize, Player>,
}

impl MatchWork {
    /// The command lines of all engines here, or why one must not be started.
    pub fn commands(&self) -> Result<Vec<String>, JobError> {
        if let Some(arbiter) = &self.terms.arbiter {
            self.host.check(arbiter)?;
        }
        self.engines.iter().map(|engine| engine.command_line(&self.host, &self.terms.time)).collect()
    }

    /// Starts and ends engines once, so that a wrong path is an error and not a hundred lost games.
    pub fn try_engines<'a>(
        &self,
        engines: impl Iterator<Item = &'a EngineSpec>,
    ) -> Result<(), (String, Fault)> {
        for engine in engines {
            let command = engine.command_line(&self.host, &self.terms.time);
            let command = command.map_err(|error| Fault { ending: Ending::Crash, detail: error.to_string() });
            let started = command.and_then(|command| self.try_command(&command));
            started.map_err(|fault| (engine.name.clone(), fault))?;
        }
        Ok(())
    }

    fn try_command(&self, command: &str) -> Result<(), Fault> {
        let mut player = Player::start(&fill_command(command, 0, 0), self.terms.command_timeout)?;
        player.ask("name")?;
        player.quit();
        Ok(())
    }

    /// As [`MatchWork::try_engines`], for a job from elsewhere. Our own program refuses the same options everywhere, and another try is pointless; another program may
    /// be missing on this machine alone.
    fn try_commands(&self, tools: &mut Tools) -> Result<(), JobError> {
        for (engine, command) in self.engines.iter().zip(&tools.commands) {
            self.try_command(command).map_err(|fault| {
                let reason = format!("{} does not start: {}", engine.name, fault.detail);
                match engine.launch {
                    Launch::Preset(_) => JobError::Refused(reason),
                    Launch::Command(_) => JobError::Failed(reason),
                }
            })?;
        }
        tools.are_tried = true;
        Ok(())
    }

    fn player(&self, tools: &mut Tools, engine: usize, seed: u64, game: u64) -> Result<Player, Fault> {
        if let Some(player) = tools.kept.remove(&engine) {
            return Ok(player);
        }
        Player::start(&fill_command(&tools.commands[engine], seed, game), self.terms.command_timeout)
    }

    fn put_back(&self, tools: &mut Tools, engine: usize, player: Player, broken: bool) {
        match self.lifetime {
            // Dropping kills it: one that broke off a game is not asked for anything any more.
            _ if broken => {}
            Lifetime::Game => player.quit(),
            Lifetime::Match => _ = tools.kept.insert(engine, player),
        }
    }
}

impl Work for MatchWork {
    const KIND: &'static str = "match";
    type Task = GameTask;
    type Finding = GameFinding;
    type Tools = Tools;

    fn tools(&self) -> Result<Tools, JobError> {
        let commands = self.commands()?;
        let are_tried = matches!(self.host.trust, Trust::Everything);
        Ok(Tools { commands, are_tried, kept: BTreeMap::new() })
    }

    fn work(&self, tools: &mut Tools, task: &GameTask, stop: &AtomicBool) -> Result<GameFinding, JobError> {
        let game = task.game;
        let indices = [game.black, game.white];
        if indices.iter().any(|&index| index >= self.engines.len()) {
            return Err(JobError::Refused("there is no such engine".to_owned()));
        }
        let opening = read_opening(&task.opening, self.terms.size).map_err(JobError::Refused)?;
        if !tools.are_tried {
            self.try_commands(tools)?;
        }
        let [black_seed, white_seed, referee_seed] = game.seeds(self.seed);
        let clocks = indices.map(|index| self.engines[index].clock);
        let black = self.player(tools, game.black, black_seed, game.game);
        let white = self.player(tools, game.white, white_seed, game.game);
        let played = match (black, white) {
            (Ok(mut black), Ok(mut white)) => {
                let sides = [
                    Side { player: &mut black, clock: clocks[0] },
                    Side { player: &mut white, clock: clocks[1] },
                ];
                let played = play_game(sides, &opening, &self.terms, referee_seed, stop);
                let played = played.ok_or(JobError::Interrupted)?;
                self.put_back(tools, game.black, black, played.broken == Some(Color::Black));
                self.put_back(tools, game.white, white, played.broken == Some(Color::White));
                Some(played)
            }
            (Err(fault), _) => Played::forfeit(&self.terms, Color::Black, fault, stop),
            (_, Err(fault)) => Played::forfeit(&self.terms, Color::White, fault, stop),
        };
        let played = played.ok_or(JobError::Interrupted)?;
        let [black, white] = indices.map(|index| self.engines[index].name.as_str());
        let sgf = played.record([black, white]).to_sgf();
        let line = GameLine {
            match_id: self.match_id.clone(),
            game: game.game,
            round: game.round,
            black: black.to_owned(),
            white: white.to_owned(),
            result: played.result,
            ending: played.ending,
            counted_by: played.counted_by,
            detail: played.detail,
            moves: played.game.move_number() as u64,
            effort: played.effort,
        };
        Ok(GameFinding { line, sgf })
    }
}

impl Drop for Tools {
    fn drop(&mut self) {
        std::mem::take(&mut self.kept).into_values().for_each(Player::quit);
    }
}
