//! The random numbers of playouts: xoshiro256++ (Blackman, Vigna 2019), seeded by SplitMix64.
//!
//! Not `rand`: a playout draws once per move, the sequence is part of what a seed promises, and it must not change with
//! a dependency's version.

/// A seeded generator; the same seed gives the same sequence for ever.
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// A generator for a seed; any seed is as good as another.
    pub fn new(seed: u64) -> Rng {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        Rng { state: [next(), next(), next(), next()] }
    }

    /// A generator for stream `stream` of a seed: one per thread or game.
    pub fn for_stream(seed: u64, stream: u64) -> Rng {
        Rng::new(seed ^ stream.wrapping_mul(0xd134_2543_de82_ef95).rotate_left(32))
    }

    /// 64 random bits.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A number below `n`, which is not 0. The bias is at most `n / 2^32`.
    #[inline(always)]
    pub fn below(&mut self, n: usize) -> usize {
        (((self.next_u64() >> 32) * n as u64) >> 32) as usize
    }

    /// A number in `0.0..1.0`.
    #[inline(always)]
    pub fn unit(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / (1u64 << 24) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequence_equals_the_reference_implementation() {
        // From the authors' C code with the state 1, 2, 3, 4.
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let expected = [41943041, 58720359, 3588806011781223, 3591011842654386];
        assert_eq!(expected, std::array::from_fn(|_| rng.next_u64()));
    }

    #[test]
    fn below_is_in_range_and_hits_everything() {
        let mut rng = Rng::new(7);
        let mut seen = [false; 10];
        (0..1000).for_each(|_| seen[rng.below(10)] = true);
        assert_eq!(seen, [true; 10]);
    }
}
