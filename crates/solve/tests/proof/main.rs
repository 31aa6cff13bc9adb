//! Every proof of the solver against a reference from the rules of Go; problems that are none; limits.

mod absurd;
mod advice;
mod committed;
mod compare;
mod exam;
mod guess;
mod ko;
mod larger;
mod limit;
mod plain;
mod random;
mod random_problem;
mod reference;
mod rng;
mod step;
mod team;
mod uct;
mod walled;
mod wide;
