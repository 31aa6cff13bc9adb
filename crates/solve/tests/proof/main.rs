//! Every proof of the solver against a brute-force solution of the same game.

mod brute;
mod random;
mod rng;
