//! From a description to the steps of an evaluation.
//!
//! A session has a *trunk* per depth of bottlenecks, a *front* buffer that convolutions read and write, and a *mixed* one for what is not activated yet.
//! Blocks begin with a norm and an activation of the trunk; whatever writes the trunk does the next block's
//! beginning along the way, so most blocks are convolutions and nothing else.

use super::head::HeadPlan;
use super::layer::{Layer, NormLanes, merge, padded, pointwise, rearrange};
use crate::kernel::Multiplier;
use crate::kernel::attention::Heads;
use crate::kernel::lanes::Lanes;
use crate::model::{
    Activation, Attention, Block, Conv, Extent, FeedForward, Model, Norm, NormAct, Pooling, RmsNorm, Rope,
    Tip,
};

/// One step of an evaluation.
#[derive(Debug)]
pub(crate) enum Step {
    /// Trunk to front, by norm and activation.
    Activate { level: usize, norm: NormLanes },
    /// Front to trunk.
    Keep { level: usize, columns: usize },
    /// Trunk to front, divided by the root of the mean square.
    Rms { level: usize, channels: usize, epsilon: f32, extent: Extent, norm: NormLanes },
    /// Front to trunk or mixed, and to front.
    Convolve { layer: usize, raw: RawTo, norm: Option<NormLanes> },
    /// Mixed to front: the first lanes with a bias from pooling the others.
    PoolBias(Box<PoolBias>),
    /// Mixed to front: answers to queries.
    Attend { heads: Heads, rope: Option<usize> },
    /// Mixed to front: the first half times the second.
    Gate { columns: usize },
}

/// Where the sums of a convolution go before norm and activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RawTo {
    Drop,
    /// Stored in the trunk.
    Set(usize),
    /// Added to the trunk.
    Add(usize),
    /// Stored in the mixed buffer.
    Mixed,
}

/// The middle of a block with global pooling.
#[derive(Debug)]
pub(crate) struct PoolBias {
    /// Lanes of a row of the mixed buffer.
    pub(crate) stride: usize,
    /// First lane of what is pooled.
    pub(crate) pooled: usize,
    pub(crate) pooled_norm: NormLanes,
    /// From pooled numbers to a bias.
    pub(crate) to_bias: usize,
    pub(crate) norm: NormLanes,
}

/// Angles of rotary positions, to be computed when the board is known.
#[derive(Clone, Debug)]
pub(crate) struct RopePlan {
    pub(crate) rope: Rope,
    pub(crate) kv_heads: usize,
    pub(crate) key_dim: usize,
}

/// A network as a list of steps.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    pub(crate) layers: Vec<Layer>,
    pub(crate) ropes: Vec<RopePlan>,
    pub(crate) head: HeadPlan,
    /// Lanes of a row of each trunk, from the outermost.
    pub(crate) trunks: Vec<usize>,
    /// Most lanes of a row of the front buffer.
    pub(crate) front: usize,
    /// Most lanes of a row of the mixed buffer.
    pub(crate) mixed: usize,
    /// Most lanes of pooled numbers.
    pub(crate) pooled: usize,
}

/// Builds a plan.
pub(crate) struct Planner {
    multiplier: Multiplier,
    plan: Plan,
    /// What the front buffer holds.
    front: Front,
}

/// What the front buffer holds between two blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Front {
    /// Nothing of use.
    Stale,
    /// What the next block begins with, computed along the way.
    Begun,
    /// The trunk itself, which is not in its own buffer.
    Trunk,
}

impl Planner {
    /// The steps of a model that holds together.
    pub(crate) fn plan(multiplier: Multiplier, model: &Model) -> Plan {
        let columns = Lanes::count(model.trunk.channels);
        let plan = Plan {
            steps: Vec::new(),
            layers: Vec::new(),
            ropes: Vec::new(),
            head: HeadPlan::default(),
            trunks: vec![columns],
            front: columns,
            mixed: 0,
            pooled: columns.max(Lanes::count(model.input.globals.len())),
        };
        let mut planner = Planner { multiplier, plan, front: Front::Stale };
        let trunk = &model.trunk;
        if let Some(norm) = &trunk.stem_act {
            planner.activate(0, norm);
            planner.front = Front::Trunk;
        }
        let tip = trunk.tip.as_ref();
        let after = tip.and_then(|tip| match &tip.norm {
            Norm::Affine(norm) => Some(NormAct { norm: norm.clone(), activation: tip.activation }),
            Norm::Rms(_) => None,
        });
        planner.blocks(&trunk.blocks, 0, after.as_ref());
        match (after, tip) {
            (Some(norm), _) => planner.begin(0, &norm),
            (None, Some(Tip { norm: Norm::Rms(norm), activation })) => planner.rms(0, norm, *activation),
            _ => planner.trunk_to_front(0, trunk.channels),
        }
        planner.plan.head = HeadPlan::new(&mut planner, model);
        planner.plan
    }

    /// Adds a layer and says its number.
    pub(crate) fn layer(&mut self, multiplier: Multiplier, conv: Conv) -> usize {
        let layer = Layer::new(multiplier, conv);
        self.plan.front = self.plan.front.max(layer.input_lanes);
        self.plan.layers.push(layer);
        self.plan.layers.len() - 1
    }

    /// Adds a layer that is small, or in which rounding would matter, and says its number.
    pub(crate) fn exact_layer(&mut self, conv: Conv) -> usize {
        self.layer(Multiplier::Exact(self.multiplier.exact()), conv)
    }

    /// The mixed buffer needs this many lanes.
    pub(crate) fn need_mixed(&mut self, lanes: usize) {
        self.plan.mixed = self.plan.mixed.max(lanes);
    }

    /// The front buffer needs this many lanes.
    pub(crate) fn need_front(&mut self, lanes: usize) {
        self.plan.front = self.plan.front.max(lanes);
    }

    /// A list of this many pooled lanes will be made.
    pub(crate) fn need_pooled(&mut self, lanes: usize) {
        self.plan.pooled = self.plan.pooled.max(lanes);
    }

    fn push(&mut self, step: Step) {
        self.plan.steps.push(step);
    }

    fn convolve(&mut self, conv: Conv, raw: RawTo, norm: Option<&NormAct>) {
        let layer = self.layer(self.multiplier, conv);
        let columns = self.plan.layers[layer].columns;
        match raw {
            RawTo::Mixed => self.need_mixed(columns),
            RawTo::Set(level) if level == self.plan.trunks.len() => self.plan.trunks.push(columns),
            RawTo::Set(level) => self.plan.trunks[level] = self.plan.trunks[level].max(columns),
            RawTo::Drop | RawTo::Add(_) => {}
        }
        self.need_front(columns);
        self.push(Step::Convolve { layer, raw, norm: norm.map(NormLanes::norm_act) });
    }

    fn activate(&mut self, level: usize, norm: &NormAct) {
        self.push(Step::Activate { level, norm: NormLanes::norm_act(norm) });
    }

    fn rms(&mut self, level: usize, norm: &RmsNorm, activation: Activation) {
        self.front_to_trunk(level, norm.channels);
        self.push(Step::Rms {
            level,
            channels: norm.channels,
            epsilon: norm.epsilon,
            extent: norm.extent,
            norm: NormLanes::rms(norm, activation),
        });
    }

    /// Puts what a block begins with into the front buffer, unless it is there.
    fn begin(&mut self, level: usize, norm: &NormAct) {
        self.front_to_trunk(level, norm.norm.channels);
        if self.front == Front::Stale {
            self.activate(level, norm);
        }
    }

    /// Puts the trunk into its own buffer, unless it is there.
    fn front_to_trunk(&mut self, level: usize, channels: usize) {
        if self.front == Front::Trunk {
            self.push(Step::Keep { level, columns: Lanes::count(channels) });
            self.front = Front::Stale;
        }
    }

    /// Puts the trunk into the front buffer, unless it is there.
    fn trunk_to_front(&mut self, level: usize, channels: usize) {
        if self.front != Front::Trunk {
            self.push(Step::Activate { level, norm: NormLanes::identity(channels) });
        }
    }

    /// Blocks on a trunk, which ends with `after` unless something else reads it.
    fn blocks(&mut self, blocks: &[Block], level: usize, after: Option<&NormAct>) {
        for (index, block) in blocks.iter().enumerate() {
            let next = blocks.get(index + 1).map_or(after, beginning);
            self.block(block, level, next);
        }
    }

    fn block(&mut self, block: &Block, level: usize, next: Option<&NormAct>) {
        if let Some(norm) = beginning(block) {
            self.begin(level, norm);
        }
        match block {
            Block::Plain(block) => {
                self.trunk_to_front(level, block.conv.inputs);
                self.convolve(block.conv.clone(), RawTo::Drop, Some(&block.post));
                self.front = Front::Trunk;
                return;
            }
            Block::Residual(block) => {
                self.convolve(block.first.clone(), RawTo::Drop, Some(&block.mid));
                self.convolve(block.last.clone(), RawTo::Add(level), next);
            }
            Block::Pooling(block) => self.pooling(block, level, next),
            Block::Bottleneck(block) => {
                let first = block.blocks.first().map_or(Some(&block.post), beginning);
                self.convolve(block.down.clone(), RawTo::Set(level + 1), first);
                self.front = if first.is_some() { Front::Begun } else { Front::Stale };
                self.blocks(&block.blocks, level + 1, Some(&block.post));
                self.begin(level + 1, &block.post);
                self.convolve(block.up.clone(), RawTo::Add(level), next);
            }
            Block::Attention(block) => self.attention(block, level, next),
            Block::FeedForward(block) => self.feed_forward(block, level, next),
        }
        self.front = if next.is_some() { Front::Begun } else { Front::Stale };
    }

    fn pooling(&mut self, block: &Pooling, level: usize, next: Option<&NormAct>) {
        let (conv, starts) = merge(&[&block.regular, &block.pooled]);
        let stride = Lanes::count(conv.outputs);
        self.convolve(conv, RawTo::Mixed, None);
        let to_bias = self.pooled_layer(&block.to_bias, block.pooled.outputs);
        self.push(Step::PoolBias(Box::new(PoolBias {
            stride,
            pooled: starts[1],
            pooled_norm: NormLanes::norm_act(&block.pooled_act),
            to_bias,
            norm: NormLanes::norm_act(&block.mid),
        })));
        self.convolve(block.last.clone(), RawTo::Add(level), next);
    }

    /// A dense layer that reads three numbers per pooled channel.
    pub(crate) fn pooled_layer(&mut self, matmul: &crate::model::MatMul, channels: usize) -> usize {
        let inputs = padded(3, channels);
        self.need_pooled(Lanes::count(inputs.len()).max(Lanes::count(matmul.outputs)));
        let outputs: Vec<_> = (0..matmul.outputs).map(Some).collect();
        self.exact_layer(pointwise(&rearrange(matmul, &inputs, &outputs)))
    }

    fn attention(&mut self, block: &Attention, level: usize, next: Option<&NormAct>) {
        self.rms(level, &block.norm, Activation::Identity);
        let inputs: Vec<_> = (0..block.norm.channels).map(Some).collect();
        let key = |heads: usize| match block.rope {
            Some(_) => paired(heads, block.key_dim),
            None => padded(heads, block.key_dim),
        };
        let value = |heads: usize| padded(heads, block.value_dim);
        let mut query = rearrange(&block.query, &inputs, &key(block.heads));
        let factor = 1.0 / (block.key_dim as f32).sqrt();
        query.weights.iter_mut().for_each(|weight| *weight *= factor);
        let keys = rearrange(&block.key, &inputs, &key(block.kv_heads));
        let values = rearrange(&block.value, &inputs, &value(block.kv_heads));
        let (conv, _) = merge(&[&pointwise(&query), &pointwise(&keys), &pointwise(&values)]);
        self.convolve(conv, RawTo::Mixed, None);
        let heads = Heads {
            heads: block.heads,
            kv_heads: block.kv_heads,
            key: Lanes::count(key(1).len()),
            value: Lanes::count(block.value_dim),
        };
        let rope = block.rope.as_ref().map(|rope| {
            let (kv_heads, key_dim) = (block.kv_heads, block.key_dim);
            self.plan.ropes.push(RopePlan { rope: rope.clone(), kv_heads, key_dim });
            self.plan.ropes.len() - 1
        });
        self.push(Step::Attend { heads, rope });
        let outputs: Vec<_> = (0..block.out.outputs).map(Some).collect();
        let out = rearrange(&block.out, &value(block.heads), &outputs);
        self.convolve(pointwise(&out), RawTo::Add(level), next);
    }

    fn feed_forward(&mut self, block: &FeedForward, level: usize, next: Option<&NormAct>) {
        self.rms(level, &block.norm, Activation::Identity);
        let (conv, _) = merge(&[&pointwise(&block.expand), &pointwise(&block.gate)]);
        self.convolve(conv, RawTo::Mixed, None);
        self.push(Step::Gate { columns: Lanes::count(block.expand.outputs) });
        self.convolve(pointwise(&block.contract), RawTo::Add(level), next);
    }
}

/// The norm and activation that a block begins with.
fn beginning(block: &Block) -> Option<&NormAct> {
    match block {
        Block::Residual(block) => Some(&block.pre),
        Block::Pooling(block) => Some(&block.pre),
        Block::Bottleneck(block) => Some(&block.pre),
        Block::Plain(_) | Block::Attention(_) | Block::FeedForward(_) => None,
    }
}

/// Heads of `size` numbers in pairs: the first ones of all pairs, filled up to whole lanes, then the second ones.
fn paired(heads: usize, size: usize) -> Vec<Option<usize>> {
    let half = padded(1, size / 2);
    let head = |head: usize| {
        let half = half.clone();
        [0, 1].into_iter().flat_map(move |second| {
            half.clone().into_iter().map(move |pair| pair.map(|pair| head * size + 2 * pair + second))
        })
    };
    (0..heads).flat_map(head).collect()
}
