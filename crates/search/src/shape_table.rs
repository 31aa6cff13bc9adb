//! From the hash of a shape to a number: open addressing, made once and then only read.

/// Marks a free slot; a shape with this hash is never found, which harms nobody.
const FREE: u32 = u32::MAX;

/// Shapes with a value each.
#[derive(Clone)]
pub(crate) struct ShapeTable<V> {
    slots: Box<[(u32, V)]>,
    shift: u32,
}

impl<V: Copy + Default> ShapeTable<V> {
    /// The table of these pairs; of pairs with the same hash the first counts.
    pub(crate) fn new(pairs: impl ExactSizeIterator<Item = (u32, V)>) -> ShapeTable<V> {
        let bits = (2 * pairs.len()).next_power_of_two().trailing_zeros().max(4);
        let mut table =
            ShapeTable { slots: vec![(FREE, V::default()); 1 << bits].into_boxed_slice(), shift: 32 - bits };
        for (hash, value) in pairs {
            let slot = table.find(hash);
            if table.slots[slot].0 == FREE {
                table.slots[slot] = (hash, value);
            }
        }
        table
    }

    /// The value of a shape.
    #[inline]
    pub(crate) fn get(&self, hash: u32) -> Option<V> {
        let (found, value) = self.slots[self.find(hash)];
        (found == hash && hash != FREE).then_some(value)
    }

    /// The slot that holds the hash, or the free one where it belongs; at least half of all are free.
    #[inline]
    fn find(&self, hash: u32) -> usize {
        let mut slot = (hash.wrapping_mul(0x9E37_79B1) >> self.shift) as usize;
        while self.slots[slot].0 != hash && self.slots[slot].0 != FREE {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_put_in_and_nothing_else() {
        let pairs: Vec<(u32, u32)> = (0..1000).map(|i: u32| (i.wrapping_mul(0x0135_7913), i)).collect();
        let table = ShapeTable::new(pairs.iter().copied());
        assert!(pairs.iter().all(|&(hash, value)| table.get(hash) == Some(value)));
        assert!((1..1000).all(|i: u32| table.get(i.wrapping_mul(0x0135_7913) ^ 1 << 31).is_none()));
        assert!(ShapeTable::<u32>::new(std::iter::empty()).get(7).is_none());
    }
}
