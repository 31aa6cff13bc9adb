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
use crate::kernel::float_mode::FlushDenormals;
use crate::kernel::lanes::Lanes;
use crate::kernel::memory::zeros;
use crate::kernel::stem::Nonzero;
use crate::kernel::winograd::TileSize;
use crate::network::{Inner, Method, Step};
use crate::output::Logits;
use crate::reference::InputError;
use buffer::Rows;
use table::{StemTable, TapTable, turns};

/// Bytes of transformed input that are multiplied together: with the products they should fit into the second-level cache.
const CHUNK_BYTES: usize = 640 << 10;

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
    taps: Vec<TapTable>,
    stem: StemTable,
    turns: Vec<Turns>,
    buffers: Buffers,
}

/// All that an evaluation writes to.
#[derive(Debug)]
struct Buffers {
    /// Inputs that are not zero.
    inputs: Vec<Nonzero>,
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
    /// Transformed or gathered input of a convolution.
    transformed: Vec<Lanes>,
    /// Sums of a convolution before they are transformed back.
    products: Vec<Lanes>,
    /// For attention.
    scratch: Vec<Lanes>,
}

impl Session {
    pub(crate) fn new(network: Arc<Inner>, size: Size, batch: usize) -> Session {
        let (width, height) = (size.width(), size.height());
        let plan = &network.plan;
        let tile = TileSize::best(width, height);
        let tiling = Tiling::new(tile, width, height, batch);
        let mut taps = Vec::new();
        let (mut transformed, mut products, mut scratch) = (0, 0, 0);
        for layer in &plan.layers {
            if let Method::Rows { height: rows, width: columns, packing, .. } = &layer.method {
                if (*rows, *columns) != (1, 1)
                    && !taps.iter().any(|table: &TapTable| table.is(*rows, *columns))
                {
                    taps.push(TapTable::new(*rows, *columns, size, batch));
                }
                transformed = transformed.max(CHUNK_ROWS * packing.depth);
                products = products.max(CHUNK_ROWS * packing.tile_columns);
            }
        }
        for packing in network.transformed(tile).packings() {
            let tiles = run::chunk_boards(&tiling, packing) * tiling.per_board();
            transformed = transformed.max(tiles * packing.positions * packing.depth);
            products = products.max(tiles * packing.positions * packing.tile_columns);
        }
        for step in &plan.steps {
            if let Step::Attend { heads, .. } = step {
                scratch = scratch.max(heads.scratch(size.area()));
            }
        }
        let points = batch * size.area();
        let rows = |lanes: usize| Rows::new(points, lanes);
        let vectors = || Rows::new(batch, plan.pooled);
        let buffers = Buffers {
            inputs: Vec::with_capacity(network.stem.planes.len() * size.area()),
            trunks: plan.trunks.iter().map(|&lanes| rows(lanes)).collect(),
            front: rows(plan.front),
            back: rows(plan.front),
            mixed: rows(plan.mixed),
            pooled: vectors(),
            dense: vectors(),
            dense_back: vectors(),
            transformed: zeros(transformed),
            products: zeros(products),
            scratch: zeros(scratch),
        };
        let stem = StemTable::new(&network.stem, network.unit, size);
        let turns = plan.ropes.iter().map(|rope| turns(rope, size)).collect();
        Session { size, batch, tiling, taps, stem, turns, buffers, network }
    }

    /// The boards that it is for.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many positions are evaluated at a time.
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
