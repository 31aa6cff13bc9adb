//! An evaluator that answers later, in batches and in any order, and a diary of what it judged.

use std::sync::{Arc, Mutex};

use tesuji_search::playout::{GoEvaluator, Usage};
use tesuji_search::{Domain, Evaluator, Findings, Judged, Leaf, Rng, Root};

/// How an evaluator answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Leaves it would like to have.
    pub(crate) batch: usize,
    /// Leaves in a hundred that it answers at once all the same.
    pub(crate) prompt_percent: usize,
    /// Whether it names the moves of leaves.
    pub(crate) names_moves: bool,
}

/// Judges leaves at once, as `E` does, and keeps the answers back.
///
/// Whenever it has no answer left to give, it takes all leaves handed in since as one batch and shuffles them.
pub(crate) struct Late<E> {
    evaluator: E,
    manner: Manner,
    rng: Rng,
    waiting: Vec<Judged>,
    ready: Vec<Judged>,
    /// The most leaves that were with it at once.
    most_held: Arc<Mutex<usize>>,
}

impl<E> Late<E> {
    pub(crate) fn new(evaluator: E, manner: Manner, seed: u64) -> Late<E> {
        let (waiting, ready) = (Vec::new(), Vec::new());
        Late { evaluator, manner, rng: Rng::new(seed), waiting, ready, most_held: Arc::default() }
    }

    /// A view of the most leaves that were with it at once.
    pub(crate) fn most_held(&self) -> Arc<Mutex<usize>> {
        Arc::clone(&self.most_held)
    }

    /// The evaluator within.
    pub(crate) fn evaluator(&self) -> &E {
        &self.evaluator
    }
}

impl<D: Domain, E: Evaluator<D>> Evaluator<D> for Late<E> {
    fn batch(&self) -> usize {
        self.manner.batch
    }

    fn names_moves(&self) -> bool {
        self.manner.names_moves
    }

    fn submit(&mut self, domain: &mut D, mut leaf: Leaf) -> Option<Judged> {
        assert_eq!(leaf.moves().len(), leaf.depth(), "all moves so far were made within the tree");
        assert!(self.manner.names_moves || !leaf.wants_moves());
        if leaf.wants_moves() {
            domain.moves(leaf.answer_moves());
        }
        let judged = self.evaluator.submit(domain, leaf).expect("the evaluator within answers at once");
        if self.rng.below(100) < self.manner.prompt_percent {
            return Some(judged);
        }
        self.waiting.push(judged);
        let mut most = self.most_held.lock().unwrap();
        *most = (*most).max(self.waiting.len() + self.ready.len());
        None
    }

    fn collect(&mut self) -> Option<Judged> {
        if self.ready.is_empty() {
            std::mem::swap(&mut self.ready, &mut self.waiting);
            for last in (1..self.ready.len()).rev() {
                self.ready.swap(last, self.rng.below(last + 1));
            }
        }
        self.ready.pop()
    }
}

impl GoEvaluator for Late<Box<dyn GoEvaluator>> {
    fn begin(&mut self, root: &Root) {
        assert!(self.waiting.is_empty() && self.ready.is_empty(), "a search waits for its leaves");
        self.evaluator.begin(root);
    }

    fn forget(&mut self) {
        self.evaluator.forget();
    }

    fn findings(&self) -> &Findings {
        self.evaluator.findings()
    }

    fn usage(&self) -> Usage {
        self.evaluator.usage()
    }
}

/// A leaf that was judged.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The moves from the root to it.
    pub(crate) way: Vec<u16>,
    /// What it came to for the side to move at the root.
    pub(crate) result: f32,
}

/// Writes down the leaves that `E` judges. The evaluation says in `black_score` which entry it is, and in `network` the
/// opposite of the result.
pub(crate) struct Noted<E> {
    evaluator: E,
    pub(crate) diary: Vec<Entry>,
}

impl<E> Noted<E> {
    pub(crate) fn new(evaluator: E) -> Noted<E> {
        Noted { evaluator, diary: Vec::new() }
    }
}

impl<D: Domain, E: Evaluator<D>> Evaluator<D> for Noted<E> {
    fn submit(&mut self, domain: &mut D, leaf: Leaf) -> Option<Judged> {
        let way = leaf.moves()[..leaf.depth()].to_vec();
        let mut judged = self.evaluator.submit(domain, leaf)?;
        let result = judged.evaluation.result;
        judged.evaluation.black_score = Some(self.diary.len() as f32);
        judged.evaluation.network = Some(1.0 - result);
        self.diary.push(Entry { way, result });
        Some(judged)
    }
}
