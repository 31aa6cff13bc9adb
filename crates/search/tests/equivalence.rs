//! Rules with their special part switched off are the plain rule: the same leaves, simulation by simulation.

use tesuji_board::{Game, Rules, Size};
use tesuji_search::playout::Light;
use tesuji_search::select::{
    Prior, Proxy, ProxyChosen, ProxyEffect, ProxyPlace, ProxySwitches, Rave, Scratch, Select, Ucb1,
};
use tesuji_search::synthetic::{Deceptive, Ends, Synthetic, Uniform};
use tesuji_search::tree::{Edges, NodeId, Tree};
use tesuji_search::{
    Domain, Go, Ignorant, Parameters, ProxyUct, Rng, Root, Sharing, Task, Uct, Walk, WalkOptions, Walker,
};

const C: f32 = 0.7;

/// A walk in a tree of its own.
struct Trial<D, S, W> {
    tree: Tree,
    rule: S,
    root: NodeId,
    walker: Walker<D, W>,
}

impl<D: Domain, S: Select, W: Walk<S>> Trial<D, S, W> {
    fn new(domain: D, rule: S) -> Self {
        let tree = Tree::new(256 << 20);
        let mut walker = Walker::new(domain);
        let root = walker.add_node(&tree, &rule).unwrap();
        Trial { tree, rule, root, walker }
    }

    /// Makes a simulation: its result and all its moves.
    fn step(&mut self) -> (Option<u32>, Vec<u16>) {
        let options = WalkOptions { expand_after: 1, sharing: Sharing::Alone };
        let task = Task { tree: &self.tree, root: self.root, rule: &self.rule, options };
        let simulation = self.walker.simulate(&task);
        (simulation.map(|simulation| simulation.result.to_bits()), self.walker.domain.simulation().to_vec())
    }
}

/// Number of simulations in which two searches differ.
fn differing<D: Domain, A: Walk<S>, B: Walk<T>, S: Select, T: Select>(
    domain: impl Fn() -> D,
    rules: (S, T),
    simulations: usize,
) -> usize {
    let mut a = Trial::<D, S, A>::new(domain(), rules.0);
    let mut b = Trial::<D, T, B>::new(domain(), rules.1);
    (0..simulations).filter(|_| a.step() != b.step()).count()
}

fn go(seed: u64) -> Go<Light, Ignorant> {
    let size = Size::square(5).unwrap();
    let game = Game::new(size, Rules::named("tromp-taylor").unwrap());
    let mut go = Go::new(Light, Ignorant, Rng::new(seed), Parameters::default().go(), size);
    go.set_root(&Root::of(&game, game.to_move()));
    go
}

fn proxy(bonus: f32, switches: ProxySwitches) -> Proxy {
    Proxy { exploration: C, bonus, switches }
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
            let synthetic = |shape: Uniform| move || Synthetic::new(shape, seed);
            let different = [
                differing::<_, Uct, ProxyUct, _, _>(synthetic(chancy), rules(), 5000),
                differing::<_, Uct, ProxyUct, _, _>(synthetic(certain), rules(), 5000),
                differing::<_, Uct, ProxyUct, _, _>(|| go(seed), rules(), 3000),
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
        let different = differing::<_, Uct, ProxyUct, _, _>(|| Synthetic::new(trap, 1), rules, 2000);
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
    fn extra(&self, _prior: Prior) -> u64 {
        0
    }

    fn choose(&self, edges: &Edges<'_>, _scratch: &mut Scratch) -> usize {
        let factor = self.exploration * self.exploration * (edges.visits().max(1) as f32).ln();
        let score = |i: usize| {
            let value = edges.value(i);
            let known = match value.proven() {
                Some(_) => value.mean,
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
        let synthetic = || Synthetic::new(uniform, seed);
        assert_eq!(differing::<_, Uct, Uct, _, _>(synthetic, (plain, rave), 5000), 0);
        assert_eq!(differing::<_, Uct, Uct, _, _>(|| go(seed), (plain, rave), 3000), 0);
        let weighty = Rave { initial_weight: 1.0, ..rave };
        assert!(differing::<_, Uct, Uct, _, _>(|| go(seed), (plain, weighty), 3000) > 100);
    }
}
