//! Buffers with a row per point.

use crate::kernel::lanes::Lanes;
use crate::kernel::memory::zeros;

/// Rows of lanes after a row of zeros, row 0. How many lanes a row has may change from use to use.
///
/// Row 1 is always at the same place, so row 0 is always among the zeros that nobody writes.
#[derive(Debug)]
pub(super) struct Rows {
    lanes: Vec<Lanes>,
    /// Most lanes of a row.
    most: usize,
}

impl Rows {
    /// Room for this many rows after row 0.
    pub(super) fn new(rows: usize, most: usize) -> Rows {
        Rows { lanes: zeros((rows + 1) * most), most }
    }

    /// The buffer with rows of this many lanes, from row 0.
    pub(super) fn view(&self, lanes: usize) -> &[Lanes] {
        &self.lanes[self.most - lanes..]
    }

    /// The buffer with rows of this many lanes, from row 0, which is to stay zero.
    pub(super) fn view_mut(&mut self, lanes: usize) -> &mut [Lanes] {
        &mut self.lanes[self.most - lanes..]
    }
}
