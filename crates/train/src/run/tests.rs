use super::*;
use crate::Mix;
use crate::learner::Method;
use crate::loss::LossWeights;
use crate::network::Normalization;
use crate::optimizer::{Optimizer, Rule, Schedule, Shape};
use crate::pass::Cut;
use crate::sample::{GameEnd, GameSample, SampleSet, Split};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tesuji_board::{Color, Game, Move, Rules, Size};
use tesuji_net::model::{ResidualPlan, residual};
use tesuji_search::Rng;

const STEPS: u64 = 40;

/// Games on two sizes in which Black's moves can be foreseen: always the first legal point.
fn games(count: usize) -> SampleSet {
    let split = Split { validation: 200 };
    let mut set = SampleSet::default();
    let mut rng = Rng::new(1);
    for number in 0..count {
        let size = Size::square(if number % 3 == 0 { 5 } else { 6 }).unwrap();
        let mut sample = GameSample::new(size, Rules::default());
        let mut game = Game::new(size, sample.rules);
        for _ in 0..16 {
            let color = game.to_move();
            let mut legal = size.points().filter(|&point| game.legality(color, point).is_ok());
            let skip = if color == Color::Black { 0 } else { rng.below(9) };
            let mv = legal.nth(skip).map_or(Move::Pass, Move::Play);
            game.play(color, mv).unwrap();
            sample.moves.push((color, mv));
        }
        sample.end = GameEnd::Score(rng.below(9) as f32 - 4.5);
        let side = split.side(&sample);
        set.add(&sample, side);
    }
    set
}

fn recipe(rule: Rule) -> Recipe {
    let plan = ResidualPlan { head_channels: 4, hidden: 8, ..ResidualPlan::new(3, 8) };
    Recipe {
        model: residual("test", &plan),
        normalization: Normalization::Batch,
        method: Method {
            steps: STEPS,
            optimizer: Optimizer {
                rule,
                schedule: Schedule { rate: 0.01, warm_up: 5, shape: Shape::Cosine { floor: 0.1 } },
                weight_decay: 1e-3,
                clip: 1.0,
            },
            losses: LossWeights::default(),
            average_decay: 0.9,
            statistics_decay: 0.9,
            cut: Cut { shard: 5, lanes: 2 },
        },
        batch: 24,
        mix: Mix::default(),
        split: Split { validation: 200 },
        examined: 40,
        examine_every: 20,
        report_every: 10,
        seed: 7,
    }
}

fn pace(threads: usize, checkpoint_every: Duration) -> Pace {
    Pace { threads, checkpoint_every }
}

/// Runs to the end; returns the last checkpoint and the bytes of the network.
fn run_to_end(directory: &Path, recipe: &Recipe, set: &SampleSet, threads: usize) -> (Checkpoint, Vec<u8>) {
    let pace = pace(threads, Duration::from_secs(999));
    let mut trainer = Trainer::open(directory, recipe.clone(), set, None, NewData::Refuse, pace).unwrap();
    assert!(trainer.run(&AtomicBool::new(false), |_| ()).unwrap());
    result(directory)
}

fn result(directory: &Path) -> (Checkpoint, Vec<u8>) {
    let mut checkpoint = Checkpoint::read(&directory.join("checkpoint")).unwrap().unwrap();
    checkpoint.seconds = 0.0;
    checkpoint.curve.rows.iter_mut().for_each(|row| row.seconds = 0.0);
    (checkpoint, fs::read(directory.join("net.safetensors")).unwrap())
}

#[test]
fn a_run_learns_and_ends_alike_however_often_it_was_stopped() {
    let set = games(30);
    for rule in [Rule::ADAM, Rule::SGD] {
        let recipe = recipe(rule);
        let root = tempfile::tempdir().unwrap();
        let expected = run_to_end(&root.path().join("whole"), &recipe, &set, 1);
        let rows = &expected.0.curve.rows;
        assert_eq!(rows.iter().map(|row| row.step).collect::<Vec<_>>(), [10, 20, 30, 40]);
        assert_eq!(rows.iter().filter(|row| row.validation.is_some()).count(), 2);
        let loss = |row: &Row| row.training.policy.loss().unwrap();
        assert!(loss(&rows[3]) < loss(&rows[0]), "{} to {}", loss(&rows[0]), loss(&rows[3]));
        assert_eq!(run_to_end(&root.path().join("threads"), &recipe, &set, 2), expected);

        // Stopped after some steps, again and again; each part opens the directory anew.
        let parts = root.path().join("parts");
        let mut rng = Rng::new(3);
        for part in 0.. {
            let pace = pace(1 + part % 2, Duration::ZERO);
            let opened = Trainer::open(&parts, recipe.clone(), &set, None, NewData::Refuse, pace);
            let mut trainer = opened.unwrap();
            let stop = AtomicBool::new(false);
            let mut saves = rng.below(7);
            let is_done = trainer.run(&stop, |event| {
                // A checkpoint follows every step here.
                if let Event::Saved { .. } = event {
                    stop.store(saves == 0, Ordering::Relaxed);
                    saves = saves.saturating_sub(1);
                }
            });
            if is_done.unwrap() {
                assert!(part > 5, "{part}");
                break;
            }
        }
        assert_eq!(result(&parts), expected);
    }
}

/// A kill loses all that is not in the files; whatever moment of the files is left, the rest of the run is the same.
#[test]
fn any_old_checkpoint_leads_to_the_same_end() {
    let set = games(20);
    let recipe = recipe(Rule::ADAM);
    let root = tempfile::tempdir().unwrap();
    let whole = root.path().join("whole");
    let (mut saved, path) = (Vec::new(), whole.join("checkpoint"));
    let opened = Trainer::open(&whole, recipe.clone(), &set, None, NewData::Refuse, pace(1, Duration::ZERO));
    let watch = |event: Event<'_>| {
        if let Event::Saved { .. } = event {
            saved.push(fs::read(&path).unwrap());
        }
    };
    opened.unwrap().run(&AtomicBool::new(false), watch).unwrap();
    let expected = result(&whole);
    for step in [0, 8, 9, 25, 38] {
        let other = root.path().join(step.to_string());
        fs::create_dir(&other).unwrap();
        fs::write(other.join("checkpoint"), &saved[step]).unwrap();
        fs::write(other.join("checkpoint.partial"), &saved[step][..99]).unwrap();
        assert_eq!(run_to_end(&other, &recipe, &set, 2), expected);
    }
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let set = games(20);
    let root = tempfile::tempdir().unwrap();
    let open = |recipe: Recipe, set: &SampleSet, new_data| {
        let pace = pace(1, Duration::from_secs(999));
        Trainer::open(root.path(), recipe, set, None, new_data, pace).map(|trainer| trainer.step())
    };
    let own = recipe(Rule::ADAM);
    run_to_end(root.path(), &own, &set, 1);
    let other = Recipe { batch: 25, ..own.clone() };
    assert!(matches!(open(other, &set, NewData::Refuse), Err(RunError::OtherRecipe(_))));
    let more = games(21);
    assert!(matches!(open(own.clone(), &more, NewData::Refuse), Err(RunError::OtherData(_))));
    assert_eq!(open(own.clone(), &more, NewData::Accept).unwrap(), STEPS);
    let stranger = tesuji_net::model::residual("other", &ResidualPlan::new(1, 4));
    let begun = Trainer::open(
        &root.path().join("new"),
        own.clone(),
        &set,
        Some(&stranger),
        NewData::Refuse,
        pace(1, Duration::ZERO),
    );
    assert!(matches!(begun.err(), Some(RunError::OtherNetwork)));
    let nothing = SampleSet::default();
    assert!(matches!(open(own.clone(), &nothing, NewData::Refuse), Err(RunError::NoData)));
    let mut model = tesuji_net::model::paper_policy(9, 9);
    model.input.planes.truncate(1);
    model.trunk.stem.inputs = 1;
    let paper = Recipe { model, ..own.clone() };
    assert!(matches!(open(paper, &set, NewData::Refuse), Err(RunError::Board(_))));
    let path = root.path().join("checkpoint");
    let bytes = fs::read(&path).unwrap();
    for (damaged, expected) in
        [(&bytes[..bytes.len() - 1], "cut"), (&b"TSJCHK01"[..], "cut"), (b"?", "not a")]
    {
        fs::write(&path, damaged).unwrap();
        let error = open(own.clone(), &set, NewData::Refuse).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn numbers_that_leave_their_range_end_the_run_and_keep_the_last_checkpoint() {
    let set = games(20);
    let root = tempfile::tempdir().unwrap();
    let mut recipe = recipe(Rule::SGD);
    recipe.method.optimizer.schedule.rate = 1e30;
    recipe.method.optimizer.clip = 0.0;
    let opened =
        Trainer::open(root.path(), recipe.clone(), &set, None, NewData::Refuse, pace(1, Duration::ZERO));
    let error = opened.unwrap().run(&AtomicBool::new(false), |_| ()).unwrap_err();
    assert!(matches!(error, RunError::Diverged(_)), "{error}");
    assert!(error.to_string().contains("diverged"));
    // The checkpoint before the failing step is whole, and its numbers are numbers.
    let checkpoint = Checkpoint::read(&root.path().join("checkpoint")).unwrap();
    if let Some(checkpoint) = checkpoint {
        assert!(checkpoint.state.parameters.iter().all(|value| value.is_finite()));
    }
}

/// With steps of one length a run may be made longer, and learn from new data on the way.
#[test]
fn a_run_without_end_takes_more_steps_and_new_data() {
    let root = tempfile::tempdir().unwrap();
    let mut own = recipe(Rule::SGD);
    own.method.optimizer.schedule.shape = Shape::Constant;
    let (first, second) = (games(20), games(25));
    run_to_end(root.path(), &own, &first, 1);
    own.method.steps = STEPS + 20;
    let pace = pace(1, Duration::ZERO);
    let open =
        |recipe: &Recipe| Trainer::open(root.path(), recipe.clone(), &second, None, NewData::Accept, pace);
    assert!(open(&own).unwrap().run(&AtomicBool::new(false), |_| ()).unwrap());
    let (checkpoint, _) = result(root.path());
    assert_eq!((checkpoint.state.step, checkpoint.data_since), (STEPS + 20, STEPS));
    assert_eq!(checkpoint.curve.rows.last().map(|row| row.step), Some(STEPS + 20));
    own.method.optimizer.schedule.rate *= 2.0;
    assert!(open(&own).is_ok(), "a new part of the run may have a new rate");
    own.method.optimizer.rule = Rule::ADAM;
    assert!(matches!(open(&own), Err(RunError::OtherRecipe(_))), "another optimiser remembers other things");
}

/// A run whose rate falls gets other settings only where somebody says that a new part of it begins.
#[test]
fn a_new_part_of_a_run_may_have_other_settings() {
    let root = tempfile::tempdir().unwrap();
    let mut own = recipe(Rule::ADAM);
    let set = games(20);
    run_to_end(root.path(), &own, &set, 1);
    own.method.steps = STEPS + 20;
    own.model.provenance.data = "other games".to_owned();
    let pace = pace(1, Duration::ZERO);
    let open = |new_data| Trainer::open(root.path(), own.clone(), &set, None, new_data, pace);
    assert!(matches!(open(NewData::Refuse), Err(RunError::OtherRecipe(_))));
    assert!(open(NewData::Accept).unwrap().run(&AtomicBool::new(false), |_| ()).unwrap());
    let (checkpoint, _) = result(root.path());
    assert_eq!((checkpoint.state.step, checkpoint.state.schedule_since), (STEPS + 20, STEPS));
    // The schedule of the new part is one of its own: from a short first step to the longest, and down to a tenth of it.
    let rates: Vec<f32> = checkpoint.curve.rows.iter().map(|row| row.rate).collect();
    let schedule = &own.method.optimizer.schedule;
    let expected = [(9, STEPS), (19, STEPS), (29, STEPS), (39, STEPS), (9, 20), (19, 20)];
    assert_eq!(rates, expected.map(|(step, steps)| schedule.rate(step, steps)));
    assert_eq!(open(NewData::Accept).unwrap().step(), STEPS + 20, "it does not begin again");
}

/// `/dev/full` is a disk without space.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_and_the_last_checkpoint_stays() {
    let set = games(20);
    let root = tempfile::tempdir().unwrap();
    let own = recipe(Rule::ADAM);
    let path = root.path().join("checkpoint");
    let stop = AtomicBool::new(false);
    let open = || {
        let pace = pace(1, Duration::ZERO);
        Trainer::open(root.path(), own.clone(), &set, None, NewData::Refuse, pace).unwrap()
    };
    open().run(&stop, |_| stop.store(true, Ordering::Relaxed)).unwrap();
    let before = fs::read(&path).unwrap();
    std::os::unix::fs::symlink("/dev/full", root.path().join("checkpoint.partial")).unwrap();
    let error = open().run(&AtomicBool::new(false), |_| ()).unwrap_err();
    assert!(error.to_string().contains("checkpoint: No space left"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
    // With space again the run goes on.
    _ = fs::remove_file(root.path().join("checkpoint.partial"));
    assert!(open().run(&AtomicBool::new(false), |_| ()).unwrap());
}
