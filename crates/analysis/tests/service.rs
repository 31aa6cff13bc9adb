//! A service with several clients at once.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tesuji_analysis::{Connection, MOST_BYTES, Service, ServiceSettings};
use tesuji_engine::Settings;

const PATIENCE: Duration = Duration::from_secs(60);
/// More visits than anybody waits for.
const ENDLESS: u64 = 1_000_000_000;

fn service(workers: usize) -> Service {
    let engine = Settings::of_preset("uct-light").unwrap();
    Service::new(ServiceSettings { workers, memory: 256, ..ServiceSettings::new(engine) })
}

struct Client {
    connection: Connection,
    replies: Receiver<Value>,
}

impl Client {
    fn of(service: &Service) -> Client {
        let (sender, replies) = channel();
        let connection = service.connect(move |reply| {
            assert!(!reply.contains('\n'));
            sender.send(serde_json::from_str(&reply).unwrap()).ok();
        });
        Client { connection, replies }
    }

    fn ask(&self, id: &str, changes: Value) {
        let mut query = json!({
            "id": id, "boardXSize": 9, "boardYSize": 9, "rules": "chinese", "moves": [], "maxVisits": 50,
        });
        for (name, value) in changes.as_object().unwrap() {
            query[name] = value.clone();
        }
        self.connection.send(&query.to_string());
    }

    fn reply(&self) -> Value {
        self.replies.recv_timeout(PATIENCE).expect("a reply comes in time")
    }
}

#[test]
fn a_client_that_leaves_is_forgotten_at_once() {
    let service = service(1);
    let leaving = Client::of(&service);
    for number in 0..100 {
        leaving.ask(&number.to_string(), json!({ "maxVisits": ENDLESS, "reportDuringSearchEvery": 0.01 }));
    }
    assert_eq!(leaving.reply()["isDuringSearch"], true);
    let Client { connection, replies } = leaving;
    drop(connection);
    // What was on its way may arrive, but the sender goes with the last search.
    let started = Instant::now();
    while replies.recv_timeout(PATIENCE).is_ok() {
        assert!(started.elapsed() < PATIENCE);
    }
    let other = Client::of(&service);
    other.ask("next", json!({}));
    assert_eq!(other.reply()["rootInfo"]["visits"], 50);
}

#[test]
fn much_work_of_one_client_does_not_keep_another_waiting() {
    let service = service(1);
    let busy = Client::of(&service);
    for number in 0..300 {
        busy.ask(&number.to_string(), json!({ "maxVisits": 400 }));
    }
    busy.reply();
    let other = Client::of(&service);
    other.ask("short", json!({}));
    assert_eq!(other.reply()["id"], "short");
    assert!(busy.connection.unanswered() > 100, "{}", busy.connection.unanswered());
}

#[test]
fn endless_searches_take_turns() {
    let service = service(1);
    let clients: Vec<Client> = (0..4).map(|_| Client::of(&service)).collect();
    for client in &clients {
        client.ask("endless", json!({ "maxVisits": ENDLESS, "reportDuringSearchEvery": 0.05 }));
    }
    let visits_of = |reply: Value| reply["rootInfo"]["visits"].as_u64().unwrap();
    for client in &clients {
        let first = visits_of(client.reply());
        let second = visits_of(client.reply());
        assert!(second > first, "a search goes on where it was: {first}, {second}");
    }
}

#[test]
fn ids_belong_to_their_client() {
    let service = service(1);
    let [first, second] = [Client::of(&service), Client::of(&service)];
    first.ask("same", json!({ "maxVisits": ENDLESS }));
    second.ask("same", json!({ "maxVisits": 2000 }));
    second.connection.send(&json!({ "id": "t", "action": "terminate_all" }).to_string());
    while second.reply()["id"] != "t" {}
    first.connection.send(&json!({ "id": "s", "action": "terminate", "terminateId": "other" }).to_string());
    assert_eq!(first.reply()["id"], "s");
    assert_eq!(first.connection.unanswered(), 1);
}

#[test]
fn some_turns_can_be_ended() {
    let service = service(1);
    let client = Client::of(&service);
    client.ask("blocks", json!({ "maxVisits": ENDLESS, "priority": 9 }));
    let turns = json!({ "moves": [["B", "C3"], ["W", "D4"]], "analyzeTurns": [0, 1, 2] });
    client.ask("turns", turns);
    let end = json!({ "id": "t", "action": "terminate", "terminateId": "turns", "turnNumbers": [0, 2] });
    client.connection.send(&end.to_string());
    let ended = [client.reply(), client.reply()];
    assert_eq!(ended.each_ref().map(|reply| reply["turnNumber"].clone()), [json!(0), json!(2)]);
    assert!(ended.iter().all(|reply| reply["noResults"] == true));
    assert_eq!(client.reply(), end);
    assert_eq!(client.connection.unanswered(), 2);
}

#[test]
fn what_waits_is_bounded() {
    let service = service(1);
    let client = Client::of(&service);
    let moves: Vec<_> =
        (0..9999).map(|number| json!([if number % 2 == 0 { "B" } else { "W" }, "pass"])).collect();
    let turns: Vec<usize> = (0..10_000).collect();
    let all = json!({ "moves": moves, "analyzeTurns": turns, "maxVisits": ENDLESS });
    client.ask("first", all.clone());
    client.ask("second", all);
    client.ask("third", json!({}));
    let refused = client.reply();
    assert_eq!(refused["id"], "third");
    assert!(refused["error"].as_str().unwrap().contains("too many"), "{refused}");
    assert_eq!(client.connection.unanswered(), 20_000);
    client.connection.send(&"[".repeat(MOST_BYTES + 1));
    assert!(client.reply()["error"].as_str().unwrap().contains("longer"));
    client.connection.send(&"[".repeat(MOST_BYTES));
    assert!(client.reply()["error"].as_str().unwrap().contains("JSON"));
    let other = Client::of(&service);
    other.ask("other", json!({}));
    assert_eq!(other.reply()["id"], "other");
}

#[test]
fn a_thousand_clients_are_served() {
    let service = service(2);
    let clients: Vec<Client> = (0..1000).map(|_| Client::of(&service)).collect();
    for client in &clients {
        client.ask("q", json!({ "maxVisits": 4, "boardXSize": 5, "boardYSize": 5 }));
    }
    for client in &clients {
        assert_eq!(client.reply()["rootInfo"]["visits"], 4);
    }
}

#[test]
fn a_service_can_end_while_it_works() {
    let service = service(2);
    let client = Client::of(&service);
    for number in 0..10 {
        client.ask(&number.to_string(), json!({ "maxVisits": ENDLESS }));
    }
    drop(service);
    client.connection.wait_for_answers();
    client.ask("late", json!({}));
    let late = client.replies.try_iter().find(|reply| reply["id"] == "late").unwrap();
    assert_eq!(late["error"], "the engine has ended");
}

#[test]
fn the_same_question_has_an_answer_of_its_own() {
    // A search does not go on where another query left off: visits are those that were asked for.
    let service = service(1);
    let client = Client::of(&service);
    for visits in [300, 20, 300] {
        client.ask("again", json!({ "maxVisits": visits }));
        assert_eq!(client.reply()["rootInfo"]["visits"], visits);
    }
}
