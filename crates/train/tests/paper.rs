//! The Cygo paper's two networks at full size: built, trained for some steps, saved, loaded and asked.

use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tesuji_board::{Color, Game, Move, Rules, Size};
use tesuji_net::input::Line;
use tesuji_net::model::{Model, paper_policy, paper_value};
use tesuji_net::{Isa, Reader, load};
use tesuji_search::Rng;
use tesuji_train::network::Normalization;
use tesuji_train::optimizer::{Optimizer, Rule, Schedule, Shape};
use tesuji_train::run::{NewData, Pace, Recipe, Trainer};
use tesuji_train::sample::{GameEnd, GameSample, SampleSet, Side, Split};
use tesuji_train::{Cut, LossWeights, Method, Mix};

fn size() -> Size {
    Size::square(9).unwrap()
}

/// One random game that Black wins.
fn set() -> SampleSet {
    let mut rng = Rng::new(1);
    let mut sample = GameSample::new(size(), Rules::default());
    let mut game = Game::new(size(), sample.rules);
    for _ in 0..30 {
        let color = game.to_move();
        let legal: Vec<_> = size().points().filter(|&point| game.legality(color, point).is_ok()).collect();
        let mv = Move::Play(legal[rng.below(legal.len())]);
        game.play(color, mv).unwrap();
        sample.moves.push((color, mv));
    }
    sample.end = GameEnd::Win(Color::Black);
    let mut set = SampleSet::default();
    set.add(&sample, Side::Training);
    set
}

fn train_and_load(model: Model) -> Model {
    let root = tempfile::tempdir().unwrap();
    let recipe = Recipe {
        model,
        normalization: Normalization::Fixed,
        method: Method {
            steps: 6,
            optimizer: Optimizer {
                rule: Rule::SGD,
                schedule: Schedule { rate: 0.01, warm_up: 0, shape: Shape::Constant },
                weight_decay: 0.0,
                clip: 1.0,
            },
            losses: LossWeights::default(),
            average_decay: 0.0,
            statistics_decay: 0.9,
            cut: Cut { shard: 8, lanes: 2 },
        },
        batch: 8,
        mix: Mix::default(),
        split: Split { validation: 0 },
        examined: 0,
        examine_every: 100,
        report_every: 1,
        seed: 1,
    };
    let (set, pace) = (set(), Pace { threads: 2, checkpoint_every: Duration::from_secs(999) });
    let mut trainer = Trainer::open(root.path(), recipe, &set, None, NewData::Refuse, pace).unwrap();
    assert!(trainer.run(&AtomicBool::new(false), |_| ()).unwrap());
    let loaded = load(&root.path().join("net.safetensors")).unwrap();
    assert_eq!(loaded, trainer.export());
    loaded
}

#[test]
fn both_networks_go_all_the_way() {
    let game = Game::new(size(), Rules::default());
    let line = Line::from_game(&game, Color::Black);
    let policy = train_and_load(paper_policy(9, 9));
    // 5×5 × 48 planes and eleven 3×3 layers of 192 channels, one 1×1, biases, and scales that stay parameters here.
    assert_eq!(policy.parameters(), 25 * 48 * 192 + 11 * 9 * 192 * 192 + 192 + 12 * 2 * 192 + 81);
    let mut seat = Reader::new(&policy, Isa::best_exact()).unwrap().seat(size(), 1).unwrap();
    seat.add(&line.view(), 0);
    seat.evaluate(0.0).unwrap();
    let sum: f32 = seat.evaluation(0).policy.iter().sum();
    assert!((sum - 1.0).abs() < 1e-4, "{sum}");

    let value = train_and_load(paper_value(9, 9));
    let mut seat = Reader::new(&value, Isa::best_exact()).unwrap().seat(size(), 1).unwrap();
    seat.add(&line.view(), 0);
    seat.evaluate(0.0).unwrap();
    // Black won the only game there is.
    let win = seat.evaluation(0).outcome.unwrap().win;
    assert!(win > 0.5 && win <= 1.0, "{win}");
}
