//! Evaluations on boards of one size.
//!
//! A [`Session`] belongs to one thread and has all the buffers that an evaluation needs, so evaluating allocates nothing. Positions that are evaluated
//! together share the reading of weights, which is what large networks wait for on small boards.

mod buffer;
mod head;
mod run;
mod stem;
mod table;

use std::sync::Arc;
use tesuji_board::Size;

use crate::input::Planes;
use crate::kernel::attention::Turns;
use crate::kernel::convolution::Tiling;
use crate::kernel::direct::Padding;
use crate::kernel::float_mode::FlushDenormals;
use crate::kernel::lanes::Lanes;
use crate::kernel::memory::zeros;
use crate::kernel::scratch::Scratch;
use crate::kernel::stem::Nonzero;
use crate::kernel::winograd::TileSize;
use crate::network::{Inner, Method, Step};
use crate::output::Logits;
use crate::reference::InputError;
use buffer::Rows;
use table::{StemTable, turns};

/// Bytes of transformed input that are multiplied together: with the products they should fit into the second-level cache.
const CHUNK_BYTES: usize = 640 << 10;

/// Bytes of a trunk that are evaluated together: two or three such buffers should fit into the second-level cache. On 19×19 batches that leave it
/// are a sixth slower than single boards; on 9×9 they are what large networks gain from.
const BATCH_BYTES: usize = 512 << 10;

/// Rows of a matrix product that are computed together.
const CHUNK_ROWS: usize = 256;

/// What a network is asked about.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// What an [encoder](crate::input::Encoder) made: the whole set that the model reads from.
    Encoded(&'a Planes),
    /// What the model reads, in its order.
    Dense {
        /// `[plane][point]`.
        planes: &'a [f32],
        /// One number each.
        globals: &'a [f32],
    },
}

/// Buffers for evaluating positions on boards of one size.
#[derive(Debug)]
pub struct Session {
    network: Arc<Inner>,
    size: Size,
    batch: usize,
    tiling: Tiling,
    paddings: Vec<Padding>,
    stem: StemTable,
    turns: Vec<Turns>,
    buffers: Buffers,
}

/// All that an evaluation writes to.
#[derive(Debug)]
struct Buffers {
    /// Inputs that are not zero.
    inputs: Vec<Nonzero>,
    /// Where those of each point begin.
    starts: Vec<u32>,
    /// By depth of bottlenecks.
    trunks: Vec<Rows>,
    front: Rows,
    /// What is about to become the front.
    back: Rows,
    mixed: Rows,
    /// Numbers of the whole board, a row per board.
    pooled: Rows,
    /// What dense layers make of them.
    dense: Rows,
    /// As `dense`, by turns.
    dense_back: Rows,
    /// For convolutions.
    scratch: Scratch,
    /// For attention.
    answers: Vec<Lanes>,
}

impl Session {
    pub(crate) fn new(network: Arc<Inner>, size: Size, batch: usize) -> Session {
        let (width, height) = (size.width(), size.height());
        let plan = &network.plan;
        let board = size.area() * network.stem.columns * size_of::<Lanes>();
        let batch = batch.min((BATCH_BYTES / board).max(1));
        let tile = TileSize::best(width, height);
        let tiling = Tiling::new(tile, width, height, batch);
        let mut paddings: Vec<Padding> = Vec::new();
        let mut scratch = Scratch::default();
        for layer in &plan.layers {
            if let Method::Direct { height: rows, width: columns, weights } = &layer.method {
                let kernel = (*rows, *columns);
                let padding = (kernel != (1, 1)).then(|| Padding::new(kernel, (height, width), batch));
                let span = padding.as_ref().map_or(CHUNK_ROWS, |padding| padding.span(CHUNK_ROWS));
                scratch.reserve(weights.view().packing, span, CHUNK_ROWS);
                if !paddings.iter().any(|padding| padding.is_for(*rows, *columns)) {
                    paddings.extend(padding);
                }
            }
        }
        for packing in network.transformed(tile).packings() {
            let boards = run::chunk_boards(&tiling, packing, batch);
            let tiles = boards * tiling.per_board();
            scratch.reserve(packing, tiles, tiles);
        }
        let answers = plan.steps.iter().map(|step| match step {
            Step::Attend { heads, .. } => heads.scratch(size.area()),
            _ => 0,
        });
        let answers = answers.max().unwrap_or(0);
        let points = batch * size.area();
        let rows = |lanes: usize| Rows::new(points, lanes);
        let vectors = || Rows::new(batch, plan.pooled);
        let buffers = Buffers {
            inputs: Vec::with_capacity(network.stem.planes.len() * size.area()),
            starts: Vec::with_capacity(size.area() + 1),
            trunks: plan.trunks.iter().map(|&lanes| rows(lanes)).collect(),
            front: rows(plan.front),
            back: rows(plan.front),
            mixed: rows(plan.mixed),
            pooled: vectors(),
            dense: vectors(),
            dense_back: vectors(),
            scratch,
            answers: zeros(answers),
        };
        let stem = StemTable::new(&network.stem, network.unit, size);
        let turns = plan.ropes.iter().map(|rope| turns(rope, size)).collect();
        Session { size, batch, tiling, paddings, stem, turns, buffers, network }
    }

    /// The boards that it is for.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many positions are evaluated at a time: perhaps fewer than were asked for, if that is faster.
    pub fn batch(&self) -> usize {
        self.batch
    }

    /// Evaluates positions; more than [`Session::batch`] are evaluated one batch after the other.
    ///
    /// # Panics
    ///
    /// If there are not as many logits as inputs.
    pub fn evaluate(&mut self, inputs: &[Input<'_>], logits: &mut [Logits]) -> Result<(), InputError> {
        assert_eq!(inputs.len(), logits.len(), "logits for other inputs");
        inputs.iter().try_for_each(|input| self.check(input))?;
        let _guard = FlushDenormals::new();
        for (inputs, logits) in inputs.chunks(self.batch).zip(logits.chunks_mut(self.batch)) {
            self.run(inputs, logits);
        }
        Ok(())
    }

    /// That an input is one for this network and these boards.
    fn check(&self, input: &Input<'_>) -> Result<(), InputError> {
        let stem = &self.network.stem;
        let (planes, globals, expected_globals) = match input {
            Input::Encoded(planes) if planes.size() != self.size => {
                return Err(InputError::Board(planes.size()));
            }
            Input::Encoded(planes) => (None, planes.globals().len(), stem.set.globals()),
            Input::Dense { planes, globals } => (Some(planes.len()), globals.len(), stem.globals.len()),
        };
        let expected = stem.planes.len() * self.size.area();
        match planes {
            Some(found) if found != expected => Err(InputError::Planes { found, expected }),
            _ if globals != expected_globals => {
                Err(InputError::Globals { found: globals, expected: expected_globals })
            }
            _ => Ok(()),
        }
    }
}
