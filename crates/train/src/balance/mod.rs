//! Simulation balancing: gammas whose playouts are right on average (Silver, Tesauro 2009; Huang, Coulom, Lin 2010).
//!
//! Gammas that imitate strong players make likely moves, and still two likely mistakes of one side may not be made up for by the other. Here the
//! mean result of the playouts of a position is brought nearer to what somebody who knows better thinks of it. [`Targets`] are such positions,
//! [`Parameters`] the gammas as one list of numbers, and a [`Balancer`] changes them step by step by the gradient of the squared error;
//! [`Balance`] is its state as a file. Results depend only on the targets, the first gammas and the [`Plan`], to the last bit: every
//! position of every step has random numbers of its own, and threads take fixed parts, whose sums are added in order.

mod balancer;
mod gradient;
mod parameter;
mod progress;
mod target;

pub use balancer::{Balancer, Error, Plan, State};
pub use parameter::Parameters;
pub use progress::Balance;
pub use target::Targets;
