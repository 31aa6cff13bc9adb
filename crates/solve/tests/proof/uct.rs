//! UCT with proof probability, or proof numbers, on the problems of `tests/tsumego`: what it proves is true, and it finds the right move.

use crate::committed::problems;
use tesuji_solve::{Fate, Nearness, ProofRule, Record, Scope, Side, UctSearch, mover};

const GEOMETRIC: ProofRule = ProofRule { nearness: Nearness::GeometricMean, ..ProofRule::weighing(0.5) };
const ATTACKER_ONLY: ProofRule = ProofRule { scope: Scope::Attacker, ..ProofRule::weighing(0.5) };
const BY_RANK: ProofRule = ProofRule { nearness: Nearness::NumberRank, ..ProofRule::weighing(1.0) };
const BY_SHARE: ProofRule = ProofRule { nearness: Nearness::NumberShare, ..ProofRule::weighing(1.0) };
const RULES: [ProofRule; 7] = [
    ProofRule::UCT,
    ProofRule::weighing(0.5),
    ProofRule::weighing(1.0),
    ATTACKER_ONLY,
    GEOMETRIC,
    BY_RANK,
    BY_SHARE,
];

/// A search of the problem with the threats that its proved fate hinges on.
fn search(record: &Record, rule: ProofRule, playouts: u64) -> (UctSearch, Side) {
    let problem = record.draft.clone().complete().unwrap().problem;
    let mover = mover(&problem);
    let mut search = UctSearch::new(&problem, fate_of(record).decisive_threats(mover), rule, 1);
    search.run_to(playouts);
    (search, mover)
}

fn fate_of(record: &Record) -> Fate {
    record.fate.as_deref().and_then(Fate::parse).unwrap()
}

#[test]
fn what_is_proved_is_what_the_prover_says() {
    for rule in RULES {
        let (mut won, mut lost, mut refuted) = (0, 0, 0);
        for record in problems() {
            let (search, mover) = search(&record, rule, 1500);
            let succeeds = record.result != "fail";
            if let Some(winner) = search.winner() {
                assert_eq!(winner == mover, succeeds, "{} by {rule:?}", record.id);
                won += u32::from(succeeds);
                lost += u32::from(!succeeds);
            }
            for candidate in search.candidates() {
                if let Some(wins) = candidate.proof {
                    let is_best = succeeds && record.accepted.contains(&candidate.mv);
                    assert_eq!(wins, is_best, "{:?} in {} by {rule:?}", candidate.mv, record.id);
                    refuted += u32::from(!wins);
                }
            }
        }
        assert!(won >= 50 && lost >= 2 && refuted >= 100, "{won} won, {lost} lost, {refuted} by {rule:?}");
    }
}

/// Not by proof numbers, which prove sooner and choose worse: see docs/experiments/proof-probability.md.
#[test]
fn the_right_move_is_found() {
    for rule in RULES.into_iter().filter(|rule| ![BY_RANK, BY_SHARE].contains(rule)) {
        let solvable: Vec<Record> = problems().into_iter().filter(|record| record.result != "fail").collect();
        let is_right = |record: &&Record| record.accepted.contains(&search(record, rule, 1000).0.best_move());
        let right = solvable.iter().filter(is_right).count();
        assert!(right * 100 >= solvable.len() * 85, "{right} of {} by {rule:?}", solvable.len());
    }
}

#[test]
fn a_seed_determines_the_search() {
    let record = &problems()[100];
    let candidates = |seed| {
        let problem = record.draft.clone().complete().unwrap().problem;
        let mut search =
            UctSearch::new(&problem, fate_of(record).decisive_threats(mover(&problem)), GEOMETRIC, 7);
        search.run_to(50);
        search.restart(ProofRule::weighing(0.5), seed);
        search.run_to(200);
        search.run_to(500);
        search.candidates().collect::<Vec<_>>()
    };
    assert_eq!(candidates(3), candidates(3));
    assert_ne!(candidates(3), candidates(4));
    let (mut fresh, _) = search(record, ProofRule::weighing(0.5), 0);
    fresh.restart(ProofRule::weighing(0.5), 3);
    fresh.run_to(500);
    assert_eq!(fresh.candidates().collect::<Vec<_>>(), candidates(3), "nothing is left of the search before");
}
