//! Whole games in, KataGo's answers out: positions of `../shared/data/nets` against what KataGo 1.17 printed for them.
//!
//! The files are outside the repository; without them the test says so and passes. Every position is read into a [`Game`], encoded,
//! evaluated and decoded, so a difference anywhere shows.

use serde_json::Value;
use std::path::{Path, PathBuf};
use tesuji_board::{Color, Game, KoRule, Move, Rules, Scoring, Size};
use tesuji_net::input::{Encoder, Layout, Line, Planes};
use tesuji_net::model::Model;
use tesuji_net::output::{Decoder, Evaluation, Logits, Question};
use tesuji_net::{katago, reference};

/// The largest differences that are accepted; those of issue 14.
const WIN_RATE: f32 = 0.0005;
const LEAD: f32 = 0.01;
const POLICY: f32 = 0.001;
const OWNERSHIP: f32 = 0.001;
/// The share of the optimistic policy in what `kata-raw-nn` prints.
const OPTIMISM: f32 = 0.2;

/// What KataGo says of a position, for White.
struct Vector {
    line: usize,
    net: String,
    tests: String,
    game: Game,
    to_move: Color,
    white_win: f32,
    white_lead: f32,
    /// Illegal moves are none.
    policy: Vec<Option<f32>>,
    pass: f32,
    white_ownership: Vec<f32>,
}

/// The folder beside the project, or beside the folder of a worktree of it.
fn data() -> Option<PathBuf> {
    let beside = |folder: &Path| folder.join("shared/data/nets");
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(beside).find(|folder| folder.is_dir())
}

fn unpack(path: &Path) -> String {
    String::from_utf8(zstd::decode_all(std::fs::File::open(path).unwrap()).unwrap()).unwrap()
}

fn vectors(text: &str) -> impl Iterator<Item = Vector> + '_ {
    text.lines().enumerate().map(|(i, line)| vector(i + 1, &serde_json::from_str(line).unwrap()))
}

fn vector(line: usize, value: &Value) -> Vector {
    let number = |key: &str| value[key].as_f64().unwrap() as f32;
    let list = |key: &str| value[key].as_array().unwrap().iter().map(|v| v.as_f64().map(|v| v as f32));
    let size = Size::new(number("width") as usize, number("height") as usize).unwrap();
    let mut rules = Rules { komi: number("komi"), ..Rules::default() };
    for (key, value) in value["rules_detail"].as_object().unwrap() {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        rules.set(key, &text).unwrap();
    }
    let mut game = Game::new(size, rules);
    for mv in value["moves"].as_array().unwrap() {
        let mv = match mv.as_str().unwrap() {
            "pass" => Move::Pass,
            letters => {
                let [x, y] = [0, 1].map(|i| usize::from(letters.as_bytes()[i] - b'a'));
                Move::Play(size.point(x, y).unwrap())
            }
        };
        let color = game.to_move();
        game.play(color, mv).unwrap_or_else(|error| panic!("line {line}, {mv:?}: {error}"));
    }
    Vector {
        line,
        net: value["net"].as_str().unwrap().to_owned(),
        tests: value["tests"].to_string(),
        game,
        to_move: Color::parse(value["to_move"].as_str().unwrap()).unwrap(),
        white_win: number("whiteWin"),
        white_lead: number("whiteLead"),
        policy: list("policy").collect(),
        pass: number("policyPass"),
        white_ownership: list("whiteOwnership").map(Option::unwrap).collect(),
    }
}

/// Evaluates positions with the slow, exact forward pass.
struct Oracle {
    model: Model,
    encoder: Encoder,
    decoder: Decoder,
    planes: Planes,
    logits: Logits,
    evaluation: Evaluation,
    legal: Vec<bool>,
}

impl Oracle {
    fn new(path: &Path) -> Oracle {
        let model = katago::read(&std::fs::read(path).unwrap()).unwrap();
        let size = Size::square(19).unwrap();
        Oracle {
            encoder: Encoder::new(&model.input, size),
            decoder: Decoder::new(&model),
            planes: Planes::new(size),
            logits: Logits::default(),
            evaluation: Evaluation::default(),
            legal: Vec::new(),
            model,
        }
    }

    fn evaluate(&mut self, game: &Game, to_move: Color) -> &Evaluation {
        let size = game.size();
        let line = Line::from_game(game, to_move);
        self.encoder.encode(&line.view(), &mut self.planes);
        let mut planes = vec![0.0; self.model.input.planes.len() * size.area()];
        self.planes.write_planes(&self.model.input.planes, Layout::PlaneMajor, &mut planes).unwrap();
        let mut globals = vec![0.0; self.model.input.globals.len()];
        self.planes.write_globals(&self.model.input.globals, &mut globals).unwrap();
        reference::evaluate(&self.model, size, &planes, &globals, &mut self.logits).unwrap();
        line.track().write_legal(line.board(), &mut self.legal);
        let rules = game.rules();
        let no_result = rules.ko == KoRule::Simple || rules.scoring == Scoring::Territory;
        let question = Question { legal: &self.legal, no_result, optimism: OPTIMISM };
        self.decoder.decode(&self.logits, question, &mut self.evaluation).unwrap();
        &self.evaluation
    }

    /// What differs, if anything does.
    fn compare(&mut self, vector: &Vector) -> Vec<String> {
        let evaluation = self.evaluate(&vector.game, vector.to_move).clone();
        let white = vector.to_move == Color::White;
        let mut differences = Vec::new();
        let mut check = |what: &str, ours: f32, theirs: f32, tolerance: f32| {
            if (ours - theirs).abs() > tolerance || !ours.is_finite() {
                differences.push(format!("{what} {ours} instead of {theirs}"));
            }
        };
        let outcome = evaluation.outcome.unwrap();
        let sign = if white { 1.0 } else { -1.0 };
        check("win rate", if white { outcome.win } else { outcome.loss }, vector.white_win, WIN_RATE);
        check("lead", sign * evaluation.lead.unwrap(), vector.white_lead, LEAD);
        check("pass", evaluation.pass, vector.pass, POLICY);
        let size = vector.game.size();
        for (i, point) in size.points().enumerate() {
            let name = point.to_gtp(size);
            let legal = f32::from(u8::from(self.legal[i]));
            check(
                &format!("legality of {name}"),
                legal,
                f32::from(u8::from(vector.policy[i].is_some())),
                0.0,
            );
            if let Some(policy) = vector.policy[i] {
                check(&format!("policy of {name}"), evaluation.policy[i], policy, POLICY);
            }
            let owner = sign * evaluation.ownership[i];
            check(&format!("owner of {name}"), owner, vector.white_ownership[i], OWNERSHIP);
        }
        differences
    }
}

/// Compares all positions of a file that a network was asked about; returns how many there were.
fn check_file(oracle: &mut Oracle, net: &str, folder: &Path, file: &str) -> usize {
    let text = unpack(&folder.join(file));
    let mut failures = String::new();
    let mut count = 0;
    for vector in vectors(&text).filter(|vector| vector.net == net) {
        count += 1;
        let differences = oracle.compare(&vector);
        if !differences.is_empty() {
            failures += &format!(
                "{file}:{} {} tests {}, {} differences: {}\n",
                vector.line,
                vector.game.size(),
                vector.tests,
                differences.len(),
                differences[..differences.len().min(4)].join("; ")
            );
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
    count
}

/// The file of a network and the folder it is in, unless they are absent.
fn find(prefix: &str) -> Option<(PathBuf, PathBuf)> {
    let folder = data()?;
    let entries = std::fs::read_dir(&folder).ok()?;
    let is_it =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix));
    let path = entries.filter_map(Result::ok).map(|entry| entry.path()).find(is_it)?;
    Some((path, folder))
}

#[test]
fn b15c192_answers_as_katago_does() {
    let Some((path, folder)) = find("g170e-b15c192") else {
        println!("skipped: no networks in ../shared/data/nets");
        return;
    };
    let mut oracle = Oracle::new(&path);
    assert_eq!(check_file(&mut oracle, "b15c192", &folder, "vectors.jsonl.zst"), 20);
}

#[test]
fn b6c96_answers_as_katago_does() {
    let Some((path, folder)) = find("g170-b6c96") else {
        println!("skipped: no networks in ../shared/data/nets");
        return;
    };
    let mut oracle = Oracle::new(&path);
    assert_eq!(check_file(&mut oracle, "b6c96", &folder, "hard.jsonl.zst"), 117);
    assert_eq!(check_file(&mut oracle, "b6c96", &folder, "vectors.jsonl.zst"), 48);
}
