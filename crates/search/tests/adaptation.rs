//! Playouts that adapt, and priors from gammas and from who owns which point, within a whole search.

mod support;

use support::resources;
use tesuji_board::{Color, Game, Move, Rules, Size};
use tesuji_search::{Parameters, Refusal, Searcher, Simulations};

/// RAVE with priors from tactics and these parameters.
fn search(changes: &[(&str, &str)], threads: usize) -> Result<Box<dyn Searcher>, Refusal> {
    let base = [("rule", "rave"), ("prior", "tactics")];
    let parameters = Parameters::with(&[&base, changes].concat()).unwrap();
    parameters.searcher(&resources(threads, 64 << 20, 5))
}

/// Visits of the moves of an empty board, after another search or in a new game.
fn visits(changes: &[(&str, &str)]) -> [Vec<(Move, u64)>; 2] {
    let mut searcher = search(changes, 1).unwrap();
    let game = Game::new(Size::square(9).unwrap(), Rules::named("tromp-taylor").unwrap());
    searcher.search(&game, Color::Black, &Simulations(250));
    let first = searcher.report().moves.iter().map(|mv| (mv.mv, mv.visits)).collect();
    searcher.clear();
    searcher.begin_game();
    searcher.search(&game, Color::Black, &Simulations(250));
    [first, searcher.report().moves.iter().map(|mv| (mv.mv, mv.visits)).collect()]
}

const PPA: (&str, &str) = ("adaptation", "ppa");
const GRADIENT: (&str, &str) = ("adaptation", "gradient");

#[test]
fn every_scheme_on_all_playouts_changes_the_search_and_is_determined() {
    for playout in ["light", "rules", "learned"] {
        let playout = ("playout", playout);
        let mut all = vec![visits(&[playout])[0].clone()];
        for scheme in [PPA, GRADIENT] {
            for context in ["0", "1", "2"] {
                let changes = [playout, scheme, ("adaptation-moves", context)];
                let [found, _] = visits(&changes);
                assert_eq!(found, visits(&changes)[0], "{changes:?}");
                assert!(!all.contains(&found), "{changes:?}");
                let counted = [&changes[..], &[("replies", "counted")]].concat();
                assert_eq!(found, visits(&counted)[0], "{changes:?}");
                all.push(found);
            }
        }
    }
}

#[test]
fn a_higher_rate_is_another_search_and_threads_adapt() {
    let learned = ("playout", "learned");
    let with_rate = |rate| visits(&[learned, PPA, ("adaptation-rate", rate)])[0].clone();
    assert_ne!(with_rate("0.05"), with_rate("0.5"));
    let mut searcher = search(&[learned, PPA, ("adaptation-moves", "1")], 2).unwrap();
    let game = Game::new(Size::square(9).unwrap(), Rules::default());
    searcher.search(&game, Color::Black, &Simulations(500));
    assert!(searcher.report().visits >= 500);
}

#[test]
fn nothing_adapts_without_playouts() {
    let changes = [("playout", "none"), ("value", "net"), PPA];
    assert_eq!(search(&changes, 1).err(), Some(Refusal::AdaptationWithoutPlayouts));
}

#[test]
fn priors_from_gammas_and_from_owners_change_the_search() {
    let plain = visits(&[]);
    for changes in [
        [("prior", "gammas"), ("prior-temperature", "1")],
        [("prior", "gammas"), ("prior-temperature", "2")],
        [("prior-criticality", "0.5"), ("prior-openness", "0")],
        [("prior-criticality", "0"), ("prior-openness", "0.2")],
    ] {
        let found = visits(&changes);
        assert_ne!(found[0], plain[0], "{changes:?}");
        assert_eq!(found[0], visits(&changes)[0], "{changes:?}");
    }
    let nothing = [("prior-criticality", "0"), ("prior-openness", "0")];
    assert_eq!(visits(&nothing), plain);
}
