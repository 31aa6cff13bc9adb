//! The search for an input that breaks a law.
//!
//! Inputs that are accepted join the pool that later ones are made from, so that the hunt moves away from its examples.
//! An exception is made small before it is reported.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use tesuji_search::Rng;

use crate::mutation::mutate;
use crate::{Law, Reception};

/// Most inputs kept to make others from.
const POOL: usize = 500;
/// Checks spent on making an exception small.
const SHRINK_CHECKS: usize = 2000;

/// How often a law was tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HuntCount {
    /// Inputs that were understood.
    pub accepted: u64,
    /// Inputs that were turned down.
    pub refused: u64,
}

/// An input that breaks a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// The input.
    pub input: Vec<u8>,
    /// What the panic said about it.
    pub message: String,
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\": {}", self.input.escape_ascii(), self.message)
    }
}

impl std::error::Error for Exception {}

/// When a hunt ends that finds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HuntLimit {
    /// After this time.
    Time(Duration),
    /// After this many inputs; the same seed tries the same ones.
    Inputs(u64),
}

impl HuntLimit {
    fn is_reached(self, began: Instant, count: HuntCount) -> bool {
        match self {
            HuntLimit::Time(time) => began.elapsed() >= time,
            HuntLimit::Inputs(inputs) => count.total() >= inputs,
        }
    }
}

/// Tries a law on its examples and then on mutations until the limit is reached or the law is broken.
pub fn hunt(law: &Law, seed: u64, limit: HuntLimit) -> Result<HuntCount, Exception> {
    let began = Instant::now();
    let mut rng = Rng::new(seed);
    let mut count = HuntCount::default();
    let mut pool: Vec<Vec<u8>> = law.examples.iter().map(|example| example.to_vec()).collect();
    for example in &pool {
        count.add(attempt(law, example)?);
    }
    while !limit.is_reached(began, count) {
        let mut input = pool[rng.below(pool.len())].clone();
        let other = &pool[rng.below(pool.len())];
        mutate(&mut input, other, law.words, &mut rng);
        let reception = attempt(law, &input)?;
        count.add(reception);
        if reception == Reception::Accepted {
            if pool.len() < POOL {
                pool.push(input);
            } else {
                // The examples stay: what is made from them is closest to real input.
                let place = law.examples.len() + rng.below(POOL - law.examples.len());
                pool[place] = input;
            }
        }
    }
    Ok(count)
}

impl HuntCount {
    /// Inputs that were tried.
    pub fn total(self) -> u64 {
        self.accepted + self.refused
    }

    fn add(&mut self, reception: Reception) {
        match reception {
            Reception::Accepted => self.accepted += 1,
            Reception::Refused => self.refused += 1,
        }
    }
}

fn attempt(law: &Law, input: &[u8]) -> Result<Reception, Exception> {
    try_law(law, input).map_err(|message| shrink(law, Exception { input: input.to_vec(), message }))
}

fn try_law(law: &Law, input: &[u8]) -> Result<Reception, String> {
    catch_unwind(AssertUnwindSafe(|| (law.check)(input))).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        text.unwrap_or("a panic without a message").to_owned()
    })
}

/// Leaves out whatever can be left out without the input becoming innocent.
fn shrink(law: &Law, exception: Exception) -> Exception {
    let mut smallest = exception;
    let mut length = smallest.input.len();
    let mut checks = 0;
    while length > 0 {
        let mut start = 0;
        while start < smallest.input.len() {
            if checks == SHRINK_CHECKS {
                return smallest;
            }
            checks += 1;
            let mut input = smallest.input.clone();
            input.drain(start..(start + length).min(input.len()));
            match try_law(law, &input) {
                Err(message) => smallest = Exception { input, message },
                Ok(_) => start += length,
            }
        }
        length /= 2;
    }
    smallest
}
