//! 3×3 convolutions by Winograd's minimal filtering (Lavin, Gray 2015), forward and backward.
//!
//! A board is covered by tiles of M×M points. With `t = M + 2`, a tile of the result is `Aᵀ [(G g Gᵀ) ⊙ (Bᵀ d B)] A`, where `d` are
//! the t×t inputs around it and `g` the nine weights. Summed over input channels the product `⊙` is, at each of the t² places,
//! a matrix product of tiles × inputs by inputs × outputs. Everything is linear, so the gradients are the same products with the
//! adjoint transforms around them:
//!
//! ```text
//! forward   V = Bᵀ d B     M = V · U       y = Aᵀ M A     U = G g Gᵀ
//! backward  dM = A dy Aᵀ   dV = dM · Uᵀ    dd = B dV Bᵀ
//!                          dU = Vᵀ · dM    dg = Gᵀ dU G
//! ```
//!
//! [`Three`] has M = 3, nine tiles of 5×5 on 9×9 exactly; [`Four`] has M = 4 and fits 19×19 better (20×20). Values are
//! `[board][point][channel]`; in the transformed domain `[place][tile][channel]`, with a gap between places (see
//! [`Domain::stride`]).

mod board;
mod tile;

pub(crate) use board::{input, input_adjoint, output, output_adjoint};
pub(crate) use tile::{transform_weights, untransform_weights};

use tile::{Four, Three, Tile};

/// Which tiles cover boards of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tiling {
    /// 3×3 points each.
    Three,
    /// 4×4 points each.
    Four,
}

impl Tiling {
    /// The cheaper one for a board.
    pub(crate) fn of(width: usize, height: usize) -> Tiling {
        let cost = |side: usize| width.div_ceil(side) * height.div_ceil(side) * (side + 2) * (side + 2);
        if cost(3) <= cost(4) { Tiling::Three } else { Tiling::Four }
    }

    /// Points along the side of a tile.
    pub(crate) fn side(self) -> usize {
        match self {
            Tiling::Three => Three::SIDE,
            Tiling::Four => Four::SIDE,
        }
    }

    /// Places of the transformed domain.
    pub(crate) fn places(self) -> usize {
        (self.side() + 2) * (self.side() + 2)
    }
}

/// The transformed domain of some boards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Domain {
    pub(crate) tiling: Tiling,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) boards: usize,
}

impl Domain {
    pub(crate) fn new(width: usize, height: usize, boards: usize) -> Domain {
        Domain { tiling: Tiling::of(width, height), width, height, boards }
    }

    /// Tiles of one board.
    pub(crate) fn tiles_per_board(&self) -> usize {
        self.width.div_ceil(self.tiling.side()) * self.height.div_ceil(self.tiling.side())
    }

    /// Tiles of all boards.
    pub(crate) fn tiles(&self) -> usize {
        self.boards * self.tiles_per_board()
    }

    /// Distance between places.
    ///
    /// A transform writes one vector to each place. Were the distance a multiple of 4,096 bytes, as it often would be, all of
    /// them would compete for the same few lines of the first cache: an odd number of cache lines avoids that.
    pub(crate) fn stride(&self, channels: usize) -> usize {
        ((self.tiles() * channels).div_ceil(16) | 1) * 16
    }

    /// Numbers in the domain.
    pub(crate) fn len(&self, channels: usize) -> usize {
        self.tiling.places() * self.stride(channels)
    }
}

#[cfg(test)]
mod tests;
