//! From games in memory to batches: which positions when, and what a network sees of them.

mod expand;
mod order;

pub(crate) use expand::Expander;
pub use expand::Mix;
pub(crate) use order::Order;
