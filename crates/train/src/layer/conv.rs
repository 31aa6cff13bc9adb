//! Convolutions: 3×3 by Winograd's transforms, 1×1 as a dense layer, others by copying neighbourhoods into rows.
//!
//! Work goes in *chunks* of boards that are small enough for the second cache: a chunk is transformed, multiplied and transformed
//! back before the next one is looked at. The backward pass transforms its input again instead of keeping it, because
//! a transformed board is almost three times as large as the board.

use super::dense::{Dense, transpose};
use super::{Boards, Into};
use crate::kernel::{Left, Right, Shape, multiply};
use crate::winograd::{
    Domain, Tiling, input, input_adjoint, output, output_adjoint, transform_weights, untransform_weights,
};

/// The sizes of a convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conv {
    pub(crate) height: usize,
    pub(crate) width: usize,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
}

/// How a convolution is computed on boards of some size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Dense,
    Winograd(Tiling),
    Rows,
}

/// Weights in the form that the products want; made once per step and shared by all threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prepared {
    /// What they are prepared for.
    method: Option<Method>,
    /// By Winograd `[place][input][output]`; otherwise not used, the weights themselves will do.
    forward: Vec<f32>,
    /// By Winograd `[place][output][input]`, else `[output][row of the kernel][column][input]`.
    backward: Vec<f32>,
}

/// The weights of a layer as they are and as they were prepared.
#[derive(Clone, Copy)]
pub(crate) struct Weights<'a> {
    pub(crate) plain: &'a [f32],
    pub(crate) prepared: &'a Prepared,
}

/// Where gradients go: those of the weights are added, those of the input are made where somebody wants them.
pub(crate) struct Gradients<'a> {
    pub(crate) weights: &'a mut [f32],
    pub(crate) input: Option<(&'a mut [f32], Into)>,
}

/// Buffers of one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    inputs: Vec<f32>,
    outputs: Vec<f32>,
    weights: Vec<f32>,
}

/// Numbers that a chunk may have in the transformed domain: a quarter of a second cache of one megabyte, which also holds as many products, and the
/// weights.
const CHUNK: usize = 64 * 1024;

impl Conv {
    /// How it is computed on these boards.
    pub(crate) fn method(&self, boards: &Boards) -> Method {
        match (self.height, self.width) {
            (1, 1) => Method::Dense,
            (3, 3) => Method::Winograd(Tiling::of(boards.width, boards.height)),
            _ => Method::Rows,
        }
    }

    /// Numbers of weights.
    pub(crate) fn weights(&self) -> usize {
        self.height * self.width * self.inputs * self.outputs
    }

    /// Prepares weights for a step.
    pub(crate) fn prepare(&self, boards: &Boards, weights: &[f32], prepared: &mut Prepared) {
        let method = self.method(boards);
        prepared.method = Some(method);
        prepared.backward.resize(self.weights(), 0.0);
        let Method::Winograd(tiling) = method else {
            return transpose(self.height * self.width * self.inputs, weights, &mut prepared.backward);
        };
        let pairs = self.inputs * self.outputs;
        for list in [&mut prepared.forward, &mut prepared.backward] {
            list.resize(tiling.places() * pairs, 0.0);
        }
        transform_weights(tiling, pairs, weights, &mut prepared.forward);
        let places = prepared.forward.chunks_exact(pairs).zip(prepared.backward.chunks_exact_mut(pairs));
        places.for_each(|(place, transposed)| transpose(self.inputs, place, transposed));
    }

    /// `y = base + conv(x)`; without a base, the convolution alone.
    pub(crate) fn forward(
        &self,
        boards: &Boards,
        x: &[f32],
        weights: Weights<'_>,
        base: Option<&[f32]>,
        y: &mut [f32],
        scratch: &mut Scratch,
    ) {
        let method = self.method(boards);
        let Weights { plain, prepared } = weights;
        debug_assert_eq!(prepared.method, Some(method));
        let &Conv { inputs, outputs, .. } = self;
        let into = match base {
            Some(base) if !matches!(method, Method::Winograd(_)) => {
                y.copy_from_slice(base);
                Into::Add
            }
            _ => Into::Replace,
        };
        match method {
            Method::Dense => self.dense().forward(boards.points(), x, plain, y, into),
            Method::Rows => {
                for (boards, first) in self.chunks(boards) {
                    let rows = fit(&mut scratch.inputs, boards.points() * self.dense().inputs);
                    self.copy_to_rows(&boards, &x[first * inputs..][..boards.points() * inputs], rows);
                    let y = &mut y[first * outputs..][..boards.points() * outputs];
                    self.dense().forward(boards.points(), rows, plain, y, into);
                }
            }
            Method::Winograd(_) => {
                for (boards, first) in self.chunks(boards) {
                    let domain = Domain::new(boards.width, boards.height, boards.count);
                    let v = fit(&mut scratch.inputs, domain.len(inputs));
                    let m = fit(&mut scratch.outputs, domain.len(outputs));
                    input(&domain, inputs, &x[first * inputs..][..boards.points() * inputs], v);
                    let shape = Shape { rows: domain.tiles(), columns: outputs, depth: inputs };
                    for place in 0..domain.tiling.places() {
                        let left = Left::rows(&v[place * domain.stride(inputs)..], inputs);
                        let values = &prepared.forward[place * inputs * outputs..][..inputs * outputs];
                        let product = &mut m[place * domain.stride(outputs)..];
                        multiply(
                            shape,
                            left,
                            Right { values, stride: outputs },
                            product,
                            outputs,
                            Into::Replace,
                        );
                    }
                    let points = first * outputs..(first + boards.points()) * outputs;
                    output(&domain, outputs, m, base.map(|base| &base[points.clone()]), &mut y[points]);
                }
            }
        }
    }

    /// Adds the gradient of the weights, and makes that of the input where it is wanted.
    pub(crate) fn backward(
        &self,
        boards: &Boards,
        x: &[f32],
        gradient: &[f32],
        prepared: &Prepared,
        wanted: Gradients<'_>,
        scratch: &mut Scratch,
    ) {
        let Gradients { weights: dw, input: mut dx } = wanted;
        let &Conv { inputs, outputs, .. } = self;
        let method = self.method(boards);
        debug_assert_eq!(prepared.method, Some(method));
        match method {
            Method::Dense => {
                self.dense().weight_gradient(boards.points(), x, gradient, dw);
                if let Some((dx, into)) = dx {
                    self.dense().input_gradient(boards.points(), gradient, &prepared.backward, dx, into);
                }
            }
            Method::Rows => {
                for (boards, first) in self.chunks(boards) {
                    let rows = fit(&mut scratch.inputs, boards.points() * self.dense().inputs);
                    self.copy_to_rows(&boards, &x[first * inputs..][..boards.points() * inputs], rows);
                    let gradient = &gradient[first * outputs..][..boards.points() * outputs];
                    self.dense().weight_gradient(boards.points(), rows, gradient, dw);
                    if let Some((dx, into)) = &mut dx {
                        let (points, back) = (boards.points(), &prepared.backward);
                        self.dense().input_gradient(points, gradient, back, rows, Into::Replace);
                        let dx = cleared(&mut dx[first * inputs..][..points * inputs], *into);
                        self.add_rows(&boards, rows, dx);
                    }
                }
            }
            Method::Winograd(tiling) => {
                let pairs = inputs * outputs;
                let du = fit(&mut scratch.weights, tiling.places() * pairs);
                for (boards, first) in self.chunks(boards) {
                    let domain = Domain::new(boards.width, boards.height, boards.count);
                    let v = fit(&mut scratch.inputs, domain.len(inputs));
                    let dm = fit(&mut scratch.outputs, domain.len(outputs));
                    input(&domain, inputs, &x[first * inputs..][..boards.points() * inputs], v);
                    let points = first * outputs..(first + boards.points()) * outputs;
                    output_adjoint(&domain, outputs, &gradient[points], dm);
                    let (tiles, places) = (domain.tiles(), domain.tiling.places());
                    let shape = Shape { rows: inputs, columns: outputs, depth: tiles };
                    let into = if first == 0 { Into::Replace } else { Into::Add };
                    for place in 0..places {
                        let left = Left::transposed(&v[place * domain.stride(inputs)..], inputs);
                        let right = Right { values: &dm[place * domain.stride(outputs)..], stride: outputs };
                        let product = &mut du[place * pairs..][..pairs];
                        multiply(shape, left, right, product, outputs, into);
                    }
                    let Some((dx, into)) = &mut dx else { continue };
                    let shape = Shape { rows: tiles, columns: inputs, depth: outputs };
                    for place in 0..places {
                        let left = Left::rows(&dm[place * domain.stride(outputs)..], outputs);
                        let right =
                            Right { values: &prepared.backward[place * pairs..][..pairs], stride: inputs };
                        let product = &mut v[place * domain.stride(inputs)..];
                        multiply(shape, left, right, product, inputs, Into::Replace);
                    }
                    let dx = cleared(&mut dx[first * inputs..][..boards.points() * inputs], *into);
                    input_adjoint(&domain, inputs, v, dx);
                }
                untransform_weights(tiling, pairs, du, dw);
            }
        }
    }

    /// As a dense layer on neighbourhoods.
    fn dense(&self) -> Dense {
        Dense { inputs: self.height * self.width * self.inputs, outputs: self.outputs }
    }

    /// Chunks of the boards, each with the number of points before it.
    fn chunks(&self, boards: &Boards) -> impl Iterator<Item = (Boards, usize)> + use<> {
        let whole = *boards;
        let one = match self.method(boards) {
            Method::Winograd(_) => {
                Domain::new(boards.width, boards.height, 1).len(self.inputs.max(self.outputs))
            }
            _ => boards.area() * self.dense().inputs,
        };
        let most = (CHUNK / one.max(1)).max(1);
        (0..boards.count).step_by(most).map(move |first| {
            (Boards { count: most.min(whole.count - first), ..whole }, first * whole.area())
        })
    }

    /// Copies the neighbourhood of every point into a row, zero beyond the edge.
    fn copy_to_rows(&self, boards: &Boards, x: &[f32], rows: &mut [f32]) {
        rows.fill(0.0);
        self.each_neighbor(boards, |row, from| {
            rows[row..row + self.inputs].copy_from_slice(&x[from..from + self.inputs]);
        });
    }

    /// The adjoint of [`Conv::copy_to_rows`], added to `dx`.
    fn add_rows(&self, boards: &Boards, rows: &[f32], dx: &mut [f32]) {
        self.each_neighbor(boards, |row, to| {
            let values = &rows[row..row + self.inputs];
            dx[to..to + self.inputs].iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        });
    }

    /// Calls `visit` with the place of every neighbour in the rows and on the boards.
    fn each_neighbor(&self, boards: &Boards, mut visit: impl FnMut(usize, usize)) {
        let width = self.dense().inputs;
        for point in 0..boards.points() {
            let (board, y, x) =
                (point / boards.area(), point % boards.area() / boards.width, point % boards.width);
            for cell in 0..self.height * self.width {
                let (dy, dx) = (cell / self.width, cell % self.width);
                let ny = (y + dy).checked_sub(self.height / 2).filter(|&ny| ny < boards.height);
                let nx = (x + dx).checked_sub(self.width / 2).filter(|&nx| nx < boards.width);
                if let (Some(ny), Some(nx)) = (ny, nx) {
                    let from = board * boards.area() + ny * boards.width + nx;
                    visit(point * width + cell * self.inputs, from * self.inputs);
                }
            }
        }
    }
}

/// What overlapping neighbourhoods are added to: zeros, unless it is to be kept. Chunk by chunk, while it is in the cache.
fn cleared(gradient: &mut [f32], into: Into) -> &mut [f32] {
    if into == Into::Replace {
        gradient.fill(0.0);
    }
    gradient
}

/// The first `length` numbers of a buffer, which grows if it must.
fn fit(buffer: &mut Vec<f32>, length: usize) -> &mut [f32] {
    if buffer.len() < length {
        buffer.resize(length, 0.0);
    }
    &mut buffer[..length]
}
