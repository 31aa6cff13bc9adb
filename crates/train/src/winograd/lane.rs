//! A few channels at once, as the compiler's vectoriser likes them.

use std::ops::{Add, Mul, Sub};

/// `L` channels of one point or place.
#[derive(Clone, Copy)]
pub(super) struct Lane<const L: usize>(pub(super) [f32; L]);

impl<const L: usize> Lane<L> {
    pub(super) const ZERO: Lane<L> = Lane([0.0; L]);

    #[inline(always)]
    pub(super) fn load(values: &[f32]) -> Lane<L> {
        let mut lane = [0.0; L];
        lane.copy_from_slice(&values[..L]);
        Lane(lane)
    }

    #[inline(always)]
    pub(super) fn store(self, values: &mut [f32]) {
        values[..L].copy_from_slice(&self.0);
    }

    #[inline(always)]
    pub(super) fn add_to(self, values: &mut [f32]) {
        (Lane::load(values) + self).store(values);
    }
}

impl<const L: usize> Add for Lane<L> {
    type Output = Lane<L>;

    #[inline(always)]
    fn add(mut self, other: Lane<L>) -> Lane<L> {
        for i in 0..L {
            self.0[i] += other.0[i];
        }
        self
    }
}

impl<const L: usize> Sub for Lane<L> {
    type Output = Lane<L>;

    #[inline(always)]
    fn sub(mut self, other: Lane<L>) -> Lane<L> {
        for i in 0..L {
            self.0[i] -= other.0[i];
        }
        self
    }
}

impl<const L: usize> Mul<f32> for Lane<L> {
    type Output = Lane<L>;

    #[inline(always)]
    fn mul(mut self, factor: f32) -> Lane<L> {
        for i in 0..L {
            self.0[i] *= factor;
        }
        self
    }
}
