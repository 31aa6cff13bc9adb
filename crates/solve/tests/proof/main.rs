//! Every proof of the solver against a brute-force solution of the same game; problems that are none; limits.

mod absurd;
mod brute;
mod committed;
mod guess;
mod ko;
mod limit;
mod random;
mod rng;
mod uct;
