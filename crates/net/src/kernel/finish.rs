//! What becomes of the sums of a convolution: added to the trunk, normed, activated, stored.

use super::activation::activate;
use super::lanes::Lanes;
use super::simd::Simd;
use crate::model::Activation;

/// Where the sums of a convolution go. All buffers have a row of `columns` lanes per point, after one row for what is outside of the
/// board.
pub(crate) struct Finish<'a> {
    /// Lanes of a row.
    pub(crate) columns: usize,
    /// The sums themselves.
    pub(crate) raw: Raw<'a>,
    /// The sums (with what they were added to) after norm and activation.
    pub(crate) active: Option<Active<'a>>,
}

/// What is done with the sums themselves.
pub(crate) enum Raw<'a> {
    /// Nothing.
    Drop,
    /// Stored.
    Set(&'a mut [Lanes]),
    /// Added to what is there.
    Add(&'a mut [Lanes]),
}

/// A norm, an activation, and where the result goes.
pub(crate) struct Active<'a> {
    pub(crate) to: &'a mut [Lanes],
    pub(crate) norm: Norm<'a>,
}

/// `activation(x * scale + bias)`, by channel.
#[derive(Clone, Copy)]
pub(crate) struct Norm<'a> {
    pub(crate) scale: &'a [Lanes],
    pub(crate) bias: &'a [Lanes],
    pub(crate) activation: Activation,
}

impl Norm<'_> {
    /// The norm of sixteen channels, in registers.
    #[inline(always)]
    pub(crate) fn column<S: Simd>(&self, simd: S, column: usize) -> ColumnNorm<S> {
        ColumnNorm {
            scale: simd.load(&self.scale[column]),
            bias: simd.load(&self.bias[column]),
            activation: self.activation,
        }
    }
}

/// The norm of sixteen channels.
pub(crate) struct ColumnNorm<S: Simd> {
    scale: S::Vector,
    bias: S::Vector,
    activation: Activation,
}

impl<S: Simd> ColumnNorm<S> {
    /// Norm and activation of sixteen numbers.
    #[inline(always)]
    pub(crate) fn apply(&self, simd: S, x: S::Vector) -> S::Vector {
        activate(simd, self.activation, simd.mul_add(x, self.scale, self.bias))
    }
}

impl Finish<'_> {
    /// What is needed again and again in a column.
    #[inline(always)]
    pub(crate) fn column<S: Simd>(&self, simd: S, column: usize) -> Option<ColumnNorm<S>> {
        let active = self.active.as_ref()?;
        Some(active.norm.column(simd, column))
    }

    /// Takes the sums of one row in one column.
    #[inline(always)]
    pub(crate) fn take<S: Simd>(
        &mut self,
        simd: S,
        row: usize,
        column: usize,
        norm: &Option<ColumnNorm<S>>,
        sums: S::Vector,
    ) {
        let place = row * self.columns + column;
        let sums = match &mut self.raw {
            Raw::Drop => sums,
            Raw::Set(to) => {
                simd.store(&mut to[place], sums);
                sums
            }
            Raw::Add(to) => {
                let total = simd.add(sums, simd.load(&to[place]));
                simd.store(&mut to[place], total);
                total
            }
        };
        if let (Some(active), Some(norm)) = (&mut self.active, norm) {
            simd.store(&mut active.to[place], norm.apply(simd, sums));
        }
    }
}
