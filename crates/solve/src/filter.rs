//! A small set of hashes with false positives.

/// Tells quickly that most positions are not on the path.
pub(crate) struct Filter {
    counts: [u16; Filter::SLOTS],
}

impl Filter {
    const SLOTS: usize = 4096;

    pub(crate) fn new() -> Filter {
        Filter { counts: [0; Filter::SLOTS] }
    }

    pub(crate) fn add(&mut self, hash: u64) {
        let count = &mut self.counts[Filter::slot(hash)];
        *count = count.saturating_add(1);
    }

    pub(crate) fn remove(&mut self, hash: u64) {
        let count = &mut self.counts[Filter::slot(hash)];
        *count = count.saturating_sub(1);
    }

    #[inline(always)]
    pub(crate) fn may_contain(&self, hash: u64) -> bool {
        self.counts[Filter::slot(hash)] > 0
    }

    #[inline(always)]
    fn slot(hash: u64) -> usize {
        hash as usize % Filter::SLOTS
    }
}
