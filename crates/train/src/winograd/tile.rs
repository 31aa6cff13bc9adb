//! The two tilings: their one-dimensional transforms, written out, and those of the weights.
//!
//! The matrices are those of Toom–Cook interpolation at 0, 1, −1, 2 (and −2) and infinity. Each transform stands beside its adjoint; a
//! test compares every pair by the definition of the adjoint, and the whole with a convolution by its definition.

use super::Tiling;
use crate::kernel::Numbers;

/// The places or points along one side of a tile; a shorter side leaves the rest alone.
pub(super) type Line<N> = [N; 6];

/// One tiling: transforms along one side of a tile, in place.
pub(super) trait Tile {
    /// Points along the side.
    const SIDE: usize;
    /// Places along the side, `SIDE + 2`.
    const PLACES: usize;

    /// `Bᵀ d`.
    fn input<N: Numbers>(d: &mut Line<N>);
    /// `B v`, its adjoint.
    fn input_adjoint<N: Numbers>(v: &mut Line<N>);
    /// `Aᵀ m`: the first `SIDE` elements are the result.
    fn output<N: Numbers>(m: &mut Line<N>);
    /// `A y` of the first `SIDE` elements, its adjoint.
    fn output_adjoint<N: Numbers>(y: &mut Line<N>);
    /// `G`, one row per place.
    const WEIGHTS: &'static [[f32; 3]];
}

/// Tiles of 3×3 points.
pub(super) struct Three;

impl Tile for Three {
    const SIDE: usize = 3;
    const PLACES: usize = 5;

    #[inline(always)]
    fn input<N: Numbers>(d: &mut Line<N>) {
        let [d0, d1, d2, d3, d4] = [d[0], d[1], d[2], d[3], d[4]];
        let odd = d3 - d1;
        d[0] = (d0 - d2) * 2.0 + odd;
        d[1] = d3 - d1 * 2.0 - d2;
        d[2] = d3 + d1 * 2.0 - d2 * 3.0;
        d[3] = odd;
        d[4] = d4 - d2 - odd * 2.0;
    }

    #[inline(always)]
    fn input_adjoint<N: Numbers>(v: &mut Line<N>) {
        let [v0, v1, v2, v3, v4] = [v[0], v[1], v[2], v[3], v[4]];
        v[0] = v0 * 2.0;
        v[1] = (v2 - v1 + v4) * 2.0 - v0 - v3;
        v[2] = v0 * -2.0 - v1 - v2 * 3.0 - v4;
        v[3] = v0 + v1 + v2 + v3 - v4 * 2.0;
        v[4] = v4;
    }

    #[inline(always)]
    fn output<N: Numbers>(m: &mut Line<N>) {
        let [m0, m1, m2, m3, m4] = [m[0], m[1], m[2], m[3], m[4]];
        m[0] = m0 + m1 + m2 + m3;
        m[1] = m1 - m2 + m3 * 2.0;
        m[2] = m1 + m2 + m3 * 4.0 + m4;
    }

    #[inline(always)]
    fn output_adjoint<N: Numbers>(y: &mut Line<N>) {
        let [y0, y1, y2] = [y[0], y[1], y[2]];
        y[0] = y0;
        y[1] = y0 + y1 + y2;
        y[2] = y0 - y1 + y2;
        y[3] = y0 + y1 * 2.0 + y2 * 4.0;
        y[4] = y2;
    }

    const WEIGHTS: &'static [[f32; 3]] = &[
        [1.0 / 2.0, 0.0, 0.0],
        [-1.0 / 2.0, -1.0 / 2.0, -1.0 / 2.0],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0],
        [0.0, 0.0, 1.0],
    ];
}

/// Tiles of 4×4 points.
pub(super) struct Four;

impl Tile for Four {
    const SIDE: usize = 4;
    const PLACES: usize = 6;

    #[inline(always)]
    fn input<N: Numbers>(d: &mut Line<N>) {
        let [d0, d1, d2, d3, d4, d5] = [d[0], d[1], d[2], d[3], d[4], d[5]];
        let (far, near) = (d4 - d2 * 4.0, d3 - d1 * 4.0);
        let (outer, inner) = (d4 - d2, (d3 - d1) * 2.0);
        d[0] = d0 * 4.0 - d2 * 5.0 + d4;
        d[1] = far + near;
        d[2] = far - near;
        d[3] = outer + inner;
        d[4] = outer - inner;
        d[5] = d1 * 4.0 - d3 * 5.0 + d5;
    }

    #[inline(always)]
    fn input_adjoint<N: Numbers>(v: &mut Line<N>) {
        let [v0, v1, v2, v3, v4, v5] = [v[0], v[1], v[2], v[3], v[4], v[5]];
        let (near, far) = (v1 + v2, v3 + v4);
        let (left, right) = (v2 - v1, (v4 - v3) * 2.0);
        v[0] = v0 * 4.0;
        v[1] = left * 4.0 + right + v5 * 4.0;
        v[2] = v0 * -5.0 - near * 4.0 - far;
        v[3] = (v5 * -5.0) - left - right;
        v[4] = v0 + near + far;
        v[5] = v5;
    }

    #[inline(always)]
    fn output<N: Numbers>(m: &mut Line<N>) {
        let [m0, m1, m2, m3, m4, m5] = [m[0], m[1], m[2], m[3], m[4], m[5]];
        let (near, far) = (m1 + m2, m3 + m4);
        let (left, right) = (m1 - m2, m3 - m4);
        m[0] = m0 + near + far;
        m[1] = left + right * 2.0;
        m[2] = near + far * 4.0;
        m[3] = left + right * 8.0 + m5;
    }

    #[inline(always)]
    fn output_adjoint<N: Numbers>(y: &mut Line<N>) {
        let [y0, y1, y2, y3] = [y[0], y[1], y[2], y[3]];
        let (even, odd) = (y0 + y2, y1 + y3);
        let (even_far, odd_far) = (y0 + y2 * 4.0, y1 * 2.0 + y3 * 8.0);
        y[0] = y0;
        y[1] = even + odd;
        y[2] = even - odd;
        y[3] = even_far + odd_far;
        y[4] = even_far - odd_far;
        y[5] = y3;
    }

    const WEIGHTS: &'static [[f32; 3]] = &[
        [1.0 / 4.0, 0.0, 0.0],
        [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
        [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
        [0.0, 0.0, 1.0],
    ];
}

impl Tiling {
    fn weights(self) -> &'static [[f32; 3]] {
        match self {
            Tiling::Three => Three::WEIGHTS,
            Tiling::Four => Four::WEIGHTS,
        }
    }
}

/// `U = G g Gᵀ` for all pairs of channels: from `[3][3][pair]` to `[place][pair]`.
pub(crate) fn transform_weights(tiling: Tiling, pairs: usize, weights: &[f32], transformed: &mut [f32]) {
    let rows = tiling.weights();
    for (y, a) in rows.iter().enumerate() {
        for (x, b) in rows.iter().enumerate() {
            let place = &mut transformed[(y * rows.len() + x) * pairs..][..pairs];
            place.fill(0.0);
            for (cell, from) in weights.chunks_exact(pairs).enumerate() {
                let factor = a[cell / 3] * b[cell % 3];
                if factor != 0.0 {
                    place.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
                }
            }
        }
    }
}

/// `dg += Gᵀ dU G`, the adjoint of [`transform_weights`].
pub(crate) fn untransform_weights(tiling: Tiling, pairs: usize, transformed: &[f32], weights: &mut [f32]) {
    let rows = tiling.weights();
    for (y, a) in rows.iter().enumerate() {
        for (x, b) in rows.iter().enumerate() {
            let place = &transformed[(y * rows.len() + x) * pairs..][..pairs];
            for (cell, to) in weights.chunks_exact_mut(pairs).enumerate() {
                let factor = a[cell / 3] * b[cell % 3];
                if factor != 0.0 {
                    to.iter_mut().zip(place).for_each(|(to, from)| *to += factor * from);
                }
            }
        }
    }
}
