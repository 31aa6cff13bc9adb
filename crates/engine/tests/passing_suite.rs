//! Finished and unfinished positions under area, territory and mixed rules, in both colours: no preset passes a game away, and what
//! is claimed about the score when passing is what the count by hand says.
//!
//! In every position the opponent has just passed and it is Black's turn (or White's, with colours exchanged). `a` marks the
//! moves one of which is needed; the komi is such that the game is won with it and lost by passing.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tesuji_board::{Board, Color, Diagram, Game, Move, Rules};
use tesuji_engine::decision::Decision;
use tesuji_engine::preset::PRESETS;
use tesuji_engine::{Engine, MoveRequest, Settings};

/// What a position asks for under some rules.
enum Task {
    /// A pass loses.
    Play,
    /// The game is over: Black's lead without komi, counted by hand. Dead stones may be taken first, a pass is right too.
    Over(f32),
}

use Task::{Over, Play};

struct Position {
    name: &'static str,
    diagram: &'static str,
    /// Rules, komi, and what is to be done.
    cases: &'static [(&'static str, f32, Task)],
}

const AREA: f32 = 0.5;

const POSITIONS: &[Position] = &[
    Position {
        name: "two living walls",
        diagram: "
            . X . X O . O
            X X X X O O O
            . X . X O . O
            X X X X O O O
            . X . X O . O",
        cases: &[
            ("chinese", AREA, Over(5.0)),
            ("aga", AREA, Over(5.0)),
            ("tromp-taylor", AREA, Over(5.0)),
            ("new-zealand", AREA, Over(5.0)),
            ("japanese", AREA, Over(3.0)),
            ("korean", AREA, Over(3.0)),
        ],
    },
    Position {
        name: "a dead stone",
        diagram: "
            . . X X O . O
            . O X X O O O
            . . X X O . O
            X X X X O O O
            . X . X O . O",
        cases: &[
            ("chinese", AREA, Over(5.0)),
            ("aga", AREA, Over(5.0)),
            ("japanese", AREA, Over(6.0)),
            ("korean", AREA, Over(6.0)),
            // Counted as it stands the dead stone costs the game.
            ("tromp-taylor", AREA, Play),
            ("cgos", AREA, Play),
        ],
    },
    Position {
        name: "a vital point",
        diagram: "
            . a . X O . O
            X X X X O O O
            O O O O O . O
            . O . O O O O
            O O O O . O O",
        cases: &[
            ("chinese", -24.5, Play),
            ("aga", -24.5, Play),
            ("new-zealand", -24.5, Play),
            ("japanese", -10.5, Play),
            ("korean", -10.5, Play),
            // The board is counted as it stands, and Black wins by that.
            ("tromp-taylor", -24.5, Over(-19.0)),
        ],
    },
    Position {
        name: "seki",
        diagram: "
            X O . X O .
            X O . X O O
            X O O X O .
            X X X O O O
            X . X O . O
            . X X O O O",
        cases: &[
            ("chinese", -5.5, Over(-4.0)),
            ("aga", -5.5, Over(-4.0)),
            ("tromp-taylor", -5.5, Over(-4.0)),
            ("japanese", -2.5, Over(-1.0)),
        ],
    },
    Position {
        name: "neutral points count where area does",
        diagram: "
            . X . X a O . O .
            X X X X a O O O O
            . X . X a O . O .",
        cases: &[
            ("chinese", 0.5, Play),
            ("aga", 0.5, Play),
            ("tromp-taylor", 0.5, Play),
            ("japanese", -0.5, Over(0.0)),
            ("korean", -0.5, Over(0.0)),
        ],
    },
    Position {
        name: "two stones to save",
        diagram: "
            X . X X O . O
            . X X X O O O
            X X X X O . O
            a O O O O O O
            X X O O O . O",
        cases: &[
            ("chinese", -8.0, Play),
            ("aga", -8.0, Play),
            ("new-zealand", -8.0, Play),
            ("japanese", -2.5, Play),
            ("tromp-taylor", -8.0, Over(-6.0)),
        ],
    },
];

/// A position of the suite for one player.
struct Case {
    label: String,
    game: Game,
    needed: Vec<Move>,
    must_play: bool,
    /// Black's lead with komi, where the game is over.
    lead: Option<f32>,
}

fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for position in POSITIONS {
        let parsed = Diagram::parse(position.diagram).unwrap();
        for (rules, komi, task) in position.cases {
            for color in Color::BOTH {
                let sign = if color == Color::Black { 1.0 } else { -1.0 };
                let rules_of = Rules { komi: sign * komi, ..Rules::named(rules).unwrap() };
                let board =
                    if color == Color::Black { parsed.board.clone() } else { exchanged(&parsed.board) };
                let mut game = Game::from_position(board, !color, rules_of);
                game.play(!color, Move::Pass).unwrap();
                all.push(Case {
                    label: format!("{} under {rules} rules, {color} to play", position.name),
                    game,
                    needed: parsed.points('a').map(Move::Play).collect(),
                    must_play: matches!(task, Play),
                    lead: match task {
                        Play => None,
                        Over(lead) => Some(sign * (lead - komi)),
                    },
                });
            }
        }
    }
    all
}

/// The same stones in the other colours.
fn exchanged(board: &Board) -> Board {
    let mut other = Board::new(board.size());
    for point in board.size().points() {
        if let Some(color) = board.color(point) {
            other.set_up(point, !color);
        }
    }
    other
}

fn decide(preset: &str, playouts: u64, case: &Case) -> (Engine, Decision) {
    let settings = Settings { playouts, resign: false, ..Settings::of_preset(preset).unwrap() };
    let mut engine = Engine::new(settings, case.game.clone());
    let request = MoveRequest::new(case.game.to_move(), Arc::new(AtomicBool::new(false)));
    let decision = engine.generate(&request, &mut |_| ()).decision;
    (engine, decision)
}

#[test]
fn the_suite_is_large_enough_and_has_all_kinds() {
    let cases = cases();
    assert!(cases.len() >= 40, "{}", cases.len());
    let needed = cases.iter().filter(|case| case.must_play).count();
    assert!(needed >= 15 && cases.len() - needed >= 15, "{needed} of {}", cases.len());
}

#[test]
fn no_preset_passes_a_game_away() {
    let mut wrong = Vec::new();
    for preset in PRESETS.iter().filter(|preset| !preset.parameters().asks_network()) {
        for case in cases().iter().filter(|case| case.must_play) {
            let (engine, decision) = decide(preset.name, 400, case);
            if decision == Decision::Move(Move::Pass) {
                wrong.push(format!("{}: {}: {}", preset.name, case.label, engine.explanation()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} passes too many:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_default_finds_the_move_that_is_needed() {
    for case in cases().iter().filter(|case| case.must_play && !case.needed.is_empty()) {
        let (engine, decision) = decide("rave", 1500, case);
        let found = case.needed.iter().any(|&mv| decision == Decision::Move(mv));
        assert!(found, "{}: {}", case.label, engine.explanation());
    }
}

#[test]
fn the_score_after_a_pass_is_the_one_counted_by_hand() {
    let mut passes = 0;
    let mut wrong = Vec::new();
    for preset in ["rave", "rave-plain", "uct", "puct"] {
        for case in cases() {
            let Some(lead) = case.lead else { continue };
            let (mut engine, decision) = decide(preset, 1000, &case);
            if decision != Decision::Move(Move::Pass) {
                continue;
            }
            passes += 1;
            // Where the board is counted as it stands, nobody is asked about dead stones.
            let claimed = engine.judge().score.black_lead;
            if (claimed - lead).abs() > 0.01 && !case.game.rules().counts_the_board_as_it_stands() {
                wrong.push(format!("{preset}: {}: {claimed} instead of {lead}", case.label));
            }
        }
    }
    assert!(wrong.is_empty(), "{} scores are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(passes > 60, "only {passes} games were ended");
}
