//! Minimal filtering: 3×3 convolutions with fewer multiplications.
//!
//! Winograd's algorithm as Lavin and Gray (2015) use it for networks: a square tile of input is transformed, multiplied number by
//! number with the transformed weights, summed over the channels, and transformed back to a tile of output. A tile of m × m points needs
//! (m + 2)² multiplications per pair of channels instead of 9m²: 2.8 per point for m = 3 and 2.25 for m = 4.
//!
//! The transforms follow from evaluating polynomials at m + 1 points and at infinity (Toom and Cook). The usual points 0, ±1, ±2 lose
//! digits; Barabasz et al. (2020) show how much the choice matters. Here they are pairs ±a, ±c (and 0 for m = 4), found by trying
//! dyadic numbers: with multiplicands in bf16 and random numbers the error is 0.5 % for m = 3 (1.2 % with 0, ±1, 2) and 0.8 % for m = 4 (2.0 %
//! with 0, ±1, ±2), where direct convolution has 0.25 %; in f32 it is below 1e-6.

use super::simd::Simd;
use crate::model::Conv;

/// The side of a tile of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TileSize {
    /// Three points; nine tiles fit on 9×9.
    Three,
    /// Four points.
    Four,
}

impl TileSize {
    /// All of them.
    pub(crate) const ALL: [TileSize; 2] = [TileSize::Three, TileSize::Four];

    /// The side of a tile of output.
    pub(crate) fn inner(self) -> usize {
        match self {
            TileSize::Three => 3,
            TileSize::Four => 4,
        }
    }

    /// The side of a tile of input.
    pub(crate) fn outer(self) -> usize {
        self.inner() + 2
    }

    /// The numbers of a transformed tile.
    pub(crate) fn positions(self) -> usize {
        self.outer() * self.outer()
    }

    /// The one that needs fewer multiplications on a board.
    pub(crate) fn best(width: usize, height: usize) -> TileSize {
        let cost =
            |size: TileSize| width.div_ceil(size.inner()) * height.div_ceil(size.inner()) * size.positions();
        if cost(TileSize::Three) <= cost(TileSize::Four) { TileSize::Three } else { TileSize::Four }
    }

    /// The points at which polynomials are evaluated, infinity excepted.
    fn points(self) -> &'static [f64] {
        const A3: f64 = Three::A as f64;
        const C3: f64 = Three::C as f64;
        const A4: f64 = Four::A as f64;
        const C4: f64 = Four::C as f64;
        match self {
            TileSize::Three => &[A3, -A3, C3, -C3],
            TileSize::Four => &[0.0, A4, -A4, C4, -C4],
        }
    }

    /// Transforms the weights of a 3×3 convolution: `[position][input][output]`.
    pub(crate) fn transform_weights(self, conv: &Conv) -> Vec<f32> {
        assert_eq!((conv.height, conv.width), (3, 3), "a kernel of another size");
        let (outer, pairs) = (self.outer(), conv.inputs * conv.outputs);
        let factors = self.weight_factors();
        let mut transformed = vec![0.0; self.positions() * pairs];
        let mut sums = vec![0.0; pairs];
        for row in 0..outer {
            for column in 0..outer {
                sums.fill(0.0);
                for (place, weights) in conv.weights.chunks_exact(pairs).enumerate() {
                    let factor = factors[row][place / 3] * factors[column][place % 3];
                    for (sum, &weight) in sums.iter_mut().zip(weights) {
                        *sum += factor * f64::from(weight);
                    }
                }
                let position = row * outer + column;
                for (to, &sum) in transformed[position * pairs..].iter_mut().zip(&sums) {
                    *to = sum as f32;
                }
            }
        }
        transformed
    }

    /// How large a number of a transformed tile can be if those of the tile are at most 1.
    pub(crate) fn input_bound(self, position: usize) -> f32 {
        // By row: the sum of the absolute coefficients of the product of x − q over all points q but the row's own.
        let bound = |row: usize| {
            let mut coefficients = vec![1.0f64];
            for (_, q) in self.points().iter().enumerate().filter(|(index, _)| *index != row) {
                let shifted = std::iter::once(0.0).chain(coefficients.iter().copied());
                let scaled = coefficients.iter().map(|c| -q * c).chain([0.0]);
                coefficients = shifted.zip(scaled).map(|(a, b)| a + b).collect();
            }
            coefficients.iter().map(|c| c.abs()).sum::<f64>()
        };
        (bound(position / self.outer()) * bound(position % self.outer())) as f32
    }

    /// A row per point p: 1, p, p², divided by the product of p − q over all other points q; 0, 0, 1 for infinity.
    fn weight_factors(self) -> [[f64; 3]; 6] {
        let points = self.points();
        let mut factors = [[0.0, 0.0, 1.0]; 6];
        for (factors, &p) in factors.iter_mut().zip(points) {
            let scale: f64 = points.iter().filter(|&&q| q != p).map(|q| p - q).product();
            *factors = [1.0 / scale, p / scale, p * p / scale];
        }
        factors
    }
}

/// The transforms of one size in one dimension; the others are [`TileSize::transform_weights`].
pub(crate) trait Transform<const OUTER: usize, const INNER: usize> {
    /// Of the input: a row per point p, the coefficients of the product of x − q over all other points q; the product over all
    /// points for infinity.
    fn input<S: Simd>(simd: S, d: [S::Vector; OUTER]) -> [S::Vector; OUTER];
    /// Back to the output: the sums of mₚ · pⁱ over all points p, and for infinity only the last sum.
    fn output<S: Simd>(simd: S, m: [S::Vector; OUTER]) -> [S::Vector; INNER];
}

/// The powers of a number from 0 to 3.
const fn powers(x: f32) -> [f32; 4] {
    [1.0, x, x * x, x * x * x]
}

/// Transforms for [`TileSize::Three`]: a, −a, c, −c, infinity.
pub(crate) struct Three;

impl Three {
    const A: f32 = 0.375;
    const C: f32 = 1.25;
}

/// Transforms for [`TileSize::Four`]: 0, a, −a, c, −c, infinity.
pub(crate) struct Four;

impl Four {
    const A: f32 = 0.625;
    const C: f32 = 1.5;

    /// aⁿ of one number and cⁿ of the other.
    #[inline(always)]
    fn weigh<S: Simd>(simd: S, n: usize, from_a: S::Vector, from_c: S::Vector) -> S::Vector {
        let from_c = simd.mul(from_c, simd.splat(powers(Self::C)[n]));
        simd.mul_add(from_a, simd.splat(powers(Self::A)[n]), from_c)
    }
}

/// The two products for the points `p` and `-p`, the other pair having the square `q2`: (x³ − q²x) ± p(x² − q²), of
/// three powers less `lower`.
#[inline(always)]
fn pair<S: Simd>(simd: S, d: &[S::Vector], p: f32, q2: f32) -> [S::Vector; 2] {
    let odd = simd.mul_add(d[1], simd.splat(-q2), d[3]);
    let even = simd.mul_add(d[0], simd.splat(-q2), d[2]);
    [simd.mul_add(even, simd.splat(p), odd), simd.mul_add(even, simd.splat(-p), odd)]
}

/// The product over both pairs: x⁴ − (a² + c²)x² + a²c².
#[inline(always)]
fn square<S: Simd>(simd: S, d: &[S::Vector], a2: f32, c2: f32) -> S::Vector {
    let upper = simd.mul_add(d[2], simd.splat(-(a2 + c2)), d[4]);
    simd.mul_add(d[0], simd.splat(a2 * c2), upper)
}

impl Transform<5, 3> for Three {
    #[inline(always)]
    fn input<S: Simd>(simd: S, d: [S::Vector; 5]) -> [S::Vector; 5] {
        let (a2, c2) = (Self::A * Self::A, Self::C * Self::C);
        let [plus_a, minus_a] = pair(simd, &d, Self::A, c2);
        let [plus_c, minus_c] = pair(simd, &d, Self::C, a2);
        [plus_a, minus_a, plus_c, minus_c, square(simd, &d, a2, c2)]
    }

    #[inline(always)]
    fn output<S: Simd>(simd: S, m: [S::Vector; 5]) -> [S::Vector; 3] {
        let (a, c) = (simd.splat(Self::A), simd.splat(Self::C));
        let (a2, c2) = (simd.splat(Self::A * Self::A), simd.splat(Self::C * Self::C));
        let (sum_a, difference_a) = (simd.add(m[0], m[1]), simd.sub(m[0], m[1]));
        let (sum_c, difference_c) = (simd.add(m[2], m[3]), simd.sub(m[2], m[3]));
        [
            simd.add(sum_a, sum_c),
            simd.mul_add(difference_a, a, simd.mul(difference_c, c)),
            simd.mul_add(sum_a, a2, simd.mul_add(sum_c, c2, m[4])),
        ]
    }
}

impl Transform<6, 4> for Four {
    #[inline(always)]
    fn input<S: Simd>(simd: S, d: [S::Vector; 6]) -> [S::Vector; 6] {
        let (a2, c2) = (Self::A * Self::A, Self::C * Self::C);
        // Multiplied by x for the point 0.
        let [plus_a, minus_a] = pair(simd, &d[1..], Self::A, c2);
        let [plus_c, minus_c] = pair(simd, &d[1..], Self::C, a2);
        [square(simd, &d, a2, c2), plus_a, minus_a, plus_c, minus_c, square(simd, &d[1..], a2, c2)]
    }

    #[inline(always)]
    fn output<S: Simd>(simd: S, m: [S::Vector; 6]) -> [S::Vector; 4] {
        let (sum_a, difference_a) = (simd.add(m[1], m[2]), simd.sub(m[1], m[2]));
        let (sum_c, difference_c) = (simd.add(m[3], m[4]), simd.sub(m[3], m[4]));
        [
            simd.add(m[0], simd.add(sum_a, sum_c)),
            Self::weigh(simd, 1, difference_a, difference_c),
            Self::weigh(simd, 2, sum_a, sum_c),
            simd.add(Self::weigh(simd, 3, difference_a, difference_c), m[5]),
        ]
    }
}
