//! An engine at the board: a [`Client`] that is told about a game, and whose every failure has a name.

use std::time::{Duration, Instant};

use tesuji_board::{Color, Move, Point, Rules, Size, VertexError};
use tesuji_gtp::{Client, ClientError, Echo};

use crate::clock::{Clock, TimeControl};
use crate::record::Ending;

/// A running engine.
pub struct Player {
    client: Client,
    timeout: Duration,
}

/// What an engine did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// How a game that ends by it is recorded.
    pub ending: Ending,
    /// More for people.
    pub detail: String,
}

/// What an engine answers to `genmove`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveAnswer {
    /// A move; whether it is legal is not known yet.
    Move(Move),
    /// It gives up.
    Resign,
}

impl Player {
    /// Starts an engine; `timeout` is for all commands that need no thinking.
    pub fn start(command: &str, timeout: Duration) -> Result<Player, Fault> {
        let client = Client::spawn(command, Echo::Silent).map_err(fault)?;
        Ok(Player { client, timeout })
    }

    /// Prepares an empty board; rules are told if the engine knows how to be told.
    pub fn new_game(&mut self, size: Size, rules: &Rules) -> Result<(), Fault> {
        if size.is_square() {
            self.ask(&format!("boardsize {}", size.width()))?;
        } else {
            self.ask(&format!("rectangular_boardsize {} {}", size.width(), size.height()))?;
        }
        self.ask("clear_board")?;
        if let Some(name) = rules.name()
            && self.knows("kata-set-rules")?
        {
            self.suggest(&format!("kata-set-rules {name}"))?;
        }
        // After the rules, because some engines take their usual komi with them.
        self.ask(&format!("komi {}", rules.komi))?;
        Ok(())
    }

    /// Tells about the clock, as far as the engine can be told.
    pub fn set_clock(&mut self, control: &TimeControl) -> Result<(), Fault> {
        let mut problem = None;
        let command = control.settings_command(|name| {
            self.knows(name).unwrap_or_else(|fault| {
                problem = Some(fault);
                false
            })
        });
        if let Some(fault) = problem {
            return Err(fault);
        }
        command.map_or(Ok(()), |command| self.suggest(&command))
    }

    /// Tells about the time left.
    pub fn tell_time(&mut self, color: Color, clock: &Clock) -> Result<(), Fault> {
        match clock.time_left() {
            Some(left) => self.suggest(&format!("time_left {} {left}", gtp_color(color))),
            None => Ok(()),
        }
    }

    /// Tells about a move.
    pub fn play(&mut self, color: Color, mv: Move, size: Size) -> Result<(), Fault> {
        self.ask(&format!("play {} {}", gtp_color(color), mv.to_gtp(size))).map(drop)
    }

    /// Asks for a move by `command` (`genmove` or a variant) and measures how many seconds the answer takes.
    pub fn choose(
        &mut self,
        command: &str,
        color: Color,
        size: Size,
        limit: Duration,
    ) -> (f64, Result<MoveAnswer, Fault>) {
        let start = Instant::now();
        let text = self.client.send(&format!("{command} {}", gtp_color(color)), limit).map_err(fault);
        let seconds = start.elapsed().as_secs_f64();
        (seconds, text.and_then(|text| parse_answer(&text, size)))
    }

    /// Whether the engine lists a command; one that lists nothing knows nothing.
    pub fn knows(&mut self, name: &str) -> Result<bool, Fault> {
        match self.client.supports(name, self.timeout) {
            Ok(known) => Ok(known),
            Err(ClientError::Refused(_)) => Ok(false),
            Err(error) => Err(fault(error)),
        }
    }

    /// The playouts of the last move, if the engine says.
    pub fn last_playouts(&mut self) -> Result<Option<u64>, Fault> {
        if !self.knows(EXPLAIN)? {
            return Ok(None);
        }
        match self.client.send(EXPLAIN, self.timeout) {
            Ok(text) => Ok(find_playouts(&text)),
            Err(ClientError::Refused(_)) => Ok(None),
            Err(error) => Err(fault(error)),
        }
    }

    /// The stones of a status (`dead`, `seki`), sorted; `None` if the engine does not say.
    pub fn stones(&mut self, status: &str, size: Size) -> Result<Option<Vec<Point>>, Fault> {
        match self.client.send(&format!("final_status_list {status}"), self.timeout.max(COUNT_TIMEOUT)) {
            Ok(text) => parse_points(&text, size).map(Some).map_err(|error| protocol(error.to_string())),
            Err(ClientError::Refused(_)) => Ok(None),
            Err(error) => Err(fault(error)),
        }
    }

    /// Sends a command that has to succeed.
    pub fn ask(&mut self, command: &str) -> Result<String, Fault> {
        self.ask_within(command, self.timeout)
    }

    /// As [`Player::ask`], with a time limit of its own.
    pub fn ask_within(&mut self, command: &str, timeout: Duration) -> Result<String, Fault> {
        self.client.send(command, timeout).map_err(|error| match error {
            ClientError::Refused(text) => protocol(format!("'{command}' refused: {text}")),
            error => fault(error),
        })
    }

    /// Ends the engine, by force if it does not end by itself soon.
    pub fn quit(self) {
        // Whatever goes wrong now, the game is over and the process gets killed.
        let _ = self.client.quit(QUIT_TIMEOUT);
    }

    /// Sends a command that may fail.
    fn suggest(&mut self, command: &str) -> Result<(), Fault> {
        match self.client.send(command, self.timeout) {
            Ok(_) | Err(ClientError::Refused(_)) => Ok(()),
            Err(error) => Err(fault(error)),
        }
    }
}

/// Gomill's command for words about the last move; ours and some others state their playouts there.
const EXPLAIN: &str = "gomill-explain_last_move";

/// Some engines read out every group when asked for dead stones.
pub(crate) const COUNT_TIMEOUT: Duration = Duration::from_secs(120);

const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

fn gtp_color(color: Color) -> &'static str {
    match color {
        Color::Black => "b",
        Color::White => "w",
    }
}

fn parse_answer(text: &str, size: Size) -> Result<MoveAnswer, Fault> {
    let word = text.trim();
    if word.eq_ignore_ascii_case("resign") {
        return Ok(MoveAnswer::Resign);
    }
    match Move::from_gtp(word, size) {
        Ok(mv) => Ok(MoveAnswer::Move(mv)),
        Err(error @ VertexError::OffBoard(..)) => {
            Err(Fault { ending: Ending::Illegal, detail: error.to_string() })
        }
        Err(error) => Err(protocol(error.to_string())),
    }
}

fn parse_points(text: &str, size: Size) -> Result<Vec<Point>, VertexError> {
    let moves: Result<Vec<Move>, VertexError> =
        text.split_whitespace().map(|word| Move::from_gtp(word, size)).collect();
    let mut points: Vec<Point> = moves?.into_iter().filter_map(Move::point).collect();
    points.sort_by_key(|&point| size.ordinal(point));
    points.dedup();
    Ok(points)
}

/// The number beside the first word for playouts: after it, or before it.
fn find_playouts(text: &str) -> Option<u64> {
    let is_separator =
        |c: char| c.is_whitespace() || matches!(c, '=' | ':' | ';' | '(' | ')' | '"' | '{' | '}');
    let words: Vec<&str> = text.split(is_separator).filter(|word| !word.is_empty()).collect();
    let bare = |word: &str| word.trim_end_matches([',', '.']).to_ascii_lowercase();
    let number = |index: usize| bare(words.get(index)?).replace([',', '_', '\''], "").parse().ok();
    words.iter().enumerate().find_map(|(index, word)| {
        if !["playouts", "simulations", "visits"].contains(&bare(word).as_str()) {
            return None;
        }
        // A comma after the word ends the phrase: the next number is about something else.
        let after = if word.ends_with([',', '.']) { None } else { number(index + 1) };
        after.or_else(|| number(index.checked_sub(1)?))
    })
}

fn protocol(detail: String) -> Fault {
    Fault { ending: Ending::Protocol, detail }
}

fn fault(error: ClientError) -> Fault {
    let ending = match error {
        ClientError::Spawn(_) | ClientError::Crashed { .. } => Ending::Crash,
        ClientError::Timeout { .. } => Ending::Time,
        ClientError::Refused(_) | ClientError::Protocol(_) => Ending::Protocol,
    };
    Fault { ending, detail: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        let size = Size::square(9).unwrap();
        let d4 = Move::from_gtp("D4", size).unwrap();
        assert_eq!(parse_answer(" d4\n", size), Ok(MoveAnswer::Move(d4)));
        assert_eq!(parse_answer("PASS", size), Ok(MoveAnswer::Move(Move::Pass)));
        assert_eq!(parse_answer("Resign", size), Ok(MoveAnswer::Resign));
        assert_eq!(parse_answer("K10", size).unwrap_err().ending, Ending::Illegal);
        for text in ["", "hello", "D4 D5"] {
            assert_eq!(parse_answer(text, size).unwrap_err().ending, Ending::Protocol, "{text}");
        }
    }

    #[test]
    fn points_come_sorted_and_once() {
        let size = Size::square(9).unwrap();
        let points = parse_points("A1 b9\nJ9 A1\n\n", size).unwrap();
        assert_eq!(points.iter().map(|point| point.to_gtp(size)).collect::<Vec<_>>(), ["B9", "J9", "A1"]);
        assert_eq!(parse_points("", size), Ok(Vec::new()));
        assert!(parse_points("A1 what", size).is_err());
    }

    #[test]
    fn playouts_are_found_in_prose() {
        for (text, expected) in [
            ("1234 playouts, 57 %", Some(1234)),
            ("D4 (visits 1,200; win rate 0.5)", Some(1200)),
            ("move D4, Simulations: 77.", Some(77)),
            ("{\"playouts\":500,\"x\":1}", Some(500)),
            ("playouts=500", Some(500)),
            ("no idea", None),
            ("playouts", None),
            ("many visits", None),
        ] {
            assert_eq!(find_playouts(text), expected, "{text}");
        }
    }
}
