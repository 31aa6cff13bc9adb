//! Rules with their special part switched off are the plain rule: the same leaves, simulation by simulation.

mod support;

use support::{Trial, walk_options};
use tesuji_board::{Game, Rules, Size};
use tesuji_search::playout::{Light, Playouts};
use tesuji_search::select::{
    Proxied, ProxyChosen, ProxyEffect, ProxyPlace, ProxySwitches, Rave, Scratch, Select, Ucb1,
};
use tesuji_search::synthetic::{Coins, Deceptive, Ends, Shape, Synthetic, Uniform};
use tesuji_search::tree::Edges;
use tesuji_search::{Domain, Evaluator, Go, Ignorant, ProxyUct, Sharing, Uct, Walk};

const C: f32 = 0.7;

/// Number of simulations in which two searches differ.
fn differing<D: Domain, E: Evaluator<D>, A: Walk<S>, B: Walk<T>, S: Select, T: Select>(
    domain: impl Fn() -> (D, E),
    rules: (S, T),
    simulations: usize,
) -> usize {
    let options = walk_options(1, Sharing::Alone);
    let mut a = Trial::<D, E, S, A>::new(domain(), rules.0, options);
    let mut b = Trial::<D, E, T, B>::new(domain(), rules.1, options);
    (0..simulations).filter(|_| a.step() != b.step()).count()
}

fn go(seed: u64) -> (Go, Playouts<Light>) {
    let game = Game::new(Size::square(5).unwrap(), Rules::named("tromp-taylor").unwrap());
    support::go(&game, Ignorant, seed)
}

fn tree<T: Shape>(shape: T, seed: u64) -> (Synthetic<T>, Coins) {
    (Synthetic::new(shape), Coins::new(seed))
}

fn proxy(bonus: f32, switches: ProxySwitches) -> Proxied<Ucb1> {
    Proxied { rule: Ucb1 { exploration: C }, bonus, switches }
}

#[test]
fn proxies_that_do_nothing_are_uct() {
    let ucb1 = Ucb1 { exploration: C };
    let nowhere = ProxySwitches { place: ProxyPlace::Nowhere, ..ProxySwitches::default() };
    // Chosen proxies are counted, but the count is worth nothing and the simulation goes on.
    let idle = ProxySwitches { chosen: ProxyChosen::GoOn, ..ProxySwitches::default() };
    let worthless = ProxySwitches { effect: ProxyEffect::Reward, ..idle };
    for switches in [nowhere, idle, worthless] {
        for seed in [1, 2] {
            let rules = || (ucb1, proxy(0.0, switches));
            let chancy = Uniform { branching: 6, depth: 5, seed, ends: Ends::Chancy };
            let certain = Uniform { ends: Ends::Certain, ..chancy };
            let synthetic = |shape: Uniform| move || tree(shape, seed);
            let different = [
                differing::<_, _, Uct, ProxyUct, _, _>(synthetic(chancy), rules(), 5000),
                differing::<_, _, Uct, ProxyUct, _, _>(synthetic(certain), rules(), 5000),
                differing::<_, _, Uct, ProxyUct, _, _>(|| go(seed), rules(), 3000),
            ];
            assert_eq!(different, [0; 3], "{switches:?}");
        }
    }
}

#[test]
fn proxies_at_work_are_not_uct() {
    let trap = Deceptive { candidates: 5, replies: 8, baited: 0.7, refuted: 0.1, others: 0.5 };
    let reward = ProxySwitches { effect: ProxyEffect::Reward, ..ProxySwitches::default() };
    for switches in [ProxySwitches::default(), reward] {
        let rules = (Ucb1 { exploration: C }, proxy(0.5, switches));
        let different = differing::<_, _, Uct, ProxyUct, _, _>(|| tree(trap, 1), rules, 2000);
        assert!(different > 100, "{switches:?}: {different}");
    }
}

/// The formula of RAVE without RAVE: `Q + c sqrt(ln s / (n + 1))`, a fixed value for untried edges.
#[derive(Clone, Copy)]
struct Plain {
    exploration: f32,
    first_play: f32,
}

impl Select for Plain {
    fn choose(&self, edges: &Edges<'_>, _scratch: &mut Scratch) -> usize {
        let factor = self.exploration * self.exploration * (edges.visits().max(1) as f32).ln();
        let score = |i: usize| {
            let value = edges.value(i);
            let known = match value.proven() {
                Some(_) => value.worth(),
                None if value.visits == 0 => self.first_play,
                None => value.mean,
            };
            known + (factor / (value.visits as f32 + 1.0)).sqrt()
        };
        let mut best = 0;
        (1..edges.len()).for_each(|i| best = if score(i) > score(best) { i } else { best });
        best
    }
}

#[test]
fn rave_without_weight_is_uct() {
    let rave =
        Rave { initial_weight: 0.0, final_weight: 5000.0, exploration: C, first_play: 1.0, ignored_every: 0 };
    let plain = Plain { exploration: C, first_play: 1.0 };
    for seed in [1, 2, 3] {
        let uniform = Uniform { branching: 9, depth: 4, seed, ends: Ends::Chancy };
        let synthetic = || tree(uniform, seed);
        assert_eq!(differing::<_, _, Uct, Uct, _, _>(synthetic, (plain, rave), 5000), 0);
        assert_eq!(differing::<_, _, Uct, Uct, _, _>(|| go(seed), (plain, rave), 3000), 0);
        let weighty = Rave { initial_weight: 1.0, ..rave };
        assert!(differing::<_, _, Uct, Uct, _, _>(|| go(seed), (plain, weighty), 3000) > 100);
    }
}
