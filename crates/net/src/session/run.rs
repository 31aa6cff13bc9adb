//! The steps of an evaluation.

use super::buffer::Rows;
use super::{Buffers, CHUNK_BYTES, CHUNK_ROWS, Input, Session};
use crate::kernel::attention::Attend;
use crate::kernel::convolution::{Convolve3x3, Tiling};
use crate::kernel::direct::{ConvolveDirect, Field};
use crate::kernel::finish::{Active, Finish, Raw};
use crate::kernel::gemm::Packing;
use crate::kernel::lanes::Lanes;
use crate::kernel::point::{Activate, Gate, RootMeanSquare, Source, Target};
use crate::kernel::pool::{Pool, Third};
use crate::kernel::scratch::Scratch;
use crate::network::{Layer, Method, NormLanes, PoolBias, RawTo, Step};
use crate::output::Logits;

/// How many boards are transformed together.
pub(super) fn chunk_boards(tiling: &Tiling, packing: Packing, batch: usize) -> usize {
    let bytes = tiling.per_board() * packing.positions * packing.depth * size_of::<Lanes>();
    (CHUNK_BYTES / bytes).clamp(1, batch)
}

impl Session {
    /// Evaluates one batch.
    pub(super) fn run(&mut self, inputs: &[Input<'_>], logits: &mut [Logits]) {
        let network = self.network.clone();
        self.stem(inputs);
        for step in &network.plan.steps {
            self.step(step, inputs.len());
        }
        self.heads(&network.plan.head, logits);
    }

    fn step(&mut self, step: &Step, boards: usize) {
        let network = &self.network;
        let area = self.size.area();
        let unit = network.unit;
        let buffers = &mut self.buffers;
        match step {
            Step::Activate { level, norm } => {
                let columns = norm.columns();
                unit.run(Activate {
                    boards,
                    area,
                    columns,
                    from: Source { data: buffers.trunks[*level].view(columns), stride: columns, start: 0 },
                    to: Target { data: buffers.front.view_mut(columns), stride: columns, start: 0 },
                    norm: norm.view(),
                    added: None,
                });
            }
            Step::Keep { level, columns } => {
                let lanes = (1 + boards * area) * columns;
                let from = &buffers.front.view(*columns)[*columns..lanes];
                buffers.trunks[*level].view_mut(*columns)[*columns..lanes].copy_from_slice(from);
            }
            Step::Rms { level, channels, epsilon, extent, norm } => {
                let columns = norm.columns();
                unit.run(RootMeanSquare {
                    boards,
                    area,
                    columns,
                    channels: *channels,
                    from: buffers.trunks[*level].view(columns),
                    to: buffers.front.view_mut(columns),
                    norm: norm.view(),
                    epsilon: *epsilon,
                    extent: *extent,
                });
            }
            Step::Convolve { layer, raw, norm } => self.convolve(*layer, *raw, norm.as_ref(), boards),
            Step::PoolBias(step) => self.pool_bias(step, boards),
            Step::Attend { heads, rope } => unit.run(Attend {
                boards,
                area,
                heads: *heads,
                turns: rope.map(|rope| &self.turns[rope]),
                source: buffers.mixed.view_mut(heads.stride()),
                scratch: &mut buffers.answers,
                to: buffers.front.view_mut(heads.heads * heads.value),
            }),
            Step::Gate { columns } => unit.run(Gate {
                rows: boards * area,
                columns: *columns,
                from: buffers.mixed.view(2 * columns),
                to: buffers.front.view_mut(*columns),
            }),
        }
    }

    /// A convolution from the front buffer, to the front buffer if there is a norm.
    pub(super) fn convolve(&mut self, index: usize, raw: RawTo, norm: Option<&NormLanes>, boards: usize) {
        let layer = &self.network.plan.layers[index];
        let columns = layer.columns;
        let Buffers { trunks, front, back, mixed, scratch, .. } = &mut self.buffers;
        let finish = Finish {
            columns,
            raw: match raw {
                RawTo::Drop => Raw::Drop,
                RawTo::Set(level) => Raw::Set(trunks[level].view_mut(columns)),
                RawTo::Add(level) => Raw::Add(trunks[level].view_mut(columns)),
                RawTo::Mixed => Raw::Set(mixed.view_mut(columns)),
            },
            active: norm.map(|norm| Active { to: back.view_mut(columns), norm: norm.view() }),
        };
        match &layer.method {
            Method::Direct { height, width, .. } => {
                let padding = self.paddings.iter().find(|padding| padding.is_for(*height, *width));
                let field = match padding {
                    Some(padding) => Field::Boards(boards, padding),
                    None => Field::Rows(boards * self.size.area()),
                };
                run_direct(layer, front, field, scratch, finish);
            }
            Method::Winograd(_) => {
                let weights = self.network.transformed(self.tiling.size()).layer(index);
                let per_board = self.tiling.per_board();
                layer.multiplier.run(Convolve3x3 {
                    tiling: &self.tiling,
                    tiles: boards * per_board,
                    chunk: chunk_boards(&self.tiling, weights.packing, self.batch) * per_board,
                    input: front.view(layer.input_lanes),
                    input_lanes: layer.input_lanes,
                    weights,
                    scratch,
                    finish,
                });
            }
        }
        if norm.is_some() {
            std::mem::swap(&mut self.buffers.front, &mut self.buffers.back);
        }
    }

    /// Pools some lanes of the mixed buffer to a bias for the others.
    fn pool_bias(&mut self, step: &PoolBias, boards: usize) {
        let columns = step.norm.columns();
        let pooled = Source { data: &[], stride: step.stride, start: step.pooled };
        self.pool(boards, pooled, &step.pooled_norm, Third::Max);
        self.dense(step.to_bias, None, boards);
        self.activate_mixed(boards, (step.stride, 0), (columns, 0), &step.norm, true);
    }

    /// Pools some lanes of the mixed buffer; `from` says which of its data.
    pub(super) fn pool(&mut self, boards: usize, from: Source<'_>, norm: &NormLanes, third: Third) {
        let Buffers { mixed, pooled, .. } = &mut self.buffers;
        let columns = norm.columns();
        self.network.unit.run(Pool {
            boards,
            area: self.size.area(),
            columns,
            from: Source { data: mixed.view(from.stride), ..from },
            norm: norm.view(),
            third,
            to: pooled.view_mut(3 * columns),
        });
    }

    /// A dense layer from the pooled numbers to the dense ones, which are activated if there is a norm.
    pub(super) fn dense(&mut self, layer: usize, norm: Option<&NormLanes>, boards: usize) {
        let Buffers { pooled, dense, scratch, .. } = &mut self.buffers;
        let layer = &self.network.plan.layers[layer];
        run_dense(layer, norm, boards, pooled, dense, scratch);
    }

    /// A dense layer from the dense numbers to new ones.
    pub(super) fn dense_again(&mut self, layer: usize, norm: &NormLanes, boards: usize) {
        let Buffers { dense, dense_back, scratch, .. } = &mut self.buffers;
        std::mem::swap(dense, dense_back);
        let layer = &self.network.plan.layers[layer];
        run_dense(layer, Some(norm), boards, dense_back, dense, scratch);
    }

    /// Norm and activation of some lanes of the mixed buffer, with the dense numbers of the board added or not; places are
    /// lanes of a row and the first lane.
    pub(super) fn activate_mixed(
        &mut self,
        boards: usize,
        from: (usize, usize),
        to: (usize, usize),
        norm: &NormLanes,
        add_dense: bool,
    ) {
        let Buffers { mixed, front, dense, .. } = &mut self.buffers;
        let columns = norm.columns();
        self.network.unit.run(Activate {
            boards,
            area: self.size.area(),
            columns,
            from: Source { data: mixed.view(from.0), stride: from.0, start: from.1 },
            to: Target { data: front.view_mut(to.0), stride: to.0, start: to.1 },
            norm: norm.view(),
            added: add_dense.then(|| dense.view(columns)),
        });
    }
}

/// A layer without transforms.
pub(super) fn run_direct(
    layer: &Layer,
    input: &Rows,
    field: Field<'_>,
    scratch: &mut Scratch,
    finish: Finish<'_>,
) {
    let Method::Direct { weights, .. } = &layer.method else { unreachable!("a layer by transforms") };
    layer.multiplier.run(ConvolveDirect {
        field,
        chunk: CHUNK_ROWS,
        input: input.view(layer.input_lanes),
        input_lanes: layer.input_lanes,
        weights: weights.view(),
        scratch,
        finish,
    });
}

/// A layer whose rows are boards.
fn run_dense(
    layer: &Layer,
    norm: Option<&NormLanes>,
    boards: usize,
    from: &Rows,
    to: &mut Rows,
    scratch: &mut Scratch,
) {
    let columns = layer.columns;
    let to = to.view_mut(columns);
    let finish = match norm {
        None => Finish { columns, raw: Raw::Set(to), active: None },
        Some(norm) => Finish { columns, raw: Raw::Drop, active: Some(Active { to, norm: norm.view() }) },
    };
    run_direct(layer, from, Field::Rows(boards), scratch, finish);
}
