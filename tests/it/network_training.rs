//! `tesuji train` and `tesuji label` as processes: killed at random moments, they end as if nothing had happened.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tesuji_board::{Color, Game, Move, Rules, Size};
use tesuji_search::Rng;
use tesuji_train::sample::{GameSample, read_samples};

fn tesuji(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    tesuji(arguments).output().unwrap()
}

fn error_of(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(!output.status.success(), "{arguments:?} worked");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs a command again and again, killed after a while that grows, until it ends by itself; how often it was killed.
fn run_with_kills(arguments: &[&str], rng: &mut Rng) -> usize {
    for kills in 0.. {
        let mut child = tesuji(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let patience = 30 + rng.below(120) + 20 * kills;
        for _ in 0..patience {
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success(), "{arguments:?}");
                return kills;
            }
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    unreachable!("a range without end");
}

/// Random games on 5×5, one a line.
fn write_games(path: &Path, count: usize) {
    let size = Size::square(5).unwrap();
    let mut rng = Rng::new(2);
    let mut text = String::new();
    for _ in 0..count {
        let mut game = Game::new(size, Rules::default());
        text += "5 6.5 0 B+2.5 ? ? ";
        for _ in 0..12 {
            let color = game.to_move();
            let legal: Vec<_> = size.points().filter(|&point| game.legality(color, point).is_ok()).collect();
            let point = legal[rng.below(legal.len())];
            game.play(color, Move::Play(point)).unwrap();
            text.extend([size.x(point), size.y(point)].map(|place| (b'a' + place as u8) as char));
        }
        text.push('\n');
    }
    fs::write(path, text).unwrap();
}

const SMALL: [&str; 10] =
    ["--blocks", "2", "--channels", "8", "--head-channels", "4", "--validation", "100", "--batch", "32"];

#[test]
fn a_network_grows_and_does_not_shrink() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    let games = at("games.txt");
    write_games(Path::new(&games), 20);
    let train = |out: &str, more: &[&str]| {
        let out = at(out);
        let mut words = vec!["train", "net", &games, "--out", &out, "--steps", "2", "--shard", "8"];
        words.extend(["--head-channels", "4", "--validation", "100", "--batch", "32"].iter().chain(more));
        run(&words)
    };
    assert!(train("small", &["--blocks", "2", "--channels", "8"]).status.success());
    let small = at("small/net.safetensors");
    let grown = train("large", &["--blocks", "3", "--channels", "12", "--grow", "--from", &small]);
    assert!(grown.status.success(), "{}", String::from_utf8_lossy(&grown.stderr));
    let info = run(&["net", "info", &at("large/net.safetensors")]);
    let info = String::from_utf8_lossy(&info.stdout).into_owned();
    assert!(info.contains("12 channels, 3 blocks"), "{info}");
    let large = at("large/net.safetensors");
    let shrunk = train("smaller", &["--blocks", "2", "--channels", "8", "--grow", "--from", &large]);
    let error = String::from_utf8_lossy(&shrunk.stderr).into_owned();
    assert!(!shrunk.status.success() && error.contains("or of a larger one"), "{error}");
}

#[test]
fn a_killed_training_ends_with_the_same_weights() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    write_games(Path::new(&at("games.txt")), 60);
    let arguments = |out: &str, every: &str, threads: &str| {
        let own = ["--steps", "60", "--shard", "8", "--report-every", "10", "--examine-every", "20"];
        let mut all =
            vec!["train".to_owned(), "net".to_owned(), at("games.txt"), "--out".to_owned(), at(out)];
        let more = ["--checkpoint-every", every, "--threads", threads];
        all.extend(SMALL.iter().chain(&own).chain(&more).map(|&word| word.to_owned()));
        all
    };
    let words = arguments("whole", "100", "1");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = run(&words);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains("step 60/60") && errors.contains("kept back"), "{errors}");
    let expected = fs::read(at("whole/net.safetensors")).unwrap();
    let curve = fs::read_to_string(at("whole/curve.csv")).unwrap();
    assert_eq!(curve.lines().count(), 7);
    assert!(fs::read_to_string(at("whole/curve.svg")).unwrap().contains("<svg"));

    let words = arguments("killed", "0", "2");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let kills = run_with_kills(&words, &mut Rng::new(4));
    assert!(kills > 0);
    assert_eq!(fs::read(at("killed/net.safetensors")).unwrap(), expected);
    // All columns but the seconds.
    let without_time = |text: &str| -> Vec<String> {
        let row = |line: &str| line.split(',').enumerate().filter(|(i, _)| *i != 1).map(|(_, v)| v).collect();
        text.lines().map(row).collect()
    };
    let found = fs::read_to_string(at("killed/curve.csv")).unwrap();
    assert_eq!(without_time(&found), without_time(&curve));

    // Another recipe in the same directory is refused, and the run stays as it is.
    let mut other = words.clone();
    other.extend(["--seed", "5"]);
    assert!(error_of(&other).contains("other settings"));
    assert_eq!(fs::read(at("killed/net.safetensors")).unwrap(), expected);
}

fn samples(path: &str) -> Vec<GameSample> {
    let mut games = Vec::new();
    assert_eq!(read_samples(Path::new(path), |game| games.push(game)).unwrap(), None);
    games
}

#[test]
fn a_killed_labelling_ends_with_the_same_games() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    let (games, run_directory) = (at("games.txt"), at("run"));
    write_games(Path::new(&games), 60);
    let mut train = vec!["train", "net", &games, "--out", &run_directory, "--steps", "5"];
    train.extend(SMALL);
    assert!(run(&train).status.success());
    let net = at("run/net.safetensors");

    // Games that the network plays.
    let (whole, killed) = (at("whole.games"), at("killed.games"));
    let play = ["--play", "200", "--size", "5", "--batch", "4"];
    let mut words = vec!["label", "--net", &net, "--out", &whole];
    words.extend(play);
    assert!(run(&words).status.success());
    let expected = samples(&whole);
    assert_eq!(expected.len(), 200);
    assert!(expected.iter().all(|game| (0..2).contains(&(game.labels.len() - game.moves.len()))));
    let mut words = vec!["label", "--net", &net, "--out", &killed, "--flush-every", "0"];
    words.extend(play);
    let kills = run_with_kills(&words, &mut Rng::new(6));
    assert!(kills > 0);
    assert_eq!(samples(&killed), expected);
    words.extend(["--seed", "9"]);
    assert!(error_of(&words).contains("other settings"));

    // Games from a file: each once, whatever the order.
    let followed = at("followed.games");
    let words = ["label", "--net", &net, "--out", &followed, &games, "--flush-every", "0", "--batch", "1"];
    run_with_kills(&words, &mut Rng::new(7));
    let found = samples(&followed);
    let mut names: Vec<u64> = found.iter().map(GameSample::identity).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!((found.len(), names.len()), (60, 60));
    assert!(found.iter().all(|game| game.labels.len() == 13 && game.first == Color::Black));

    // Positions that a search comes to, one or more for each game.
    let (whole, killed_too) = (at("explored.games"), at("explored-killed.games"));
    let explore = [games.as_str(), "--explore", &net, "--simulations", "40", "--batch", "4"];
    let mut words = vec!["label", "--net", &net, "--out", &whole];
    words.extend(explore);
    assert!(run(&words).status.success());
    let expected = samples(&whole);
    assert_eq!(expected.len(), 60);
    assert!(expected.iter().filter(|game| !game.labels.is_empty()).count() > 50);
    let mut words = vec!["label", "--net", &net, "--out", &killed_too, "--flush-every", "0"];
    words.extend(explore);
    run_with_kills(&words, &mut Rng::new(8));
    assert_eq!(samples(&killed_too), expected);
    assert!(error_of(&["label", "--net", &net, "--out", &whole, &games]).contains("other settings"));

    // Networks are compared with the labels, all of them, by the number of moves.
    let output = run(&["bench", "labels", &killed, "--net", &net, "--band", "7", "--isa", "portable"]);
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows =
        table.lines().skip(2).map(|line| line.split('|').nth(3).unwrap().trim().parse::<usize>().unwrap());
    let labels: usize = samples(&killed).iter().map(|game| game.labels.len()).sum();
    assert_eq!(rows.sum::<usize>(), labels, "{table}");
    assert!(error_of(&["bench", "labels", &games, "--net", &net]).contains("no labels"));

    // Playouts are balanced by them, killed or not.
    let (balanced, balanced_too) = (at("balanced.bin"), at("balanced-too.bin"));
    let small =
        "--size 5 --rounds 4 --steps 3 --positions 24 --playouts 8 --test-positions 30 --test-playouts 8";
    let balance = |out: &str| {
        let words = ["train", "balance", &killed, "--out", out].into_iter().chain(small.split(' '));
        words.map(str::to_owned).collect::<Vec<String>>()
    };
    let words = balance(&balanced);
    assert!(run(&words.iter().map(String::as_str).collect::<Vec<_>>()).status.success());
    let words = balance(&balanced_too);
    run_with_kills(&words.iter().map(String::as_str).collect::<Vec<_>>(), &mut Rng::new(9));
    assert_eq!(fs::read(&balanced_too).unwrap(), fs::read(&balanced).unwrap());
    let refused = error_of(&["train", "balance", &games, "--out", &at("none.bin"), "--size", "5"]);
    assert!(refused.contains("opinion") || refused.contains("label"), "{refused}");

    // What was labelled can be learned from.
    let again = at("again");
    let mut train = vec!["train", "net", &killed, &followed, "--out", &again, "--steps", "5"];
    train.extend(SMALL);
    assert!(run(&train).status.success());
}

#[test]
fn the_papers_pipeline_comes_to_the_same_though_it_is_killed() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    let games = at("games.txt");
    write_games(Path::new(&games), 60);
    let mut sl = vec!["train", "sl", &games, "--steps", "10"];
    sl.extend(SMALL);
    let sl_out = at("sl");
    sl.extend(["--out", &sl_out]);
    let output = run(&sl);
    assert!(String::from_utf8_lossy(&output.stdout).contains("best move"), "{output:?}");
    let sl_net = at("sl/net.safetensors");

    let rl = |out: &str, every: &str| {
        let words = "--size 5 --komi 0.5 --iterations 12 --games 8 --batch 32 --pool-every 4 --examine-every 6 --examined 20";
        let own = ["train", "rl", "--from", &sl_net, "--checkpoint-every", every, "--out", out];
        own.into_iter().chain(words.split(' ')).map(str::to_owned).collect::<Vec<String>>()
    };
    let (whole, killed) = (at("rl"), at("rl-killed"));
    let words = rl(&whole, "100");
    let output = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(String::from_utf8_lossy(&output.stdout).contains("of 20 games"), "{output:?}");
    let words = rl(&killed, "0");
    run_with_kills(&words.iter().map(String::as_str).collect::<Vec<_>>(), &mut Rng::new(8));
    for name in ["net.safetensors", "curve.csv"] {
        let read = |directory: &str| fs::read(Path::new(directory).join(name)).unwrap();
        assert_eq!(read(&killed), read(&whole), "{name}");
    }

    let rl_net = at("rl/net.safetensors");
    let (whole, killed) = (at("value.games"), at("killed.games"));
    let data = |out: &str| {
        let own = ["train", "value-data", "--sl", &sl_net, "--rl", &rl_net, "--out", out];
        let more = ["--size", "5", "--games", "600", "--latest", "9"];
        own.into_iter().chain(more).map(str::to_owned).collect::<Vec<String>>()
    };
    assert!(run(&data(&whole).iter().map(String::as_str).collect::<Vec<_>>()).status.success());
    run_with_kills(&data(&killed).iter().map(String::as_str).collect::<Vec<_>>(), &mut Rng::new(9));
    assert_eq!(samples(&killed), samples(&whole));
    assert!(samples(&whole).iter().all(|game| game.labels.len() == 1));

    let out = at("value");
    let mut value = vec!["train", "value", &whole, "--steps", "10", "--out", &out];
    value.extend(SMALL);
    let output = run(&value);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("winner") && told.contains("squared error"), "{output:?}");
}

#[test]
fn what_cannot_be_learned_from_or_labelled_is_said() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    let (games, out) = (at("games.txt"), at("run"));
    assert!(error_of(&["train", "net", &games, "--out", &out]).contains("games.txt"));
    fs::write(&games, "this is no game\n").unwrap();
    let error = error_of(&["train", "net", &games, "--out", &out]);
    assert!(error.contains("line 1") && error.contains("no position to learn from"), "{error}");
    write_games(Path::new(&games), 9);
    assert!(error_of(&["train", "net", &games, "--out", &out, "--channels", "0"]).contains("channel"));
    assert!(
        error_of(&["train", "net", &games, "--out", &out, "--losses", "luck=1"]).contains("unknown loss")
    );
    assert!(error_of(&["label", "--net", &games, "--out", &out, &games]).contains("games.txt"));
    assert!(error_of(&["label", "--net", &at("nowhere"), "--out", &out, &games]).contains("nowhere"));
    assert!(!Path::new(&out).exists());
}
