//! Transforms of whole boards: between points and places.
//!
//! Sixteen channels at a time, then single ones for what is left. Points of a tile that are off the board read as zero and
//! are not written. All of it is translated for each instruction set ([`Work`]).

use super::tile::{Four, Line, Three, Tile};
use super::{Domain, Tiling};
use crate::kernel::{Instructions, Machine, Numbers, One, Work, translated};
use std::marker::PhantomData;

/// `V = Bᵀ d B` of all tiles.
pub(crate) fn input(domain: &Domain, channels: usize, points: &[f32], places: &mut [f32]) {
    match domain.tiling {
        Tiling::Three => to_places::<Three, Input<Three>>(domain, channels, points, places),
        Tiling::Four => to_places::<Four, Input<Four>>(domain, channels, points, places),
    }
}

/// `dM = A dy Aᵀ` of all tiles.
pub(crate) fn output_adjoint(domain: &Domain, channels: usize, points: &[f32], places: &mut [f32]) {
    match domain.tiling {
        Tiling::Three => to_places::<Three, OutputAdjoint<Three>>(domain, channels, points, places),
        Tiling::Four => to_places::<Four, OutputAdjoint<Four>>(domain, channels, points, places),
    }
}

/// `y = base + Aᵀ M A` of all tiles; without a base, `y` alone.
pub(crate) fn output(
    domain: &Domain,
    channels: usize,
    places: &[f32],
    base: Option<&[f32]>,
    points: &mut [f32],
) {
    let write = base.map_or(Write::Replace, Write::AddTo);
    match domain.tiling {
        Tiling::Three => to_points::<Three, Output<Three>>(domain, channels, places, points, write),
        Tiling::Four => to_points::<Four, Output<Four>>(domain, channels, places, points, write),
    }
}

/// `dd += B dV Bᵀ` of all tiles, which overlap.
pub(crate) fn input_adjoint(domain: &Domain, channels: usize, places: &[f32], points: &mut [f32]) {
    match domain.tiling {
        Tiling::Three => {
            to_points::<Three, InputAdjoint<Three>>(domain, channels, places, points, Write::Add);
        }
        Tiling::Four => to_points::<Four, InputAdjoint<Four>>(domain, channels, places, points, Write::Add),
    }
}

/// One of the four transforms of a tile.
trait Transform {
    /// Points along the side.
    const SPAN: usize;
    /// How far the first point lies before the tile.
    const BEFORE: usize;

    fn apply<N: Numbers>(line: &mut Line<N>);
}

struct Input<T>(PhantomData<T>);
struct InputAdjoint<T>(PhantomData<T>);
struct Output<T>(PhantomData<T>);
struct OutputAdjoint<T>(PhantomData<T>);

impl<T: Tile> Transform for Input<T> {
    const SPAN: usize = T::PLACES;
    const BEFORE: usize = 1;

    #[inline(always)]
    fn apply<N: Numbers>(line: &mut Line<N>) {
        T::input(line);
    }
}

impl<T: Tile> Transform for InputAdjoint<T> {
    const SPAN: usize = T::PLACES;
    const BEFORE: usize = 1;

    #[inline(always)]
    fn apply<N: Numbers>(line: &mut Line<N>) {
        T::input_adjoint(line);
    }
}

impl<T: Tile> Transform for Output<T> {
    const SPAN: usize = T::SIDE;
    const BEFORE: usize = 0;

    #[inline(always)]
    fn apply<N: Numbers>(line: &mut Line<N>) {
        T::output(line);
    }
}

impl<T: Tile> Transform for OutputAdjoint<T> {
    const SPAN: usize = T::SIDE;
    const BEFORE: usize = 0;

    #[inline(always)]
    fn apply<N: Numbers>(line: &mut Line<N>) {
        T::output_adjoint(line);
    }
}

/// What a point becomes.
#[derive(Clone, Copy)]
enum Write<'a> {
    /// The result.
    Replace,
    /// What it was and the result.
    Add,
    /// Another board's point and the result.
    AddTo(&'a [f32]),
}

/// What is done with each tile of each board.
trait TileWork {
    /// Some channels of the tile at `(x, y)`: `point` is where they stand in the first point of the board, `place` in the first place of the tile.
    fn tile<M: Machine>(&mut self, machine: M, corner: (usize, usize), point: usize, place: usize);
}

#[inline(always)]
fn each_tile<T: Tile, M: Machine>(machine: M, domain: &Domain, channels: usize, work: &mut impl TileWork) {
    let (mut board, mut tile) = (0, 0);
    for _ in 0..domain.boards {
        for y in 0..domain.height.div_ceil(T::SIDE) {
            for x in 0..domain.width.div_ceil(T::SIDE) {
                let corner = (x * T::SIDE, y * T::SIDE);
                let mut channel = 0;
                while channel + M::WIDTH <= channels {
                    work.tile(machine, corner, board + channel, tile + channel);
                    channel += M::WIDTH;
                }
                while channel < channels {
                    work.tile(One, corner, board + channel, tile + channel);
                    channel += 1;
                }
                tile += channels;
            }
        }
        board += domain.width * domain.height * channels;
    }
}

/// From points to places, tile by tile.
struct ToPlaces<'a, T, F> {
    domain: &'a Domain,
    channels: usize,
    points: &'a [f32],
    places: &'a mut [f32],
    transform: PhantomData<(T, F)>,
}

fn to_places<T: Tile, F: Transform>(domain: &Domain, channels: usize, points: &[f32], places: &mut [f32]) {
    translated(
        Instructions::detected(),
        ToPlaces::<T, F> { domain, channels, points, places, transform: PhantomData },
    );
}

impl<T: Tile, F: Transform> Work for ToPlaces<'_, T, F> {
    #[inline(always)]
    fn run<M: Machine>(mut self, machine: M) {
        each_tile::<T, M>(machine, self.domain, self.channels, &mut self);
    }
}

impl<T: Tile, F: Transform> TileWork for ToPlaces<'_, T, F> {
    #[inline(always)]
    fn tile<M: Machine>(&mut self, machine: M, (x, y): (usize, usize), from: usize, to: usize) {
        let (width, height) = (self.domain.width, self.domain.height);
        let mut grid = [[machine.zero(); 6]; 6];
        for (row, line) in grid.iter_mut().enumerate().take(F::SPAN) {
            // Before the first row is after the last one too, as the subtraction wraps.
            let py = (y + row).wrapping_sub(F::BEFORE);
            if py >= height {
                continue;
            }
            for (column, lane) in line.iter_mut().enumerate().take(F::SPAN) {
                let px = (x + column).wrapping_sub(F::BEFORE);
                if px < width {
                    *lane = machine.load(&self.points[from + (py * width + px) * self.channels..]);
                }
            }
            F::apply(line);
        }
        let stride = self.domain.stride(self.channels);
        for column in 0..T::PLACES {
            let mut line = [machine.zero(); 6];
            for (lane, from) in line.iter_mut().zip(&grid).take(F::SPAN) {
                *lane = from[column];
            }
            F::apply(&mut line);
            for (row, &lane) in line.iter().enumerate().take(T::PLACES) {
                machine.store(lane, &mut self.places[to + (row * T::PLACES + column) * stride..]);
            }
        }
    }
}

/// From places to points, tile by tile.
struct ToPoints<'a, T, F> {
    domain: &'a Domain,
    channels: usize,
    places: &'a [f32],
    points: &'a mut [f32],
    write: Write<'a>,
    transform: PhantomData<(T, F)>,
}

fn to_points<T: Tile, F: Transform>(
    domain: &Domain,
    channels: usize,
    places: &[f32],
    points: &mut [f32],
    write: Write<'_>,
) {
    translated(
        Instructions::detected(),
        ToPoints::<T, F> { domain, channels, places, points, write, transform: PhantomData },
    );
}

impl<T: Tile, F: Transform> Work for ToPoints<'_, T, F> {
    #[inline(always)]
    fn run<M: Machine>(mut self, machine: M) {
        each_tile::<T, M>(machine, self.domain, self.channels, &mut self);
    }
}

impl<T: Tile, F: Transform> TileWork for ToPoints<'_, T, F> {
    #[inline(always)]
    fn tile<M: Machine>(&mut self, machine: M, (x, y): (usize, usize), to: usize, from: usize) {
        let (width, height) = (self.domain.width, self.domain.height);
        let stride = self.domain.stride(self.channels);
        let mut grid = [[machine.zero(); 6]; 6];
        for (row, line) in grid.iter_mut().enumerate().take(T::PLACES) {
            for (column, lane) in line.iter_mut().enumerate().take(T::PLACES) {
                *lane = machine.load(&self.places[from + (row * T::PLACES + column) * stride..]);
            }
            F::apply(line);
        }
        for column in 0..F::SPAN {
            let px = (x + column).wrapping_sub(F::BEFORE);
            if px >= width {
                continue;
            }
            let mut line = [machine.zero(); 6];
            for (lane, from) in line.iter_mut().zip(&grid).take(T::PLACES) {
                *lane = from[column];
            }
            F::apply(&mut line);
            for (row, &lane) in line.iter().enumerate().take(F::SPAN) {
                let py = (y + row).wrapping_sub(F::BEFORE);
                if py >= height {
                    continue;
                }
                let at = to + (py * width + px) * self.channels;
                let sum = match self.write {
                    Write::Replace => lane,
                    Write::Add => machine.load(&self.points[at..]) + lane,
                    Write::AddTo(base) => machine.load(&base[at..]) + lane,
                };
                machine.store(sum, &mut self.points[at..]);
            }
        }
    }
}
