//! A network as data.
//!
//! A [`Model`] is a tree of plain structs: layers own their weights, everything else is numbers and enums. It knows no kernel
//! and no file format. The same types describe KataGo's networks, those of the Cygo paper (RocAlphaGo's) and our own.
//!
//! The tree without its weights is the *description*: serialised, it skips the weights, so a description
//! that is read back has empty ones until [`Model::allocate`] gives them their sizes. [`Model::tensors`] lists
//! the weights by name. A model from a stranger is to be trusted only after [`Model::check`].
//!
//! # Conventions
//!
//! - Planes and all values of the network are from the view of the side to move.
//! - Points count from the top left, row by row: `row * width + column`.
//! - Convolutions are cross-correlations with zero padding, stride 1 and odd sides, so the board keeps its size.
//! - *Pooling* of G channels makes 3G numbers: all means, then all means times (√A − 14) / 10, then all maxima, A being the
//!   number of points. In the value head the third part is the mean times ((√A − 14)² / 100 − 0.1) instead.

mod block;
mod check;
mod head;
mod input;
mod layer;
mod preset;
mod tensor;

pub use block::{Attention, Block, Bottleneck, FeedForward, Plain, Pooling, Residual, Rope};
pub use check::{CheckError, MAX_BLOCKS, MAX_DEPTH, MAX_KERNEL, MAX_PARAMETERS, MAX_WIDTH, Problem};
pub use head::{
    DenseValue, PassHead, PointPolicy, PolicyHead, PolicyOutput, PooledPolicy, PooledValue, ScoreHead,
    ScoreOutput, ValueHead,
};
pub use input::{Input, InputSet};
pub use layer::{Activation, Affine, Bias, Conv, Extent, MatMul, Norm, NormAct, RmsNorm};
pub use preset::{ResidualPlan, paper_policy, paper_value, residual};
pub use tensor::{Role, Tensor, TensorMut};

use serde::{Deserialize, Serialize};
use tesuji_board::{Rules, Size};

/// A network: what it is fed with, its layers, and what its outputs mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// What its makers call it.
    pub name: String,
    /// Where the numbers come from, which decides what some outputs mean.
    pub family: Family,
    /// The boards it can be asked about.
    pub boards: Boards,
    /// Planes and global numbers that it reads.
    pub input: Input,
    /// From the input to the features that all heads read.
    pub trunk: Trunk,
    /// Which moves look good; absent in a net that only judges positions.
    pub policy: Option<PolicyHead>,
    /// Who wins, by how much and where; absent in a net that only proposes moves.
    pub value: Option<ValueHead>,
    /// From outputs to points and probabilities.
    pub scaling: Scaling,
    /// Who made it, from what, under which terms.
    pub provenance: Provenance,
}

/// The families of networks; post-processing differs between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Family {
    /// KataGo's, with its model version (8 to 15).
    Katago {
        /// The number in the second line of its file.
        version: u32,
    },
    /// RocAlphaGo's plain nets as used by Cygo.
    Paper,
    /// Our own.
    Tesuji,
}

/// The boards that a network can be asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Boards {
    /// Fully convolutional: every size, rectangles too.
    Any,
    /// Layers that know the points by number: one size.
    Only {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
}

/// From the planes to the features that the heads read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trunk {
    /// Channels between blocks.
    pub channels: usize,
    /// From planes to channels.
    pub stem: Conv,
    /// From global inputs to channels, added to every point of what the stem makes.
    pub globals: Option<MatMul>,
    /// What follows stem and global inputs; absent where blocks begin with a norm of their own.
    pub stem_act: Option<NormAct>,
    /// The layers in between, in order.
    pub blocks: Vec<Block>,
    /// What follows the last block; absent where blocks end with an activation of their own.
    pub tip: Option<Tip>,
}

/// The end of the trunk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tip {
    /// The last norm.
    pub norm: Norm,
    /// The activation after it.
    pub activation: Activation,
}

/// Factors from a network's score outputs to points; KataGo's header has them from version 13.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scaling {
    /// For the temporal-difference scores, which are used in training only.
    pub td_score: f32,
    /// For the mean of the score.
    pub score_mean: f32,
    /// For its standard deviation.
    pub score_stdev: f32,
    /// For the lead.
    pub lead: f32,
    /// For the variance of the time left.
    pub variance_time: f32,
    /// For the squared short-term error of the win rate.
    pub short_term_value_error: f32,
    /// For the squared short-term error of the score.
    pub short_term_score_error: f32,
}

impl Default for Scaling {
    /// The factors of KataGo's networks before version 13.
    fn default() -> Scaling {
        Scaling {
            td_score: 20.0,
            score_mean: 20.0,
            score_stdev: 20.0,
            lead: 20.0,
            variance_time: 40.0,
            short_term_value_error: 0.25,
            short_term_score_error: 30.0,
        }
    }
}

/// Who made a network, from what, under which terms. Empty where nobody said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Provenance {
    /// Who published it, or the command that made it.
    pub origin: String,
    /// The terms under which it may be used.
    pub licence: String,
    /// Games, labels and teachers that it learned from.
    pub data: String,
    /// How it was trained: steps, seeds, schedules.
    pub training: String,
    /// The name of the rules, if all it has learned from was played under the same. Told of others it would be far off, above all in openings.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rules: String,
}

impl Provenance {
    /// The rules that the network is told, whatever those of a game: the only ones that it has learned under, if it has.
    pub fn only_rules(&self) -> Option<Rules> {
        Rules::named(&self.rules).ok()
    }
}

impl Model {
    /// Whether the network can be asked about boards of a size.
    pub fn supports(&self, size: Size) -> bool {
        match self.boards {
            Boards::Any => true,
            Boards::Only { width, height } => (width, height) == (size.width(), size.height()),
        }
    }

    /// Number of trained numbers.
    pub fn parameters(&self) -> usize {
        self.tensors().iter().map(|tensor| tensor.data.len()).sum()
    }
}
