//! Child processes, good and bad. The bad ones are shell scripts in which `$id` and `$cmd` are the command
//! read.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tesuji_gtp::{Client, ClientError, Echo};

/// Enough for a process to start on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// Too short for an engine that never answers.
const SHORT: Duration = Duration::from_millis(300);

/// An engine that runs `body` for every command it reads.
fn engine(body: &str) -> Client {
    script(&format!("while read -r id cmd args; do {body}\ndone"))
}

fn script(text: &str) -> Client {
    Client::spawn(&format!("sh -c '{text}'"), Echo::Silent).expect("sh starts")
}

#[test]
fn answers_and_refusals() {
    let mut client = engine(
        r#"case $cmd in
            name) printf "=$id Test Engine\n\n";;
            crlf) printf "=$id a\r\nb\r\n\r\n";;
            board) printf "\n\n=$id\n  A B\n \n1 . .\n\n";;
            *) printf "?$id unknown command\nreally\n\n";;
        esac"#,
    );
    assert_eq!(client.send("name", LONG).expect("an answer"), "Test Engine");
    assert_eq!(client.send("crlf", LONG).expect("an answer"), "a\nb");
    assert_eq!(client.send("board x", Duration::MAX).expect("an answer"), "  A B\n \n1 . .");
    match client.send("nonsense", LONG) {
        Err(ClientError::Refused(text)) => assert_eq!(text, "unknown command\nreally"),
        other => panic!("{other:?}"),
    }
    assert_eq!(client.send("name", LONG).expect("still in step"), "Test Engine");
}

#[test]
fn knows_the_list_of_commands_after_one_question() {
    let mut client = engine(
        r#"test $cmd = list_commands || exit 1
           test $id = 1 || exit 2
           printf "=$id name\nkata-analyze\nquit\n\n""#,
    );
    assert!(client.supports("kata-analyze", LONG).expect("a list"));
    assert!(!client.supports("analyze", LONG).expect("the cached list"));
}

#[test]
fn a_hung_engine_is_a_timeout_and_its_late_answer_is_skipped() {
    let mut client = engine(
        r#"test $cmd = slow && sleep 1
           printf "=$id $cmd\n\n""#,
    );
    match client.send("slow", SHORT) {
        Err(ClientError::Timeout { command, limit }) => assert_eq!((&command[..], limit), ("slow", SHORT)),
        other => panic!("{other:?}"),
    }
    assert_eq!(client.send("fast", LONG).expect("the second answer"), "fast");
}

#[test]
fn a_timeout_inside_an_answer_leaves_the_client_in_step() {
    let mut client = engine(
        r#"printf "=$id one\n"
           test $cmd = slow && sleep 1
           printf "two\n\n""#,
    );
    assert!(matches!(client.send("slow", SHORT), Err(ClientError::Timeout { .. })));
    assert_eq!(client.send("fast", LONG).expect("the second answer"), "one\ntwo");
}

#[test]
fn an_engine_that_reads_nothing_cannot_block_us() {
    let mut client = script("exec sleep 60");
    let start = Instant::now();
    let long = "x".repeat(1_000_000);
    assert!(matches!(client.send(&format!("echo {long}"), SHORT), Err(ClientError::Timeout { .. })));
    drop(client);
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_crash_in_the_middle_of_an_answer_tells_status_and_last_words() {
    let mut client = script(r#"read -r line; printf "=1 half"; echo "out of memory" >&2; exit 3"#);
    for _ in 0..2 {
        match client.send("genmove b", LONG) {
            Err(ClientError::Crashed { status: Some(status), stderr }) => {
                assert_eq!(status.code(), Some(3));
                assert_eq!(stderr, ["out of memory"]);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_engine_that_ends_at_once_is_a_crash() {
    let error = script("exit 7").send("name", LONG).expect_err("no answer");
    assert!(error.to_string().contains('7'), "{error}");
}

#[test]
fn an_engine_without_output_is_killed() {
    let mut client = script("exec >&-; exec sleep 60");
    for _ in 0..2 {
        match client.send("name", LONG) {
            Err(ClientError::Crashed { status: None, .. }) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn garbage_and_wrong_ids_are_protocol_errors() {
    for answer in ["Hello", "= no id", "=77 other id", "=x", "=99999999999 x", "info"] {
        let mut client = engine(&format!(r#"printf "{answer}\n\n""#));
        match client.send("name", LONG) {
            Err(ClientError::Protocol(text)) => assert!(text.contains(answer), "{text}"),
            other => panic!("{answer}: {other:?}"),
        }
    }
}

#[test]
fn a_banner_costs_one_answer_only() {
    let mut client = script(
        r#"echo "Welcome"
           while read -r id cmd; do printf "=$id $cmd\n\n"; done"#,
    );
    assert!(matches!(client.send("name", LONG), Err(ClientError::Protocol(_))));
    assert_eq!(client.send("version", LONG).expect("in step again"), "version");
}

#[test]
fn an_endless_talker_ends_in_an_error() {
    for head in ["", "=1 \\n"] {
        let mut client = script(&format!(r#"read -r line; printf "{head}"; exec yes info"#));
        let error = client.send("name", Duration::from_secs(1)).expect_err("no end, no answer");
        assert!(matches!(error, ClientError::Protocol(_) | ClientError::Timeout { .. }), "{error}");
    }
    let mut one_line = script("exec cat /dev/zero");
    assert!(matches!(one_line.send("name", SHORT), Err(ClientError::Timeout { .. })));
}

#[test]
fn a_flood_of_errors_does_not_block_the_engine() {
    let mut client = engine(
        r#"i=0; while test $i -lt 5000; do echo "progress $i ........................" >&2; i=$((i+1)); done
           printf "=$id done\n\n""#,
    );
    assert_eq!(client.send("load", LONG).expect("an answer"), "done");
    let start = Instant::now();
    while !client.stderr_tail().last().is_some_and(|line| line.starts_with("progress 4999")) {
        assert!(start.elapsed() < LONG, "{:?}", client.stderr_tail());
    }
    assert_eq!(client.stderr_tail().len(), 50);
}

#[test]
fn a_stream_is_stopped_by_an_empty_line() {
    let mut client = script(
        r#"read -r id cmd
           printf "=$id \ninfo 1\ninfo 2\n"
           read -r line
           test -z "$line" || exit 1
           printf "play D4\n\n"
           read -r id cmd; printf "=$id ok\n\n""#,
    );
    let mut lines = Vec::new();
    let streamed = client.stream("analyze", LONG, |line| {
        lines.push(line.to_owned());
        if line == "info 2" { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(streamed.is_ok(), "{streamed:?}");
    assert_eq!(lines, ["info 1", "info 2", "play D4"]);
    assert_eq!(client.send("name", LONG).expect("in step"), "ok");
}

#[test]
fn what_is_not_one_command_is_not_sent() {
    let mut client = engine(r#"printf "=$id $id\n\n""#);
    for command in ["", "  ", "# interrupt", "7 name", "name\nquit", "12"] {
        assert!(matches!(client.send(command, LONG), Err(ClientError::Protocol(_))), "{command:?}");
    }
    assert_eq!(client.send("name", LONG).expect("an answer"), "1");
}

#[test]
fn quitting() {
    let polite = engine(r#"printf "=$id\n\n"; exit 4"#);
    assert_eq!(polite.quit(LONG).expect("it ends").code(), Some(4));
    let hasty = engine("exit 5");
    assert_eq!(hasty.quit(LONG).expect("it ends").code(), Some(5));
    let waits_for_end_of_input = engine(r#"printf "=$id\n\n""#);
    assert_eq!(waits_for_end_of_input.quit(LONG).expect("it ends").code(), Some(0));
    let stubborn = script(r#"read -r id cmd; printf "=$id\n\n"; exec sleep 60"#);
    assert!(matches!(stubborn.quit(SHORT), Err(ClientError::Timeout { .. })));
}

#[test]
fn dropping_ends_the_process() {
    let client = script("exec sleep 60");
    let process = client.process_id();
    let alive = || {
        let status =
            std::process::Command::new("sh").args(["-c", &format!("kill -0 {process} 2>&-")]).status();
        status.expect("sh starts").success()
    };
    assert!(alive());
    drop(client);
    assert!(!alive(), "neither running nor a zombie");
}

#[test]
fn engines_that_cannot_start() {
    for (line, reason) in [
        ("", "empty"),
        ("   ", "empty"),
        ("'open", "not closed"),
        ("no-such-engine-anywhere --gtp", "no-such-engine-anywhere"),
        ("/", "/"),
    ] {
        match Client::spawn(line, Echo::Silent) {
            Err(ClientError::Spawn(text)) => assert!(text.contains(reason), "{text}"),
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn gnugo_plays() {
    // Debian keeps games out of the usual path.
    let started = ["gnugo", "/usr/games/gnugo"]
        .iter()
        .find_map(|program| Client::spawn(&format!("{program} --mode gtp --level 1"), Echo::Silent).ok());
    let Some(mut client) = started else {
        assert!(std::env::var_os("CI").is_none(), "gnugo must be installed for continuous integration");
        // Past the harness, which hides what a passing test prints.
        let _ = writeln!(
            std::io::stderr(),
            "test with GNU Go skipped, nothing was played: gnugo is not installed"
        );
        return;
    };
    assert_eq!(client.send("name", LONG).expect("a name"), "GNU Go");
    assert_eq!(client.send("protocol_version", LONG).expect("a version"), "2");
    assert!(client.supports("genmove", LONG).expect("a list"));
    assert!(!client.supports("kata-analyze", LONG).expect("a list"));
    client.send("boardsize 9", LONG).expect("a board");
    client.send("play b E5", LONG).expect("a legal move");
    assert!(matches!(client.send("play w E5", LONG), Err(ClientError::Refused(_))));
    assert!(!client.send("genmove w", LONG).expect("a move").is_empty());
    assert!(client.send("showboard", LONG).expect("a board").lines().count() > 9);
    assert!(client.quit(LONG).expect("it ends").success());
}
