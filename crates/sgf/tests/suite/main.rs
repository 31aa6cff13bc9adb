//! Tests of the SGF crate through its public interface.
//!
//! - `parse`: what files may look like; broken ones with the place of the fault.
//! - `charset`: files in the charsets of East Asia and Europe.
//! - `round_trip`: what is written reads back the same.
//! - `agreement`: the scanner finds what the parser finds.
//! - `mutation`: damaged files never cause a panic.
//! - `corpus`: reads a large collection if one is there.

mod agreement;
mod charset;
mod corpus;
mod generate;
mod mutation;
mod parse;
mod round_trip;
