//! Transforms of whole boards: between points and places.
//!
//! Sixteen channels at a time, then single ones for what is left. Points of a tile that are off the board read as zero and
//! are not written.

use super::lane::Lane;
use super::tile::{Four, Line, Three, Tile};
use super::{Domain, Tiling};
use std::marker::PhantomData;

/// Channels at a time.
const LANES: usize = 16;

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

    fn apply<const L: usize>(line: &mut Line<L>);
}

struct Input<T>(PhantomData<T>);
struct InputAdjoint<T>(PhantomData<T>);
struct Output<T>(PhantomData<T>);
struct OutputAdjoint<T>(PhantomData<T>);

impl<T: Tile> Transform for Input<T> {
    const SPAN: usize = T::PLACES;
    const BEFORE: usize = 1;

    #[inline(always)]
    fn apply<const L: usize>(line: &mut Line<L>) {
        T::input(line);
    }
}

impl<T: Tile> Transform for InputAdjoint<T> {
    const SPAN: usize = T::PLACES;
    const BEFORE: usize = 1;

    #[inline(always)]
    fn apply<const L: usize>(line: &mut Line<L>) {
        T::input_adjoint(line);
    }
}

impl<T: Tile> Transform for Output<T> {
    const SPAN: usize = T::SIDE;
    const BEFORE: usize = 0;

    #[inline(always)]
    fn apply<const L: usize>(line: &mut Line<L>) {
        T::output(line);
    }
}

impl<T: Tile> Transform for OutputAdjoint<T> {
    const SPAN: usize = T::SIDE;
    const BEFORE: usize = 0;

    #[inline(always)]
    fn apply<const L: usize>(line: &mut Line<L>) {
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

impl<'a> Write<'a> {
    /// For the points from `first` on.
    fn from(self, first: usize) -> Write<'a> {
        match self {
            Write::AddTo(base) => Write::AddTo(&base[first..]),
            other => other,
        }
    }
}

fn to_places<T: Tile, F: Transform>(domain: &Domain, channels: usize, points: &[f32], places: &mut [f32]) {
    each_tile::<T>(domain, |board, x, y, tile| {
        let points = &points[board * domain.width * domain.height * channels..];
        let mut channel = 0;
        while channel + LANES <= channels {
            tile_to_places::<T, F, LANES>(domain, channels, channel, points, (x, y), places, tile);
            channel += LANES;
        }
        while channel < channels {
            tile_to_places::<T, F, 1>(domain, channels, channel, points, (x, y), places, tile);
            channel += 1;
        }
    });
}

fn to_points<T: Tile, F: Transform>(
    domain: &Domain,
    channels: usize,
    places: &[f32],
    points: &mut [f32],
    write: Write<'_>,
) {
    each_tile::<T>(domain, |board, x, y, tile| {
        let first = board * domain.width * domain.height * channels;
        let (points, write) = (&mut points[first..], write.from(first));
        let mut channel = 0;
        while channel + LANES <= channels {
            tile_to_points::<T, F, LANES>(domain, channels, channel, places, tile, points, (x, y), write);
            channel += LANES;
        }
        while channel < channels {
            tile_to_points::<T, F, 1>(domain, channels, channel, places, tile, points, (x, y), write);
            channel += 1;
        }
    });
}

/// Calls `visit` with the board, the first point and the number of each tile.
#[inline(always)]
fn each_tile<T: Tile>(domain: &Domain, mut visit: impl FnMut(usize, usize, usize, usize)) {
    let mut tile = 0;
    for board in 0..domain.boards {
        for y in (0..domain.height).step_by(T::SIDE) {
            for x in (0..domain.width).step_by(T::SIDE) {
                visit(board, x, y, tile);
                tile += 1;
            }
        }
    }
}

#[inline(always)]
fn tile_to_places<T: Tile, F: Transform, const L: usize>(
    domain: &Domain,
    channels: usize,
    channel: usize,
    points: &[f32],
    (x, y): (usize, usize),
    places: &mut [f32],
    tile: usize,
) {
    // Lanes are made one by one rather than filled into zeros, which would be written first.
    let mut grid: [Line<L>; 6] = std::array::from_fn(|row| {
        let py = (y + row).checked_sub(F::BEFORE).filter(|&py| row < F::SPAN && py < domain.height);
        std::array::from_fn(|column| {
            let px = (x + column).checked_sub(F::BEFORE).filter(|&px| column < F::SPAN && px < domain.width);
            match (py, px) {
                (Some(py), Some(px)) => Lane::load(&points[(py * domain.width + px) * channels + channel..]),
                _ => Lane::ZERO,
            }
        })
    });
    for line in grid.iter_mut().take(F::SPAN) {
        F::apply(line);
    }
    let stride = domain.stride(channels);
    for column in 0..T::PLACES {
        let mut line: Line<L> = grid.map(|line| line[column]);
        F::apply(&mut line);
        for (row, lane) in line.iter().enumerate().take(T::PLACES) {
            lane.store(&mut places[(row * T::PLACES + column) * stride + tile * channels + channel..]);
        }
    }
}

#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the two ends of a copy")]
fn tile_to_points<T: Tile, F: Transform, const L: usize>(
    domain: &Domain,
    channels: usize,
    channel: usize,
    places: &[f32],
    tile: usize,
    points: &mut [f32],
    (x, y): (usize, usize),
    write: Write<'_>,
) {
    let stride = domain.stride(channels);
    let mut grid: [Line<L>; 6] = std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            if row < T::PLACES && column < T::PLACES {
                Lane::load(&places[(row * T::PLACES + column) * stride + tile * channels + channel..])
            } else {
                Lane::ZERO
            }
        })
    });
    for line in grid.iter_mut().take(T::PLACES) {
        F::apply(line);
    }
    for column in 0..F::SPAN {
        let Some(px) = (x + column).checked_sub(F::BEFORE).filter(|&px| px < domain.width) else { continue };
        let mut line: Line<L> = grid.map(|line| line[column]);
        F::apply(&mut line);
        for (row, &lane) in line.iter().enumerate().take(F::SPAN) {
            if let Some(py) = (y + row).checked_sub(F::BEFORE).filter(|&py| py < domain.height) {
                let at = (py * domain.width + px) * channels + channel;
                let point = &mut points[at..];
                match write {
                    Write::Replace => lane.store(point),
                    Write::Add => lane.add_to(point),
                    Write::AddTo(base) => (Lane::load(&base[at..]) + lane).store(point),
                }
            }
        }
    }
}
