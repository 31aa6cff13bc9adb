//! What a network is to learn from some positions: targets, each with a weight that is 0 where it is not known.
//!
//! Everything is from the view of the side to move, on one board size. Points count as in `tesuji_net::model`.

use tesuji_board::Size;

/// Positions of one board size with what is known about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// Their size.
    pub size: Size,
    /// How many.
    pub count: usize,
    /// `[position][point][plane]`.
    pub planes: Vec<f32>,
    /// `[position][global]`.
    pub globals: Vec<f32>,
    /// What to learn.
    pub targets: Targets,
}

/// In the place of a probability: the move was out of the question, so the others share all of it.
pub(crate) const LEFT_OUT: f32 = -1.0;

/// What is known about some positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Targets {
    /// Probabilities of the moves, or `LEFT_OUT`, `[position][point, and the pass last]`.
    pub policy: Weighted,
    /// Probabilities of the opponent's answer, in the same form.
    pub reply: Weighted,
    /// Probabilities of win, loss and no result, `[position][3]`.
    pub outcome: Weighted,
    /// The final score in points, or its mean, `[position]`.
    pub score: Weighted,
    /// The standard deviation of the final score in points, `[position]`.
    pub deviation: Weighted,
    /// The komi that would make the game even, in points beyond the real one, `[position]`.
    pub lead: Weighted,
    /// Whose point it is in the end, from −1 (the opponent's) to 1, `[position][point]`.
    pub ownership: Weighted,
}

/// One target of some positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weighted {
    /// As many numbers per position as the target has.
    pub values: Vec<f32>,
    /// How much it counts, per position; 0 where it is not known.
    pub weights: Vec<f32>,
}

impl Weighted {
    /// Makes room for `count` positions with `each` numbers, all unknown.
    fn clear(&mut self, count: usize, each: usize) {
        self.values.clear();
        self.values.resize(count * each, 0.0);
        self.weights.clear();
        self.weights.resize(count, 0.0);
    }

    /// The numbers of a position, and its weight.
    pub(crate) fn of(&self, position: usize) -> (&[f32], f32) {
        let each = self.values.len() / self.weights.len();
        (&self.values[position * each..][..each], self.weights[position])
    }

    /// The numbers of a position, and its weight, to be filled in.
    pub(crate) fn of_mut(&mut self, position: usize) -> (&mut [f32], &mut f32) {
        let each = self.values.len() / self.weights.len();
        (&mut self.values[position * each..][..each], &mut self.weights[position])
    }
}

impl Batch {
    /// Makes room for positions; nothing is known about them yet.
    pub fn new(size: Size, count: usize, planes: usize, globals: usize) -> Batch {
        let mut batch =
            Batch { size, count: 0, planes: Vec::new(), globals: Vec::new(), targets: Targets::default() };
        batch.clear(size, count, planes, globals);
        batch
    }

    /// Forgets everything and makes room for positions of another batch, without allocating where there is enough.
    pub fn clear(&mut self, size: Size, count: usize, planes: usize, globals: usize) {
        let area = size.area();
        (self.size, self.count) = (size, count);
        self.planes.clear();
        self.planes.resize(count * area * planes, 0.0);
        self.globals.clear();
        self.globals.resize(count * globals, 0.0);
        let targets = &mut self.targets;
        targets.policy.clear(count, area + 1);
        targets.reply.clear(count, area + 1);
        targets.outcome.clear(count, 3);
        targets.score.clear(count, 1);
        targets.deviation.clear(count, 1);
        targets.lead.clear(count, 1);
        targets.ownership.clear(count, area);
    }
}
