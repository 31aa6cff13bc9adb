//! What the instructions do with the registers, by Intel's manual (volume 2, "LDTILECFG", "TILELOADD", "TILESTORED", "TDPBF16PS").
//!
//! Palette 1 is implemented: eight registers of up to 16 rows of up to 64 bytes. A row to start with is refused: processors use it only to go on with a
//! load that a page fault has interrupted.

use std::fmt;

/// Most rows of a register.
pub(super) const ROWS: usize = 16;
/// Most bytes of a row.
pub(super) const BYTES: usize = 64;
/// Registers of palette 1.
const REGISTERS: usize = 8;

/// What a processor would refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The configuration breaks a rule.
    Configuration(&'static str),
    /// Tile registers are used without a configuration.
    NotConfigured,
    /// The register has no rows.
    NoShape(usize),
    /// A product of registers that are not three different ones.
    SameRegister,
    /// A product of shapes that do not fit together.
    Shapes { sums: Shape, left: Shape, right: Shape },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Configuration(what) => write!(f, "a wrong configuration: {what}"),
            Fault::NotConfigured => f.write_str("the tile registers are not configured"),
            Fault::NoShape(register) => write!(f, "tmm{register} has no rows"),
            Fault::SameRegister => f.write_str("a product uses a register twice"),
            Fault::Shapes { sums, left, right } => {
                write!(f, "the shapes {left} times {right} do not make {sums}")
            }
        }
    }
}

/// The size of a register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) rows: usize,
    /// Of a row.
    pub(super) bytes: usize,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows of {} bytes", self.rows, self.bytes)
    }
}

/// The data of a register; what lies outside its shape is zero.
pub(super) type Data = [[u8; BYTES]; ROWS];

/// The registers of a thread.
pub(super) struct Tiles {
    /// Nothing before a configuration and after a release.
    shapes: Option<[Shape; REGISTERS]>,
    data: [Data; REGISTERS],
}

impl Tiles {
    /// As a thread begins.
    pub(super) const RELEASED: Tiles = Tiles { shapes: None, data: [[[0; BYTES]; ROWS]; REGISTERS] };

    /// LDTILECFG
    pub(super) fn configure(&mut self, from: &[u8; 64]) -> Result<(), Fault> {
        let palette = from[0];
        *self = Tiles::RELEASED;
        if palette == 0 {
            return Ok(());
        }
        let rule =
            |holds: bool, what: &'static str| if holds { Ok(()) } else { Err(Fault::Configuration(what)) };
        rule(palette == 1, "an unknown palette")?;
        rule(from[1] == 0, "a row to start with")?;
        let reserved = from[2..16].iter().chain(&from[32..48]).chain(&from[56..64]);
        rule(reserved.copied().all(|byte| byte == 0), "reserved bytes are not zero")?;
        let mut shapes = [Shape::default(); REGISTERS];
        for (register, shape) in shapes.iter_mut().enumerate() {
            let place = 16 + 2 * register;
            shape.bytes = usize::from(u16::from_le_bytes([from[place], from[place + 1]]));
            shape.rows = usize::from(from[48 + register]);
            rule(shape.bytes <= BYTES, "too long rows")?;
            rule(shape.rows <= ROWS, "too many rows")?;
            rule((shape.rows == 0) == (shape.bytes == 0), "rows without bytes, or bytes without rows")?;
        }
        self.shapes = Some(shapes);
        Ok(())
    }

    /// TILERELEASE
    pub(super) fn release(&mut self) {
        *self = Tiles::RELEASED;
    }

    /// The shape of a register that can be used.
    pub(super) fn shape(&self, register: usize) -> Result<Shape, Fault> {
        let shape = self.shapes.ok_or(Fault::NotConfigured)?[register];
        if shape.rows == 0 { Err(Fault::NoShape(register)) } else { Ok(shape) }
    }

    /// TILEZERO, and what a load begins with.
    pub(super) fn zero(&mut self, register: usize) -> Result<&mut Data, Fault> {
        self.shape(register)?;
        self.data[register] = [[0; BYTES]; ROWS];
        Ok(&mut self.data[register])
    }

    /// The data of a register.
    pub(super) fn data(&self, register: usize) -> &Data {
        &self.data[register]
    }

    /// TDPBF16PS: adds the products of pairs of bf16 numbers, those of 16 rows and of 16 columns.
    ///
    /// For each sum, the products of the first numbers of all pairs are summed up from zero, and those of the second ones; then both sums are
    /// added, and what comes out is added to what was there. Each product is added with one rounding, to the nearest, ties to even. Denormal
    /// numbers count as zero before and after each operation, with their sign; only a result that rounds up to the smallest normal number stays
    /// one here, whether or not a processor looks at it before that rounding. MXCSR plays no role.
    #[inline(always)]
    pub(super) fn multiply(&mut self, sums: usize, left: usize, right: usize) -> Result<(), Fault> {
        if sums == left || sums == right || left == right {
            return Err(Fault::SameRegister);
        }
        let (to, a, b) = (self.shape(sums)?, self.shape(left)?, self.shape(right)?);
        let whole = [to, a, b].iter().all(|shape| shape.bytes.is_multiple_of(4));
        if !whole || (to.rows, to.bytes, a.bytes / 4) != (a.rows, b.bytes, b.rows) {
            return Err(Fault::Shapes { sums: to, left: a, right: b });
        }
        let b_pairs = self.data[right].map(|row| pairs(&row));
        for m in 0..to.rows {
            let a_pairs = pairs(&self.data[left][m]);
            let mut partial = [[0.0f32; BYTES / 4]; 2];
            for (k, [b_first, b_second]) in b_pairs.iter().enumerate().take(a.bytes / 4) {
                for n in 0..BYTES / 4 {
                    partial[0][n] = flush(a_pairs[0][k].mul_add(b_first[n], partial[0][n]));
                    partial[1][n] = flush(a_pairs[1][k].mul_add(b_second[n], partial[1][n]));
                }
            }
            let row = &mut self.data[sums][m];
            for (n, number) in row.chunks_exact_mut(4).enumerate().take(to.bytes / 4) {
                let before = flush(f32::from_le_bytes([number[0], number[1], number[2], number[3]]));
                let added = flush(partial[0][n] + partial[1][n]);
                number.copy_from_slice(&flush(before + added).to_le_bytes());
            }
        }
        Ok(())
    }
}

/// The first and the second numbers of the pairs of a row, denormal ones as zero.
#[inline(always)]
fn pairs(row: &[u8; BYTES]) -> [[f32; BYTES / 4]; 2] {
    [0, 2].map(|first| {
        std::array::from_fn(|pair| {
            let place = 4 * pair + first;
            flush(f32::from_le_bytes([0, 0, row[place], row[place + 1]]))
        })
    })
}

/// Zero of the same sign for a denormal number, any other number as it is.
#[inline(always)]
fn flush(x: f32) -> f32 {
    if x.abs() < f32::MIN_POSITIVE { 0.0f32.copysign(x) } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configuration(shapes: &[(u8, u8)]) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[0] = 1;
        for (register, &(rows, row_bytes)) in shapes.iter().enumerate() {
            bytes[16 + 2 * register] = row_bytes;
            bytes[48 + register] = rows;
        }
        bytes
    }

    fn configured(shapes: &[(u8, u8)]) -> Tiles {
        let mut tiles = Tiles::RELEASED;
        tiles.configure(&configuration(shapes)).unwrap();
        tiles
    }

    #[test]
    fn wrong_configurations_are_refused() {
        let right = configuration(&[(16, 64), (3, 12)]);
        let mut tiles = Tiles::RELEASED;
        assert_eq!(tiles.configure(&right), Ok(()));
        assert_eq!(tiles.shape(1), Ok(Shape { rows: 3, bytes: 12 }));
        assert_eq!(tiles.shape(2), Err(Fault::NoShape(2)));
        for (place, byte) in [
            (0, 2),
            (1, 1),
            (2, 1),
            (15, 1),
            (16, 65),
            (17, 1),
            (32, 1),
            (47, 1),
            (48, 17),
            (48, 0),
            (50, 1),
            (20, 4),
            (56, 1),
            (63, 1),
        ] {
            let mut wrong = right;
            wrong[place] = byte;
            let refused = tiles.configure(&wrong);
            assert!(matches!(refused, Err(Fault::Configuration(_))), "byte {place} is {byte}: {refused:?}");
        }
        assert_eq!(tiles.configure(&right), Ok(()));
        tiles.release();
        assert_eq!(tiles.shape(0), Err(Fault::NotConfigured));
        assert_eq!(tiles.multiply(0, 1, 2), Err(Fault::NotConfigured));
        assert_eq!(tiles.zero(0).err(), Some(Fault::NotConfigured));
    }

    #[test]
    fn products_of_wrong_shapes_are_refused() {
        for (shapes, fits) in [
            ([(2, 12), (2, 8), (2, 12)], true),
            ([(3, 12), (2, 8), (2, 12)], false),
            ([(2, 12), (2, 8), (2, 8)], false),
            ([(2, 12), (2, 8), (3, 12)], false),
            ([(2, 10), (2, 8), (2, 10)], false),
        ] {
            let result = configured(&shapes).multiply(0, 1, 2);
            assert!(
                if fits { result.is_ok() } else { matches!(result, Err(Fault::Shapes { .. })) },
                "{shapes:?}"
            );
        }
        let mut tiles = configured(&[(16, 64); 3]);
        for registers in [[0, 0, 1], [0, 1, 0], [0, 1, 1]] {
            let [sums, left, right] = registers;
            assert_eq!(tiles.multiply(sums, left, right), Err(Fault::SameRegister), "{registers:?}");
        }
    }

    /// The sum of one row and one column.
    fn sum(before: f32, left: &[[f32; 2]], right: &[[f32; 2]]) -> f32 {
        let pairs = left.len();
        let mut tiles = configured(&[(1, 4), (1, 4 * pairs as u8), (pairs as u8, 4)]);
        let bf16 = |x: f32| {
            assert_eq!(x.to_bits() as u16, 0, "{x} has too many bits");
            (x.to_bits() >> 16) as u16
        };
        let bytes = |pair: &[f32; 2]| {
            let [first, second] = pair.map(|x| bf16(x).to_le_bytes());
            [first[0], first[1], second[0], second[1]]
        };
        tiles.data[0][0][..4].copy_from_slice(&before.to_le_bytes());
        for (k, (left, right)) in left.iter().zip(right).enumerate() {
            tiles.data[1][0][4 * k..][..4].copy_from_slice(&bytes(left));
            tiles.data[2][k][..4].copy_from_slice(&bytes(right));
        }
        tiles.multiply(0, 1, 2).unwrap();
        f32::from_le_bytes(tiles.data[0][0][..4].try_into().unwrap())
    }

    #[test]
    fn sums_are_rounded_in_their_order() {
        let large = 2f32.powi(24);
        assert_eq!(sum(10.0, &[[1.0, 2.0], [3.0, 4.0]], &[[5.0, 6.0], [7.0, 8.0]]), 10.0 + 70.0);
        // First numbers by themselves, and second ones: 2²⁴ + 1 + … one after the other would lose each 1, and so would the sum that was there.
        assert_eq!(sum(0.0, &[[large, 1.0], [0.0, 1.0]], &[[1.0, 1.0], [1.0, 1.0]]), large + 2.0);
        assert_eq!(sum(large, &[[1.0, 0.0], [1.0, 0.0]], &[[1.0, 1.0], [1.0, 1.0]]), large + 2.0);
        assert_eq!(sum(0.0, &[[large, 0.0], [1.0, 0.0], [1.0, 0.0]], &[[1.0, 0.0]; 3]), large);
        // Ties to even.
        assert_eq!(sum(large + 2.0, &[[1.0, 0.0]], &[[1.0, 0.0]]), large + 4.0);
        assert_eq!(sum(large, &[[1.0, 0.0]], &[[1.0, 0.0]]), large);
        // A product larger than all numbers is not rounded before it is added.
        let huge = 2f32.powi(127);
        assert_eq!(sum(0.0, &[[huge, 0.0], [huge, 0.0]], &[[-1.0, 0.0], [2.0, 0.0]]), huge);
    }

    #[test]
    fn denormal_numbers_are_zero() {
        let (smallest, half) = (f32::MIN_POSITIVE, f32::MIN_POSITIVE / 2.0);
        assert_eq!(sum(0.0, &[[smallest, 0.0]], &[[1.0, 0.0]]), smallest);
        assert_eq!(sum(0.0, &[[smallest, 0.0]], &[[0.5, 0.0]]), 0.0, "a product");
        assert_eq!(sum(0.0, &[[half, 0.0]], &[[4.0, 0.0]]), 0.0, "a multiplicand");
        assert_eq!(sum(0.0, &[[4.0, 0.0]], &[[half, 0.0]]), 0.0, "the other one");
        assert_eq!(sum(half, &[[smallest, 0.0]], &[[1.0, 0.0]]), smallest, "the sum that was there");
        assert_eq!(sum(-1.5 * smallest, &[[smallest, 0.0]], &[[1.0, 0.0]]), 0.0, "the result");
        let negative = sum(1.5 * -smallest, &[[smallest, 0.0]], &[[1.0, 0.0]]);
        assert!(negative.is_sign_negative(), "the sign is lost");
    }
}
