//! From games in memory to batches: which positions when, and what a network sees of them.

mod order;

pub(crate) use order::Order;
