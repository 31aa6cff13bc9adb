//! Scripts in, exact bytes out.

use std::io::{self, BufReader, Cursor, Read, Write};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_gtp::{CommandTable, End, StopOn, serve};

/// Longer than any test runs; a wait that reaches it has failed.
const LONG: Duration = Duration::from_secs(60);

#[derive(Default)]
struct Engine {
    calls: u32,
    pondered: u32,
}

fn table() -> CommandTable<Engine> {
    let mut table = CommandTable::new();
    table.add("echo", |_, command, _| Ok(command.arg_text.clone()));
    table.add("count", |engine: &mut Engine, _, _| {
        engine.calls += 1;
        Ok(engine.calls.to_string())
    });
    table.add("board", |_, _, _| Ok("\nA B\n\n1 .\n".to_owned()));
    table.add("fail", |_, _, _| Err("not\n\ntoday".to_owned()));
    table.add("panic", |engine: &mut Engine, command, _| {
        engine.calls += 1;
        panic!("{}", command.arg_text)
    });
    // Runs until any line arrives.
    table.add("analyze", |_, _, session| {
        session.write_line("info move D4\n\npv D4");
        assert!(session.wait_input(LONG));
        Ok(String::new())
    });
    // Runs until it is interrupted, whatever else arrives.
    table.add("search", |_, _, session| {
        let stop = session.stop_flag(StopOn::Interrupt);
        let start = Instant::now();
        while !stop.load(Ordering::Acquire) {
            assert!(start.elapsed() < LONG);
            thread::sleep(Duration::from_millis(1));
        }
        Ok("D4".to_owned())
    });
    table.add("genmove_analyze", |_, _, session| {
        session.begin_stream();
        session.write_line("info");
        Ok("play D4".to_owned())
    });
    table.add("stream_fail", |_, _, session| {
        session.write_line("info");
        Err("too late".to_owned())
    });
    table.add("stream_panic", |_, _, session| {
        session.begin_stream();
        panic!("too late")
    });
    table
}

#[track_caller]
fn check(script: impl AsRef<[u8]>, expected: &str) {
    let mut output = Vec::new();
    let input = Cursor::new(script.as_ref().to_vec());
    let end = serve(&table(), &mut Engine::default(), input, &mut output);
    assert_eq!(String::from_utf8_lossy(&output), expected);
    assert!(matches!(end, Ok(End::Quit | End::EndOfInput)), "{end:?}");
}

#[test]
fn protocol_commands() {
    check("protocol_version\n", "= 2\n\n");
    check("1 known_command echo\n2 known_command quit\n", "=1 true\n\n=2 true\n\n");
    check("known_command Echo\n", "= false\n\n");
    check("3 known_command\n", "?3 expected command name as argument 1\n\n");
    check("nonsense 1 2\n", "? unknown command\n\n");
    check(
        "list_commands\n",
        "= analyze\nboard\ncount\necho\nfail\ngenmove_analyze\nknown_command\nlist_commands\npanic\n\
         protocol_version\nquit\nsearch\nstream_fail\nstream_panic\n\n",
    );
}

#[test]
fn line_ends_ids_comments_and_blanks() {
    check("", "");
    check("\n\n  \r\n# comment\n# interrupt\n", "");
    check("1 echo a\r\n2 echo b\r\n", "=1 a\n\n=2 b\n\n");
    check("echo last", "= last\n\n");
    check("  \t 5\techo\ta  b \t# rest\n", "=5 a  b\n\n");
    check(b"echo \xff\x00\x07!\n", "= \u{fffd}!\n\n");
    check("99999999999 echo a\necho b\n", "? command id out of range\n\n= b\n\n");
    check("12\n", "?12 missing command name\n\n");
    check("echo\n", "= \n\n");
}

#[test]
fn bodies_cannot_end_an_answer_early() {
    check("1 board\n", "=1 \nA B\n1 .\n\n");
    check("2 fail\n", "?2 not\ntoday\n\n");
}

#[test]
fn pipelined_commands_are_answered_in_order() {
    let script: String = (1..=3000).map(|id| format!("{id} count\n")).collect();
    let expected: String = (1..=3000).map(|id| format!("={id} {id}\n\n")).collect();
    check(script, &expected);
}

#[test]
fn nothing_is_answered_after_quit() {
    check("1 quit\n2 echo a\n", "=1 \n\n");
}

#[test]
fn a_line_too_long_is_refused_and_the_next_one_served() {
    check(format!("1 echo {}\n2 echo b\n", "x".repeat(2_000_000)), "?1 line too long\n\n=2 b\n\n");
    check(format!("#{}\n2 echo b\n", "x".repeat(2_000_000)), "=2 b\n\n");
    let long = "x".repeat(500_000);
    check(format!("echo {long}"), &format!("= {long}\n\n"));
}

#[test]
fn a_panic_is_an_answer_and_the_state_survives() {
    check("1 panic no\n\n2 count\n", "?1 internal error: no\n\n=2 2\n\n");
    check("1 stream_panic\n2 echo a\n", "=1 \n\n=2 a\n\n");
}

#[test]
fn streamed_answers() {
    check("7 genmove_analyze\n", "=7 \ninfo\nplay D4\n\n");
    check("8 stream_fail\n", "=8 \ninfo\n\n");
}

#[test]
fn any_line_ends_an_analysis() {
    for stop in ["\n", "\r\n", "# interrupt\n", "# comment\n", "12345678901 x\n", ""] {
        let mut output = Vec::new();
        let script = format!("1 analyze\n{stop}");
        let end = serve(&table(), &mut Engine::default(), Cursor::new(script), &mut output);
        assert!(matches!(end, Ok(End::EndOfInput)));
        let printed = String::from_utf8_lossy(&output);
        assert!(printed.starts_with("=1 \ninfo move D4\npv D4\n\n"), "{stop:?}: {printed}");
    }
    check("analyze\n2 echo a\n", "= \ninfo move D4\npv D4\n\n=2 a\n\n");
}

#[test]
fn only_an_interrupt_ends_a_search() {
    check("1 search\n2 echo a\n# interrupt\n", "=1 D4\n\n=2 a\n\n");
    // One that is too late concerns nobody.
    check("1 echo a\n# interrupt\n2 echo b\n", "=1 a\n\n=2 b\n\n");
}

#[test]
fn an_interrupt_reaches_a_running_analysis() {
    let (lines, input) = mpsc::channel::<&str>();
    let output = SharedOutput::default();
    let server = {
        let output = output.clone();
        thread::spawn(move || serve(&table(), &mut Engine::default(), typed(input), output))
    };
    lines.send("1 analyze\n").expect("the server reads");
    output.wait_for("=1 \ninfo move D4\npv D4\n");
    thread::sleep(Duration::from_millis(20));
    assert_eq!(output.text(), "=1 \ninfo move D4\npv D4\n", "the analysis must not end by itself");
    lines.send("# interrupt\n").expect("the server reads");
    output.wait_for("=1 \ninfo move D4\npv D4\n\n");
    lines.send("2 quit\n").expect("the server reads");
    assert!(matches!(server.join(), Ok(Ok(End::Quit))));
    assert_eq!(output.text(), "=1 \ninfo move D4\npv D4\n\n=2 \n\n");
}

#[test]
fn pondering_runs_between_commands_and_yields_to_input() {
    let (lines, input) = mpsc::channel::<&str>();
    let (pondering, started) = mpsc::channel();
    let output = SharedOutput::default();
    let server = {
        let output = output.clone();
        thread::spawn(move || {
            let mut table = table();
            table.on_idle(move |engine, input| {
                engine.pondered += 1;
                pondering.send(()).expect("the test listens");
                assert!(input.wait(LONG));
                assert!(engine.pondered < 3, "the third time goes wrong");
            });
            let mut engine = Engine::default();
            let end = serve(&table, &mut engine, typed(input), output);
            (engine.pondered, end)
        })
    };
    for line in ["1 echo a\n", "\n", "2 echo b\n"] {
        started.recv_timeout(LONG).expect("the engine ponders");
        lines.send(line).expect("the server reads");
    }
    started.recv_timeout(LONG).expect("the engine ponders after a panic");
    drop(lines);
    let (pondered, end) = server.join().expect("no panic leaves the server");
    assert_eq!(pondered, 4);
    assert!(matches!(end, Ok(End::EndOfInput)));
    assert_eq!(output.text(), "=1 a\n\n=2 b\n\n");
}

#[test]
fn a_broken_output_ends_the_server_and_every_loop() {
    let mut table = table();
    table.add("endless", |_, _, session| {
        while !session.interrupted() {
            session.write_line("info");
        }
        Ok(String::new())
    });
    for script in ["echo a\necho b\n", "analyze\n", "endless\n"] {
        let (lines, input) = mpsc::channel();
        lines.send(script).expect("the receiver lives");
        // The sender stays alive: only the output tells that the controller is gone.
        let end = serve(&table, &mut Engine::default(), typed(input), Narrow { left: 5 });
        assert!(matches!(end, Ok(End::OutputClosed)), "{script}: {end:?}");
        drop(lines);
    }
}

#[test]
#[should_panic(expected = "two handlers for the GTP command quit")]
fn the_servers_own_commands_cannot_be_replaced() {
    table().add("quit", |_, _, _| Ok(String::new()));
}

/// Input that arrives when the test says so.
fn typed(lines: Receiver<&'static str>) -> BufReader<Typed> {
    BufReader::new(Typed { lines })
}

struct Typed {
    lines: Receiver<&'static str>,
}

impl Read for Typed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Ok(line) = self.lines.recv() else {
            return Ok(0);
        };
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

#[derive(Clone, Default)]
struct SharedOutput {
    bytes: Arc<Mutex<Vec<u8>>>,
}

impl SharedOutput {
    fn text(&self) -> String {
        String::from_utf8(self.bytes.lock().expect("no writer panics").clone()).expect("UTF-8")
    }

    fn wait_for(&self, text: &str) {
        let start = Instant::now();
        while self.text() != text {
            assert!(start.elapsed() < LONG, "waiting for {text:?}, have {:?}", self.text());
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Write for SharedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.lock().expect("no writer panics").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An output that takes a few bytes and then breaks like a closed pipe.
struct Narrow {
    left: usize,
}

impl Write for Narrow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.left);
        self.left -= taken;
        if taken == 0 { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(taken) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
