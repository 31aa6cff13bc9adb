//! One question: a game, the turns of it to look at, for how long, and what to tell.

mod game;

use std::ops::RangeInclusive;
use std::time::Duration;

use serde_json::{Map, Value};
use tesuji_board::{Color, Game, Move};
use tesuji_engine::Level;
use tesuji_net::input::Rank;
use tesuji_search::Focus;

use crate::field::{Complaint, Fields};
use game::{color_of, read_game, vertex};

/// Everything about a query but who asked.
pub(crate) struct Query {
    pub(crate) id: String,
    /// The game up to its last move.
    pub(crate) game: Game,
    /// Turns to analyse with their priorities, in order and each once.
    pub(crate) turns: Vec<(usize, i64)>,
    pub(crate) limits: Limits,
    pub(crate) focus: Focus,
    pub(crate) reports: Option<Reports>,
    pub(crate) wants: Wants,
    pub(crate) perspective: Perspective,
    /// Whether to look at positions as if nothing had happened before.
    pub(crate) ignores_history: bool,
    /// The people whose moves are to be told besides, if anybody asks.
    pub(crate) people: Option<Rank>,
}

/// How long to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    pub(crate) visits: u64,
    pub(crate) time: Option<Duration>,
}

/// When to tell of a search that is not over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reports {
    pub(crate) first: Duration,
    pub(crate) every: Duration,
}

/// What to tell besides moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Wants {
    pub(crate) ownership: bool,
    pub(crate) policy: bool,
    pub(crate) variation_visits: bool,
}

/// Whose chances are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Perspective {
    /// Black's, as in the configuration that comes with KataGo.
    #[default]
    Black,
    /// White's.
    White,
    /// Those of whoever is to move.
    SideToMove,
}

/// What a query has if it does not say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Defaults {
    pub(crate) limits: Limits,
    pub(crate) perspective: Perspective,
}

/// Moves of one game: more than any that was ever played, few enough to replay in no time.
pub(crate) const MOST_MOVES: usize = 10_000;
const VISITS: RangeInclusive<i64> = 1..=1 << 50;
const PRIORITIES: RangeInclusive<i64> = -(1 << 31)..=1 << 31;
/// Seconds between reports, as in KataGo.
const REPORT_SECONDS: RangeInclusive<f64> = 0.001..=1_000_000.0;
/// Reports that come faster are of no use to anybody.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);
const SECONDS: RangeInclusive<f64> = 0.0..=1e9;
/// Deeper bans are as good as bans for ever.
const DEPTHS: RangeInclusive<i64> = 1..=1 << 20;
/// The bounds of KataGo's, for both.
const TEMPERATURES: RangeInclusive<f64> = 0.01..=100.0;
const NOISES: RangeInclusive<f64> = 0.0..=5.0;

impl Perspective {
    /// The perspective of a name in KataGo's configuration.
    pub fn named(name: &str) -> Option<Perspective> {
        match name.to_ascii_uppercase().as_str() {
            "BLACK" | "B" => Some(Perspective::Black),
            "WHITE" | "W" => Some(Perspective::White),
            "SIDETOMOVE" => Some(Perspective::SideToMove),
            _ => None,
        }
    }

    /// Whether values for `to_move` are told for the opponent.
    pub(crate) fn flips(self, to_move: Color) -> bool {
        match self {
            Perspective::Black => to_move == Color::White,
            Perspective::White => to_move == Color::Black,
            Perspective::SideToMove => false,
        }
    }
}

impl Query {
    /// Reads a query; `warn` hears of fields that have no effect.
    pub(crate) fn read(
        id: String,
        object: Map<String, Value>,
        defaults: &Defaults,
        warn: &mut dyn FnMut(String, &str),
    ) -> Result<Query, Complaint> {
        let mut fields = Fields::new(object, "");
        fields.value("id");
        let game = read_game(&mut fields)?;
        let turns = read_turns(&mut fields, game.move_number())?;
        let mut query = Query {
            id,
            turns,
            limits: defaults.limits,
            focus: Focus::default(),
            reports: read_reports(&mut fields)?,
            wants: Wants {
                ownership: fields.switch("includeOwnership")?.unwrap_or(false),
                policy: fields.switch("includePolicy")?.unwrap_or(false),
                variation_visits: fields.switch("includePVVisits")?.unwrap_or(false),
            },
            perspective: defaults.perspective,
            ignores_history: false,
            people: None,
            game,
        };
        query.focus.by_move = fields.switch("includeMovesOwnership")?.unwrap_or(false);
        for name in ["includeOwnershipStdev", "includeMovesOwnershipStdev", "includeNoResultValue"] {
            if fields.switch(name)? == Some(true) {
                warn(name.to_owned(), "not supported, ignored");
            }
        }
        query.read_bans(&mut fields)?;
        if let Some(temperature) = fields.number("rootPolicyTemperature", TEMPERATURES)? {
            query.focus.root_temperature *= temperature as f32;
        }
        fields.number("rootFpuReductionMax", 0.0..=2.0)?;
        if let Some(visits) = fields.integer("maxVisits", VISITS)? {
            query.limits.visits = visits as u64;
        }
        if let Some(object) = fields.object("overrideSettings")? {
            query.read_settings(Fields::new(object, "overrideSettings."), warn)?;
        }
        fields.leftovers().for_each(|name| warn(name, "Unexpected or unused field"));
        Ok(query)
    }

    /// The position at a turn.
    pub(crate) fn position(&self, turn: usize) -> Game {
        let mut game = self.game.clone();
        // Turns are checked to be within the game.
        game.undo(self.game.move_number().saturating_sub(turn)).ok();
        if self.ignores_history {
            Game::from_position(game.board().clone(), game.to_move(), *game.rules())
        } else {
            game
        }
    }

    fn read_bans(&mut self, fields: &mut Fields) -> Result<(), Complaint> {
        let size = self.game.size();
        for (name, allows) in [("avoidMoves", false), ("allowMoves", true)] {
            for entry in fields.list(name)?.unwrap_or_default() {
                let Value::Object(entry) = entry else {
                    return fields
                        .complain(name, "must be an array of objects with player, moves, untilDepth");
                };
                let mut entry = Fields::new(entry, if allows { "allowMoves." } else { "avoidMoves." });
                let color = match entry.value("player") {
                    Some(player) => color_of(&player),
                    None => None,
                };
                let Some(color) = color else { return entry.complain("player", "must be \"B\" or \"W\"") };
                let Some(depth) = entry.integer("untilDepth", DEPTHS)? else {
                    return entry.complain("untilDepth", "is missing");
                };
                let Some(list) = entry.list("moves")? else { return entry.complain("moves", "is missing") };
                let mut listed = vec![false; size.area() + 1];
                for value in &list {
                    let mv = value.as_str().ok_or("a move must be a string".to_owned());
                    match mv.and_then(|text| vertex(text, size)) {
                        Ok(mv) => listed[mv.point().map_or(size.area(), |point| size.ordinal(point))] = true,
                        Err(problem) => return entry.complain("moves", problem),
                    }
                }
                let depth = depth.min(i64::from(u16::MAX)) as u16;
                let moves = size.points().map(Move::Play).chain([Move::Pass]);
                for (mv, _) in moves.zip(listed).filter(|&(_, listed)| listed != allows) {
                    self.focus.ban(color, mv, depth, size);
                }
            }
        }
        Ok(())
    }

    fn read_settings(
        &mut self,
        mut settings: Fields,
        warn: &mut dyn FnMut(String, &str),
    ) -> Result<(), Complaint> {
        if let Some(name) = settings.text("reportAnalysisWinratesAs")? {
            match Perspective::named(&name) {
                Some(perspective) => self.perspective = perspective,
                None => {
                    return settings
                        .complain("reportAnalysisWinratesAs", "must be BLACK, WHITE or SIDETOMOVE");
                }
            }
        }
        for name in ["maxVisits", "maxPlayouts"] {
            if let Some(visits) = settings.integer(name, VISITS)? {
                self.limits.visits = self.limits.visits.min(visits as u64);
            }
        }
        if let Some(seconds) = settings.number("maxTime", SECONDS)? {
            self.limits.time = Some(Duration::from_secs_f64(seconds));
        }
        if let Some(temperature) = settings.number("rootPolicyTemperature", TEMPERATURES)? {
            self.focus.root_temperature *= temperature as f32;
        }
        if let Some(noise) = settings.number("wideRootNoise", NOISES)? {
            // The part of KataGo's noise that flattens the policy; the random part is left out.
            self.focus.root_temperature *= (4.0 * noise + 1.0) as f32;
        }
        self.ignores_history = settings.switch("ignorePreRootHistory")?.unwrap_or(false);
        if let Some(profile) = settings.text("humanSLProfile")?.filter(|profile| !profile.is_empty()) {
            match profile.parse::<Level>() {
                Ok(level) => self.people = level.rank(),
                // Clients ask for professionals of some year too; a game should not end with that.
                Err(_) => {
                    warn(settings.full_name("humanSLProfile"), "known are rank_30k to rank_9d, ignored");
                }
            }
        }
        for name in settings.leftovers() {
            warn(name, "this setting has no effect here");
        }
        Ok(())
    }
}

fn read_turns(fields: &mut Fields, last: usize) -> Result<Vec<(usize, i64)>, Complaint> {
    let priority = fields.integer("priority", PRIORITIES)?;
    let turns = fields.integers("analyzeTurns", 0..=last as i64)?.unwrap_or_else(|| vec![last as i64]);
    let priorities = match (fields.integers("priorities", PRIORITIES)?, priority) {
        (Some(_), Some(_)) => return fields.complain("priorities", "and priority exclude each other"),
        (Some(list), None) if list.len() != turns.len() => {
            return fields.complain("priorities", "must be as many as analyzeTurns");
        }
        (Some(list), None) => list,
        (None, priority) => vec![priority.unwrap_or(0); turns.len()],
    };
    let mut turns: Vec<_> = turns.into_iter().map(|turn| turn as usize).zip(priorities).collect();
    turns.sort_by_key(|&(turn, _)| turn);
    turns.dedup_by_key(|&mut (turn, _)| turn);
    if turns.is_empty() {
        return fields.complain("analyzeTurns", "must name at least one turn");
    }
    Ok(turns)
}

fn read_reports(fields: &mut Fields) -> Result<Option<Reports>, Complaint> {
    let interval = |seconds| Duration::from_secs_f64(seconds).max(SHORTEST_INTERVAL);
    let every = fields.number("reportDuringSearchEvery", REPORT_SECONDS)?.map(interval);
    let first = fields.number("firstReportDuringSearchAfter", REPORT_SECONDS)?.map(interval);
    Ok(every
        .or(first)
        .map(|either| Reports { first: first.unwrap_or(either), every: every.unwrap_or(Duration::MAX) }))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use serde_json::json;

    const DEFAULTS: Defaults =
        Defaults { limits: Limits { visits: 500, time: None }, perspective: Perspective::Black };

    /// A valid query with some fields changed; `null` takes one away.
    fn read(changes: Value) -> (Result<Query, Complaint>, Vec<(String, String)>) {
        let mut query = json!({
            "id": "a", "boardXSize": 9, "boardYSize": 9, "rules": "chinese", "komi": 7.5,
            "moves": [["B", "E5"], ["W", "C3"]],
        });
        for (name, value) in changes.as_object().unwrap() {
            query[name] = value.clone();
        }
        let mut warnings = Vec::new();
        let mut warn = |field: String, text: &str| warnings.push((field, text.to_owned()));
        let Value::Object(object) = query else { unreachable!() };
        (Query::read("a".to_owned(), object, &DEFAULTS, &mut warn), warnings)
    }

    pub(crate) fn query(changes: Value) -> Query {
        let (query, warnings) = read(changes);
        assert_eq!(warnings, []);
        query.unwrap_or_else(|complaint| panic!("{complaint:?}"))
    }

    #[track_caller]
    fn check_error(changes: Value, field: &str, problem: &str) {
        let shown = changes.to_string();
        let complaint = read(changes).0.err().unwrap_or_else(|| panic!("{shown} was accepted"));
        assert_eq!(
            (complaint.field.as_deref(), complaint.problem.as_str()),
            (Some(field), problem),
            "{shown}"
        );
    }

    #[test]
    fn what_is_left_out_has_a_default() {
        let query = query(json!({ "komi": null }));
        assert_eq!(query.turns, [(2, 0)]);
        assert_eq!((query.limits, query.perspective), (DEFAULTS.limits, Perspective::Black));
        assert_eq!(query.game.rules().komi, 7.5);
        assert_eq!(query.game.to_move(), Color::Black);
        assert_eq!((query.wants, query.reports), (Wants::default(), None));
        assert!(!query.focus.has_bans() && !query.focus.by_move);
    }

    #[test]
    fn errors_name_the_field() {
        let sides = "must be an integer from 2 to 25";
        check_error(json!({ "boardXSize": null }), "boardXSize", "is missing");
        check_error(json!({ "boardXSize": 26 }), "boardXSize", sides);
        check_error(json!({ "boardYSize": 9.5 }), "boardYSize", sides);
        check_error(json!({ "boardYSize": "9" }), "boardYSize", sides);
        check_error(json!({ "moves": null }), "moves", "is missing");
        check_error(json!({ "moves": {} }), "moves", "must be an array");
        let pairs = "must be an array of pairs such as [\"B\",\"D4\"]";
        check_error(json!({ "moves": ["D4"] }), "moves", pairs);
        check_error(json!({ "moves": [["B", 3]] }), "moves", pairs);
        check_error(json!({ "moves": [["B", "D4", "E5"]] }), "moves", pairs);
        check_error(json!({ "moves": [["R", "D4"]] }), "moves", "\"R\" is no player: \"B\" or \"W\"");
        check_error(json!({ "moves": [["B", "I5"]] }), "moves", "'I5' is not a vertex");
        check_error(json!({ "moves": [["B", "T19"]] }), "moves", "'T19' is not on a 9x9 board");
        check_error(json!({ "moves": [["B", "(9,0)"]] }), "moves", "'(9,0)' is not on a 9x9 board");
        let twice = json!({ "moves": [["B", "E5"], ["W", "E5"]] });
        check_error(twice, "moves", "Illegal move 1: E5: the point is occupied");
        check_error(json!({ "initialStones": [["B", "pass"]] }), "initialStones", "a pass is no stone");
        let surrounded = json!({ "initialStones": [["W", "A1"], ["B", "A2"], ["B", "B1"]] });
        check_error(surrounded, "initialStones", "a stone has no liberties");
        check_error(json!({ "initialPlayer": 1 }), "initialPlayer", "must be \"B\" or \"W\"");
        check_error(json!({ "rules": null }), "rules", "is missing");
        check_error(json!({ "rules": 3 }), "rules", "must be the name of rules or an object");
        check_error(json!({ "komi": 2000 }), "komi", "must be a number from -1000 to 1000");
        check_error(json!({ "komi": "seven" }), "komi", "must be a number from -1000 to 1000");
        let turns = "must be an array of integers from 0 to 2";
        check_error(json!({ "analyzeTurns": [3] }), "analyzeTurns", turns);
        check_error(json!({ "analyzeTurns": [-1] }), "analyzeTurns", turns);
        check_error(json!({ "analyzeTurns": [] }), "analyzeTurns", "must name at least one turn");
        check_error(json!({ "priorities": [1, 2] }), "priorities", "must be as many as analyzeTurns");
        let both = json!({ "priorities": [1], "priority": 1 });
        check_error(both, "priorities", "and priority exclude each other");
        let visits = "must be an integer from 1 to 1125899906842624";
        check_error(json!({ "maxVisits": 0 }), "maxVisits", visits);
        check_error(json!({ "includePolicy": 1 }), "includePolicy", "must be true or false");
        check_error(
            json!({ "reportDuringSearchEvery": 0 }),
            "reportDuringSearchEvery",
            "must be a number from 0.001 to 1000000",
        );
        let list = "must be an array of objects with player, moves, untilDepth";
        check_error(json!({ "avoidMoves": ["A1"] }), "avoidMoves", list);
        let nobody = json!({ "avoidMoves": [{ "moves": [], "untilDepth": 1 }] });
        check_error(nobody, "avoidMoves.player", "must be \"B\" or \"W\"");
        let for_ever = json!({ "allowMoves": [{ "player": "B", "moves": [] }] });
        check_error(for_ever, "allowMoves.untilDepth", "is missing");
        let nowhere = json!({ "allowMoves": [{ "player": "B", "moves": ["Z9"], "untilDepth": 1 }] });
        check_error(nowhere, "allowMoves.moves", "'Z9' is not on a 9x9 board");
        check_error(
            json!({ "overrideSettings": { "reportAnalysisWinratesAs": "GREEN" } }),
            "overrideSettings.reportAnalysisWinratesAs",
            "must be BLACK, WHITE or SIDETOMOVE",
        );
        check_error(
            json!({ "overrideSettings": { "maxTime": -1 } }),
            "overrideSettings.maxTime",
            "must be a number from 0 to 1000000000",
        );
        check_error(json!({ "overrideSettings": [] }), "overrideSettings", "must be an object");
    }

    #[test]
    fn rules_are_names_or_objects() {
        for (rules, name) in [
            (json!("new zealand"), "new-zealand"),
            (json!("stone_scoring"), "stone-scoring"),
            (json!("Tromp-Taylor"), "tromp-taylor"),
            (json!({}), "tromp-taylor"),
            (json!({ "ko": "SITUATIONAL", "friendlyPassOk": true, "suicide": true }), "new-zealand"),
        ] {
            assert_eq!(query(json!({ "rules": rules })).game.rules().name(), Some(name), "{rules}");
        }
        let bonus = |bonus| query(json!({ "rules": "japanese", "whiteHandicapBonus": bonus }));
        assert_eq!(bonus("N-1").game.rules().handicap_bonus.points(4), 3);
        let (wrong, _) = read(json!({ "rules": { "tax": "SOME" } }));
        assert_eq!(wrong.err().unwrap().field.as_deref(), Some("rules"));
    }

    #[test]
    fn who_begins_is_said_or_guessed() {
        let first = |changes: Value| query(changes).position(0).to_move();
        let stones = json!([["B", "C3"], ["B", "G7"]]);
        assert_eq!(first(json!({ "moves": [], "initialStones": stones })), Color::White);
        assert_eq!(first(json!({ "moves": [] })), Color::Black);
        assert_eq!(first(json!({ "moves": [["W", "C3"]] })), Color::White);
        assert_eq!(first(json!({ "moves": [], "initialPlayer": "W" })), Color::White);
        assert_eq!(
            first(json!({ "moves": [], "initialStones": stones, "initialPlayer": "black" })),
            Color::Black
        );
    }

    #[test]
    fn turns_come_in_order_and_once() {
        let query = query(json!({ "analyzeTurns": [2, 0, 2], "priorities": [5, 6, 7] }));
        assert_eq!(query.turns, [(0, 6), (2, 5)]);
        assert_eq!(query.position(0).move_number(), 0);
        assert_eq!(query.position(1).moves(), &query.game.moves()[..1]);
        assert_eq!(query.position(2).board().hash(), query.game.board().hash());
    }

    #[test]
    fn regions_ban_everything_else() {
        let query = query(json!({
            "allowMoves": [{ "player": "B", "moves": ["A1", "(1,0)"], "untilDepth": 2 }],
            "avoidMoves": [{ "player": "W", "moves": ["pass"], "untilDepth": 1 }],
        }));
        let size = query.game.size();
        let allows =
            |color, text, depth| query.focus.allows(color, Move::from_gtp(text, size).unwrap(), depth, size);
        assert!(allows(Color::Black, "A1", 0) && allows(Color::Black, "B9", 1));
        assert!(!allows(Color::Black, "A2", 1) && !allows(Color::Black, "pass", 0));
        assert!(allows(Color::Black, "A2", 2));
        assert!(!allows(Color::White, "pass", 0) && allows(Color::White, "A2", 0));
    }

    #[test]
    fn settings_of_katrain_are_understood() {
        let query = query(json!({
            "maxVisits": 10_000_000,
            "reportDuringSearchEvery": 0.5,
            "includeOwnership": true, "includeMovesOwnership": true, "includePolicy": true, "includePVVisits": true,
            "overrideSettings": {
                "reportAnalysisWinratesAs": "SIDETOMOVE", "wideRootNoise": 0.25, "maxTime": 8.0,
                "ignorePreRootHistory": true,
            },
        }));
        assert_eq!(query.limits, Limits { visits: 10_000_000, time: Some(Duration::from_secs(8)) });
        let half = Duration::from_millis(500);
        assert_eq!(query.reports, Some(Reports { first: half, every: half }));
        assert_eq!(query.wants, Wants { ownership: true, policy: true, variation_visits: true });
        assert!(query.focus.by_move && query.ignores_history);
        assert_eq!((query.focus.root_temperature, query.perspective), (2.0, Perspective::SideToMove));
        assert_eq!((query.position(2).move_number(), query.position(2).to_move()), (0, Color::Black));
    }

    #[test]
    fn people_are_named_as_in_katago() {
        let people =
            |profile: &str| query(json!({ "overrideSettings": { "humanSLProfile": profile } })).people;
        assert_eq!(people("rank_5k").map(|rank| rank.to_string()), Some("5k".to_owned()));
        assert_eq!((people("preaz_3d").map(Rank::steps), people("")), (Some(32), None));
        let (query, warnings) = read(json!({ "overrideSettings": { "humanSLProfile": "proyear_1800" } }));
        assert_eq!(query.ok().map(|query| query.people), Some(None));
        assert_eq!(warnings[0].0, "overrideSettings.humanSLProfile");
    }

    #[test]
    fn what_has_no_effect_is_warned_about() {
        let (query, mut warnings) = read(json!({
            "colour": "blue", "includeOwnershipStdev": true,
            "overrideSettings": { "humanSLChosenMoveProp": 1.0, "maxTime": 1 },
        }));
        assert!(query.is_ok());
        warnings.sort();
        let fields: Vec<_> = warnings.iter().map(|(field, _)| field.as_str()).collect();
        assert_eq!(fields, ["colour", "includeOwnershipStdev", "overrideSettings.humanSLChosenMoveProp"]);
    }

    #[test]
    fn a_record_may_repeat_a_position_that_the_rules_forbid() {
        // A ko with nothing between, by two players who each pass once: the same position twice.
        let stones = json!([["B", "B1"], ["B", "A2"], ["W", "C1"], ["W", "B2"]]);
        let moves = json!([["W", "A1"], ["B", "pass"], ["W", "pass"], ["B", "E5"]]);
        assert!(read(json!({ "rules": "tromp-taylor", "initialStones": stones, "moves": moves })).0.is_ok());
        let sending_two = json!([["B", "C1"], ["W", "B1"], ["B", "pass"], ["W", "A1"]]);
        let stones = json!([["B", "A2"], ["B", "B2"], ["W", "C2"], ["W", "A1"], ["W", "B1"], ["W", "D1"]]);
        let query = read(json!({ "rules": "tromp-taylor", "initialStones": stones, "moves": sending_two })).0;
        assert!(query.is_ok(), "{:?}", query.err());
    }
}
