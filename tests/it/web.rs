//! The web server for those who mean no good, and for programs: foreign pages, wrong tokens, floods, games kept through a kill.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::process::Directory;
use crate::web_server::{WebServer, WebSocket};

const GAME: &str = "(;GM[1]FF[4]SZ[9]KM[7.5]PB[You]PW[Tesuji];B[ee];W[ce])";

fn position(moves: &[(&str, &str)]) -> Value {
    json!({ "boardXSize": 9, "boardYSize": 9, "rules": "chinese", "komi": 7.5, "moves": moves })
}

/// Asks at the desk and waits for the answer.
fn ask(socket: &mut WebSocket, order: &Value) -> Value {
    socket.send(&order.to_string()).unwrap();
    loop {
        let answer = socket.next().expect("an answer");
        if answer["id"] == order["id"] && answer.get("progress").is_none() {
            return answer;
        }
    }
}

#[test]
fn foreign_pages_and_wrong_tokens_are_refused() {
    let directory = Directory::new("web-foreign");
    let server = WebServer::start(&directory.0, &[]);
    let own = format!("http://{}", server.address);
    for path in ["/ws/desk", "/ws/analysis"] {
        assert!(WebSocket::open(&server, path, &[]).is_ok(), "{path}");
        assert!(WebSocket::open(&server, path, &[("Origin", &own)]).is_ok(), "{path}");
        for origin in ["http://evil.example", "null", "http://127.0.0.1:1"] {
            assert_eq!(
                WebSocket::open(&server, path, &[("Origin", origin)]).err(),
                Some(403),
                "{path} {origin}"
            );
        }
    }
    assert_eq!(server.request("GET", "/", &[("Host", "evil.example")], b"").status, 403);
    assert_eq!(
        server.request("PUT", "/api/games/a", &[("Origin", "http://evil.example")], GAME.as_bytes()).status,
        403
    );
    let page = server.get("/");
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");

    let open = WebServer::start(&directory.0, &["--host", "0.0.0.0"]);
    let (_, token) = open.url.split_once("token=").expect("a token");
    assert_eq!(open.get("/").status, 401);
    assert_eq!(open.get("/api/games").status, 401);
    assert_eq!(open.get("/?token=0123").status, 401);
    assert_eq!(WebSocket::open(&open, "/ws/analysis", &[]).err(), Some(401));
    assert_eq!(WebSocket::open(&open, "/ws/analysis?token=0123", &[]).err(), Some(401));
    assert!(WebSocket::open(&open, &format!("/ws/analysis?token={token}"), &[]).is_ok());
    let entrance = open.get(&format!("/?token={token}"));
    assert_eq!((entrance.status, entrance.header("location")), (303, Some("/")));
    let cookie = entrance.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(open.request("GET", "/", &[("Cookie", cookie)], b"").status, 200);
}

#[test]
fn floods_are_bounded_and_the_engine_goes_on() {
    let directory = Directory::new("web-flood");
    let server = WebServer::start(&directory.0, &[]);
    let mut honest = WebSocket::open(&server, "/ws/desk", &[]).unwrap();
    let before = memory_of(&server);

    // A message of 100 MB: the connection ends before it is read.
    let mut rude = WebSocket::open(&server, "/ws/desk", &[]).unwrap();
    let sent = rude.send(&"x".repeat(100 << 20));
    assert!(sent.is_err() || rude.next().is_none());
    let record = server.request("POST", "/api/record", &[], &vec![b' '; 100 << 20]);
    assert!([0, 413].contains(&record.status), "{}", record.status);

    // A thousand connections, some with half a request; the honest one has its answer all the same.
    let crowd: Vec<TcpStream> = (0..1000)
        .filter_map(|i| {
            let mut stream = TcpStream::connect(server.address).ok()?;
            if i % 2 == 0 {
                stream.write_all(b"GET / HTTP/1.1\r\nHost: loc").ok();
            }
            Some(stream)
        })
        .collect();
    assert!(crowd.len() > 900, "{}", crowd.len());
    let answer =
        ask(&mut honest, &json!({ "id": 1, "do": "answer", "level": "20k", "position": position(&[]) }));
    assert!(answer["result"]["move"].is_string(), "{answer}");
    if let (Some(before), Some(after)) = (before, memory_of(&server)) {
        assert!(after < before + (96 << 20), "{before} bytes grew to {after}");
    }
    drop(crowd);
    let started = Instant::now();
    while server_status(&server) != 200 {
        assert!(started.elapsed() < Duration::from_secs(30), "no place came free");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn server_status(server: &WebServer) -> u16 {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| server.get("/").status)).unwrap_or(0)
}

/// Resident bytes, where the system tells.
fn memory_of(server: &WebServer) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kibibytes| kibibytes << 10)
}

#[test]
fn a_review_can_be_ended_early_and_keeps_what_it_has() {
    let directory = Directory::new("web-review");
    let server = WebServer::start(&directory.0, &[]);
    let mut desk = open(&server, "/ws/desk");
    let sgf = "(;SZ[7]KM[0.5]PB[Anna];B[dd];W[cc];B[ec];W[cd];B[ee];W[ce];B[aa];W[db];B[ga];W[eb])";
    desk.send(&json!({ "id": 1, "do": "review", "sgf": sgf, "seconds": 600 }).to_string()).unwrap();
    let first = desk.next().expect("progress");
    assert_eq!(first["progress"]["values"].as_array().map(Vec::len), Some(11), "{first}");
    desk.send(&json!({ "id": 2, "do": "hurry", "of": 1 }).to_string()).unwrap();
    let answer = (0..10_000).find_map(|_| desk.next().filter(|answer| answer.get("progress").is_none()));
    let answer = answer.expect("an answer");
    let result = &answer["result"];
    assert!(!result["findings"].as_array().unwrap().is_empty(), "{answer}");
    assert!(result["html"].as_str().unwrap().contains("Anna"));
    assert!(result["sgf"].as_str().unwrap().contains("leads by"));
}

#[test]
fn games_outlive_the_server() {
    let directory = Directory::new("web-games");
    let server = WebServer::start(&directory.0, &[]);
    let stored = server.request("PUT", "/api/games/mine", &[], GAME.as_bytes());
    assert_eq!(stored.status, 200, "{}", stored.text());
    let tag = stored.header("etag").unwrap().to_owned();
    server.kill();
    let server = WebServer::start(&directory.0, &[]);
    let loaded = server.get("/api/games/mine");
    assert_eq!(
        (loaded.status, loaded.text().as_str(), loaded.header("etag")),
        (200, GAME, Some(tag.as_str()))
    );
    let longer = GAME.replace("W[ce]", "W[ce];B[gg]");
    assert_eq!(server.request("PUT", "/api/games/mine", &[], longer.as_bytes()).status, 409);
    assert_eq!(
        server.request("PUT", "/api/games/mine", &[("If-Match", &tag)], longer.as_bytes()).status,
        200
    );
    assert_eq!(server.get("/api/games").json()["games"][0]["moves"], 3);
    assert_eq!(server.request("PUT", "/api/games/other", &[], b"no game").status, 400);
    assert_eq!(server.get("/api/games/..%2f..%2fetc").status, 400);
    assert_eq!(fs::read_dir(&directory.0).unwrap().count(), 1);
}

#[test]
fn games_are_made_even_by_rank() {
    let directory = Directory::new("web-even");
    let server = WebServer::start(&directory.0, &[]);
    let even =
        |own: &str, level: &str| server.get(&format!("/api/even?width=19&height=19&own={own}&level={level}"));
    assert_eq!(even("12k", "5k").json(), json!({ "color": "B", "stones": 7, "komi": 0.5 }));
    assert_eq!(even("1d", "1k").json(), json!({ "color": "W", "stones": 0, "komi": 0.5 }));
    assert_eq!(even("5k", "5k").json(), json!({ "color": null, "stones": 0, "komi": null }));
    assert_eq!((even("5k", "full").status, even("5", "5k").status), (400, 400));
    assert_eq!(server.get("/api/even?width=99&height=19&own=5k&level=5k").status, 400);
}

#[test]
fn the_desk_answers_counts_and_says_what_is_wrong() {
    let directory = Directory::new("web-desk");
    let server = WebServer::start(&directory.0, &[]);
    let mut desk = WebSocket::open(&server, "/ws/desk", &[]).unwrap();
    // Walls with an empty line on each side live for sure; the stone between two walls is dead for sure.
    let walls = [("B", "B"), ("B", "D"), ("W", "E"), ("W", "G"), ("W", "J")];
    let stones =
        walls.iter().flat_map(|(color, column)| (1..=9).map(move |row| (*color, format!("{column}{row}"))));
    let stones: Vec<(&str, String)> = stones.chain([("B", "F5".to_owned())]).collect();
    let mut ended = position(&[("B", "pass"), ("W", "pass")]);
    ended["initialStones"] = json!(stones);
    // Four columns against five: 36 against 45 and komi.
    let counted = ask(&mut desk, &json!({ "id": 1, "do": "count", "position": ended }));
    assert_eq!(
        (&counted["result"]["result"], &counted["result"]["dead"]),
        (&json!("W+16.5"), &json!(["F5"])),
        "{counted}"
    );
    let alive = ask(&mut desk, &json!({ "id": 2, "do": "count", "position": ended, "dead": [] }));
    // Alive, it makes its column nobody's: 37 against 36 and komi.
    assert_eq!(alive["result"]["result"], "W+6.5", "{alive}");
    for (order, part) in [
        (json!({ "id": 3, "do": "answer", "position": position(&[("B", "Z9")]) }), "Z9"),
        (json!({ "id": 4, "do": "count", "position": position(&[]), "dead": ["A1"] }), "no stone"),
        (json!({ "id": 5, "do": "dance" }), "dance"),
        (json!({ "id": 6, "do": "answer", "position": position(&[]), "seconds": -1 }), "seconds"),
        (json!({ "id": 7, "do": "solve", "question": { "problem": {} } }), "size"),
        (json!({ "id": 8, "do": "review", "sgf": "(;SZ[9])" }), "no moves"),
        (json!({ "id": 8, "do": "review", "sgf": "(;SZ[9];B[ee];W[ee])" }), "move 2"),
    ] {
        let answer = ask(&mut desk, &order);
        assert!(answer["error"].as_str().is_some_and(|error| error.contains(part)), "{order}: {answer}");
    }
    desk.send("no JSON").unwrap();
    assert!(desk.next().unwrap()["error"].is_string());
    // A long search that is hurried answers at once; one that is cancelled says nothing.
    desk.send(&json!({ "id": 8, "do": "answer", "seconds": 600, "position": position(&[]) }).to_string())
        .unwrap();
    desk.send(&json!({ "id": 9, "do": "answer", "seconds": 600, "position": position(&[]) }).to_string())
        .unwrap();
    desk.send(&json!({ "id": 10, "do": "cancel", "of": 9 }).to_string()).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    desk.send(&json!({ "id": 11, "do": "hurry", "of": 8 }).to_string()).unwrap();
    assert!(desk.next().unwrap()["result"]["move"].is_string());
    assert_eq!(ask(&mut desk, &json!({ "id": 12, "do": "count", "position": ended }))["id"], 12);
}

#[test]
fn problems_are_solved_and_walked() {
    let directory = Directory::new("web-solve");
    let server = WebServer::start(&directory.0, &[]);
    let mut desk = WebSocket::open(&server, "/ws/desk", &[]).unwrap();
    let problems = server.get("/api/problems").text();
    let (mut fates, mut walked) = (BTreeSet::new(), 0);
    for (id, line) in problems.lines().step_by(11).enumerate() {
        let problem: Value = serde_json::from_str(line).unwrap();
        let order = json!({ "id": id, "do": "solve", "question": { "problem": problem } });
        let answer = ask(&mut desk, &order)["result"].take();
        let expected = problem["fate"].as_str().unwrap();
        let fate = answer["fate"].as_str().unwrap();
        assert!(expected.starts_with(fate), "{}: {answer}", problem["id"]);
        fates.insert(fate.to_owned());
        // A wrong move walked: the opponent then gets what the first side did not want.
        let wrong = answer["refutations"].as_array().unwrap().iter().find(|line| line["moves"][0] != "pass");
        if let (Some(wrong), "lives" | "dies", Some(true)) = (wrong, fate, answer["succeeds"].as_bool()) {
            let moves = json!([[problem["to_move"], wrong["moves"][0]]]);
            let question = json!({ "problem": answer["problem"], "moves": moves });
            let after = ask(&mut desk, &json!({ "id": 1000 + id, "do": "solve", "question": question }));
            assert_ne!(after["result"]["fate"], fate, "{}: {after}", problem["id"]);
            walked += 1;
        }
    }
    assert!(fates.contains("ko") && fates.contains("lives") && fates.contains("dies"), "{fates:?}");
    assert!(walked >= 2, "{walked}");
}

#[test]
fn runs_of_the_laboratory_are_shown_and_nothing_else_is() {
    let directory = Directory::new("web-lab");
    let run = directory.0.join("results").join("one");
    fs::create_dir_all(&run).unwrap();
    fs::write(run.join("run.json"), r#"{"kind":"dfuct","terms":{"a":1},"builds":[],"setup":null}"#).unwrap();
    fs::write(
        run.join("results.jsonl"),
        "{\"key\":\"a\",\"result\":1}\n{\"key\":\"b\",\"error\":\"x\"}\n{\"key\":\"c\"",
    )
    .unwrap();
    fs::write(run.join("curve.csv"), "# by hand\nstep,loss\n1,2\n").unwrap();
    fs::write(directory.0.join("results").join("secret.key"), "secret").unwrap();
    let results = directory.path("results");
    let server = WebServer::start(&directory.0.join("games"), &["--lab", &results]);
    let list = server.get("/api/lab").json();
    assert_eq!(
        (&list["runs"][0]["name"], &list["runs"][0]["done"], &list["runs"][0]["failed"]),
        (&json!("results/one"), &json!(1), &json!(1)),
        "{list}"
    );
    let shown = server.get("/api/lab/run?run=results%2Fone").json();
    assert_eq!((&shown["files"], &shown["terms"]["a"]), (&json!(["curve.csv"]), &json!(1)), "{shown}");
    assert!(server.get("/api/lab/file?run=results%2Fone&name=curve.csv").text().contains("1,2"));
    for path in [
        "run=results%2Fone&name=..%2F..%2Fsecret.key",
        "run=results&name=secret.key",
        "run=..&name=x",
        "run=results%2Fone&name=run.json",
    ] {
        assert_eq!(server.get(&format!("/api/lab/file?{path}")).status, 404, "{path}");
    }
}

/// A query that goes on until it is ended, with reports on the way.
fn endless_query(id: &str, interval: f64) -> String {
    let mut query = position(&[("B", "E5"), ("W", "C3")]);
    query["id"] = id.into();
    query["maxVisits"] = 10_000_000.into();
    query["reportDuringSearchEvery"] = interval.into();
    query["includeOwnership"] = true.into();
    query.to_string()
}

#[test]
fn many_clients_share_the_engine_and_one_that_reads_nothing_slows_nobody() {
    let directory = Directory::new("web-clients");
    let server = WebServer::start(&directory.0, &[]);
    // It asks for many reports and reads none; then it vanishes without a word.
    let mut silent = WebSocket::open(&server, "/ws/analysis", &[]).unwrap();
    for number in 0..20 {
        silent.send(&endless_query(&format!("silent {number}"), 0.01)).unwrap();
    }
    let mut clients: Vec<WebSocket> = (0..8)
        .map(|number| {
            let mut client = WebSocket::open(&server, "/ws/analysis", &[]).unwrap();
            client.send(&endless_query(&format!("client {number}"), 0.1)).unwrap();
            client
        })
        .collect();
    let mut visits = Vec::new();
    for (number, client) in clients.iter_mut().enumerate() {
        let reports: Vec<Value> = (0..3).map(|_| client.next().expect("a report")).collect();
        for report in &reports {
            assert_eq!(report["id"], format!("client {number}"), "{report}");
            assert_eq!(
                (&report["turnNumber"], &report["isDuringSearch"]),
                (&json!(2), &json!(true)),
                "{report}"
            );
            assert_eq!(report["ownership"].as_array().map(Vec::len), Some(81), "{report}");
        }
        visits.push(reports[2]["rootInfo"]["visits"].as_u64().unwrap());
    }
    assert!(visits.iter().all(|&visits| visits > 0), "{visits:?}");
    drop(silent);
    // A client can end its query; the end is said, and the others go on.
    clients[0].send(r#"{"id":"end","action":"terminate","terminateId":"client 0"}"#).unwrap();
    let said = (0..10_000).find_map(|_| clients[0].next().filter(|reply| reply["id"] == "end"));
    assert_eq!(said.expect("an answer")["action"], "terminate");
    assert!(clients[7].next().is_some());
    // When all are gone the engine rests.
    drop(clients);
    if cfg!(target_os = "linux") {
        let started = Instant::now();
        loop {
            let before = ticks_of(&server);
            std::thread::sleep(Duration::from_millis(500));
            if ticks_of(&server) <= before + 1 {
                break;
            }
            assert!(started.elapsed() < Duration::from_secs(30), "it goes on thinking for nobody");
        }
        // Somebody who is there and asks nothing costs nothing: not a hundredth of a second in three.
        let _idle = [open(&server, "/ws/analysis"), open(&server, "/ws/desk")];
        let before = ticks_of(&server);
        std::thread::sleep(Duration::from_secs(3));
        assert!(ticks_of(&server) <= before + 1, "{} ticks while idle", ticks_of(&server) - before);
    }
}

fn open(server: &WebServer, path: &str) -> WebSocket {
    WebSocket::open(server, path, &[]).unwrap()
}

/// Processor time so far, in hundredths of a second.
fn ticks_of(server: &WebServer) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/stat", server.id())).unwrap();
    // The name in brackets may hold blanks; after it come state, parent and ten more before user and system time.
    let rest = text.rsplit_once(')').unwrap().1;
    rest.split_whitespace().skip(11).take(2).map(|word| word.parse::<u64>().unwrap()).sum()
}
