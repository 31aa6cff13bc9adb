//! The arguments of analysis commands.
//!
//! All dialects take the same: an optional colour, an optional interval in hundredths of a second, then keys with values in any
//! order. `avoid` and `allow` filter what is reported and, in the genmove forms, what may be played; the search itself stays
//! free, so values of the other moves do not suffer from the restriction. They apply to the first move whatever depth
//! is given. A key for something that this search does not know is refused if it asks for it: a client that gets
//! an answer without it would wait in vain.

use std::time::Duration;

use tesuji_board::{Color, Move, Size};
use tesuji_gtp::Command;

use super::info::Dialect;

/// Longest interval that makes sense, in seconds; also the shortest guard against an overflow.
const MAX_INTERVAL: f64 = 3600.0;
/// A hundredth of a second: more reports than that nobody reads.
const MIN_INTERVAL: f64 = 0.01;

/// What an analysis shall show.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AnalysisRequest {
    pub(super) color: Color,
    pub(super) interval: Option<Duration>,
    pub(super) min_moves: usize,
    pub(super) max_moves: usize,
    pub(super) ownership: bool,
    pub(super) root_info: bool,
    /// Visits of the moves of the variations, under KataGo's two names for what is the same in a tree.
    pub(super) pv_visits: bool,
    pub(super) pv_edge_visits: bool,
    avoid: Vec<Move>,
    /// Empty if every move may be shown.
    allow: Vec<Move>,
}

impl AnalysisRequest {
    /// Reads the arguments of a command about a position with `to_move` to move.
    pub(super) fn parse(
        command: &Command,
        dialect: Dialect,
        to_move: Color,
        size: Size,
    ) -> Result<AnalysisRequest, String> {
        let mut request = AnalysisRequest {
            color: to_move,
            interval: None,
            min_moves: 0,
            max_moves: usize::MAX,
            ownership: false,
            root_info: false,
            pv_visits: false,
            pv_edge_visits: false,
            avoid: Vec::new(),
            allow: Vec::new(),
        };
        let mut words = command.args.iter().map(String::as_str);
        // Moves that are avoided or allowed may be those of the opponent, of which nothing is shown.
        let mut restrictions = Vec::new();
        while let Some(word) = words.next() {
            if let Some(color) = Color::parse(word) {
                request.color = color;
            } else if let Ok(number) = word.parse::<f64>() {
                request.interval = Some(interval(number)?);
            } else {
                let mut value = || words.next().ok_or_else(|| format!("expected a value after '{word}'"));
                match word.to_ascii_lowercase().as_str() {
                    "interval" => {
                        let text = value()?;
                        let number = text.parse().map_err(|_| format!("'{text}' is not an interval"))?;
                        request.interval = Some(interval(number)?);
                    }
                    "minmoves" => request.min_moves = count(value()?)?,
                    "maxmoves" => request.max_moves = count(value()?)?,
                    key @ ("ownership" | "rootinfo" | "pvvisits" | "pvedgevisits") => {
                        if dialect == Dialect::Leela {
                            return Err(format!("{} has no {word}", command.name));
                        }
                        let is_wanted = switch(value()?)?;
                        match key {
                            "ownership" => request.ownership = is_wanted,
                            "rootinfo" => request.root_info = is_wanted,
                            "pvvisits" => request.pv_visits = is_wanted,
                            _ => request.pv_edge_visits = is_wanted,
                        }
                    }
                    "ownershipstdev" | "movesownership" | "movesownershipstdev" | "noresultvalue" => {
                        if switch(value()?)? {
                            return Err(format!("{word} is not available"));
                        }
                    }
                    key @ ("avoid" | "allow") => {
                        let color = value()?;
                        let color = Color::parse(color).ok_or_else(|| format!("'{color}' is not a color"))?;
                        let moves = moves(value()?, size)?;
                        count(value()?)?;
                        restrictions.push((key == "avoid", color, moves));
                    }
                    _ => return Err(format!("unknown argument '{word}'")),
                }
            }
        }
        for (is_avoided, color, moves) in restrictions {
            if color == request.color {
                (if is_avoided { &mut request.avoid } else { &mut request.allow }).extend(moves);
            }
        }
        Ok(request)
    }

    /// Whether a move may be shown and played.
    pub(super) fn allows(&self, mv: Move) -> bool {
        !self.avoid.contains(&mv) && (self.allow.is_empty() || self.allow.contains(&mv))
    }
}

fn interval(centiseconds: f64) -> Result<Duration, String> {
    if !centiseconds.is_finite() || centiseconds < 0.0 {
        return Err(format!("'{centiseconds}' is not an interval"));
    }
    Ok(Duration::from_secs_f64((centiseconds / 100.0).clamp(MIN_INTERVAL, MAX_INTERVAL)))
}

fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("'{text}' is not a number of moves"))
}

fn switch(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(format!("'{text}' is neither true nor false")),
    }
}

fn moves(text: &str, size: Size) -> Result<Vec<Move>, String> {
    let words = text.split(',').filter(|word| !word.is_empty());
    words.map(|word| Move::from_gtp(word, size).map_err(|error| error.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_gtp::Line;

    fn parse(arguments: &str) -> Result<AnalysisRequest, String> {
        let Line::Command(command) = Line::parse(format!("kata-analyze {arguments}").as_bytes()) else {
            panic!("{arguments}");
        };
        AnalysisRequest::parse(&command, Dialect::Kata, Color::Black, Size::square(19).unwrap())
    }

    #[test]
    fn colour_and_interval_are_optional_in_any_order() {
        for (arguments, color, centiseconds) in [
            ("", Color::Black, None),
            ("50", Color::Black, Some(50)),
            ("W", Color::White, None),
            ("B 50", Color::Black, Some(50)),
            ("white interval 30", Color::White, Some(30)),
            ("interval 30 w", Color::White, Some(30)),
            ("50.5", Color::Black, Some(50)),
        ] {
            let request = parse(arguments).unwrap();
            let found = request.interval.map(|interval| interval.as_millis() / 10);
            assert_eq!((request.color, found), (color, centiseconds), "{arguments}");
        }
    }

    #[test]
    fn keys_are_read_whatever_their_case() {
        let request = parse("50 minmoves 2 maxmoves 7 ownership true pvVisits true rootInfo TRUE").unwrap();
        assert_eq!((request.min_moves, request.max_moves), (2, 7));
        assert!(request.ownership && request.root_info && request.pv_visits && !request.pv_edge_visits);
    }

    #[test]
    fn only_moves_of_the_player_are_restricted() {
        let size = Size::square(19).unwrap();
        let d4 = Move::from_gtp("D4", size).unwrap();
        assert!(!parse("w avoid w D4,Q16 3").unwrap().allows(d4));
        assert!(parse("w avoid b D4 3").unwrap().allows(d4));
        assert!(!parse("allow b Q16,pass 1").unwrap().allows(d4));
        assert!(parse("allow b Q16,pass 1").unwrap().allows(Move::Pass));
    }

    #[test]
    fn nonsense_is_refused() {
        for arguments in [
            "x",
            "interval",
            "interval x",
            "interval -1",
            "nan",
            "ownership",
            "ownership maybe",
            "avoid b D4",
            "avoid b I9 1",
            "avoid x D4 1",
            "minmoves -1",
            "movesOwnership true",
            "ownershipStdev 1",
        ] {
            assert!(parse(arguments).is_err(), "{arguments}");
        }
    }
}
