//! Laws that hold for every input, whatever its bytes, and a harness that looks for exceptions.
//!
//! A law is a function from bytes that panics if it is broken. The same functions serve two fuzzers: `fuzz/` feeds them from
//! libFuzzer, guided by coverage, which needs a nightly compiler; [`hunt`] mutates examples blindly on any compiler, in every test
//! run for two seconds a law and for longer by `cargo run --release --example fuzz -p tesuji-law -- 60`.
//!
//! What a law accepts and what it refuses is counted: a law that only ever sees one of the two has stopped testing.
//!
//! ```
//! use tesuji_law::{HuntLimit, Law, hunt};
//!
//! let law = Law::named("sgf").unwrap();
//! let count = hunt(&law, 1, HuntLimit::Inputs(100)).expect("the law holds");
//! assert_eq!(count.total(), 100);
//! ```
#![forbid(unsafe_code)]

mod analysis;
mod diagram;
mod foreign;
mod gtp;
mod hunt;
mod json_mutation;
mod memory;
mod mutation;
mod net;
mod play;
mod sgf;

pub use hunt::{Exception, HuntCount, HuntLimit, hunt};
pub use memory::resident_bytes;

/// Something that holds for every input.
#[derive(Clone, Copy)]
pub struct Law {
    /// Its name on command lines.
    pub name: &'static str,
    /// What it says.
    pub statement: &'static str,
    /// Panics if the input breaks the law.
    pub check: fn(&[u8]) -> Reception,
    /// Inputs to start from.
    pub examples: &'static [&'static [u8]],
    /// What inputs are made of, for mutations that get past the first check.
    pub words: &'static [&'static [u8]],
}

/// What the code under test made of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception {
    /// It was understood, at least in part.
    Accepted,
    /// It was turned down, as it should be.
    Refused,
}

/// Every law.
pub const LAWS: [Law; 7] =
    [sgf::LAW, foreign::LAW, gtp::LAW, diagram::LAW, play::LAW, net::LAW, analysis::LAW];

impl Law {
    /// The law of a name.
    pub fn named(name: &str) -> Option<Law> {
        LAWS.into_iter().find(|law| law.name == name)
    }
}
