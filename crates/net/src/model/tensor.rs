//! The weights of a model by name: for files, optimisers and checks.
//!
//! Every struct of a model lists its parts once, in [`Walk`]; names are the path of fields from the root, such as
//! `trunk.blocks.3.first.weights`, and the order is the order of the fields.

use super::block::{Attention, Block, Bottleneck, FeedForward, Plain, Pooling, Residual, Rope};
use super::head::{
    DenseValue, PassHead, PointPolicy, PolicyHead, PooledPolicy, PooledValue, ScoreHead, ValueHead,
};
use super::layer::{Affine, Bias, Conv, MatMul, Norm, NormAct, RmsNorm};
use super::{CheckError, Model, Problem, Tip, Trunk};

/// What a tensor is to the layer that owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Multiplies inputs into sums: what weight decay is for.
    Weight,
    /// A factor of one channel, 1 where it does nothing.
    Scale,
    /// A summand of one channel or point, 0 where it does nothing.
    Bias,
    /// Frequencies of rotary positions.
    Frequency,
}

/// One list of weights in a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor<'a> {
    /// Path of fields from the model to the list.
    pub name: String,
    /// What it is to its layer.
    pub role: Role,
    /// Sizes, outermost first; the product is the length that the description asks for.
    pub shape: Vec<usize>,
    /// The weights; empty in a bare description.
    pub data: &'a [f32],
}

/// One list of weights in a model, to be changed. Whoever changes the length breaks the model.
#[derive(Debug, PartialEq)]
pub struct TensorMut<'a> {
    /// Path of fields from the model to the list.
    pub name: String,
    /// What it is to its layer.
    pub role: Role,
    /// Sizes, outermost first; the product is the length that the description asks for.
    pub shape: Vec<usize>,
    /// The weights; empty in a bare description.
    pub data: &'a mut Vec<f32>,
}

impl Model {
    /// All weights, in an order that depends on the description alone.
    pub fn tensors(&self) -> Vec<Tensor<'_>> {
        let mut tensors = Vec::new();
        self.walk("", &mut |name, role, shape, data| {
            tensors.push(Tensor { name, role, shape, data });
        });
        tensors
    }

    /// All weights, in the order of [`Model::tensors`].
    pub fn tensors_mut(&mut self) -> Vec<TensorMut<'_>> {
        let mut tensors = Vec::new();
        self.walk_mut("", &mut |name, role, shape, data| {
            tensors.push(TensorMut { name, role, shape, data });
        });
        tensors
    }

    /// Gives all weights the sizes of the description: scales 1, the rest 0. Refuses a description that does not hold together.
    pub fn allocate(&mut self) -> Result<(), CheckError> {
        self.check_description()?;
        for TensorMut { name, role, shape, data } in self.tensors_mut() {
            let length = shape.iter().try_fold(1usize, |product, &side| product.checked_mul(side));
            let length = length.ok_or_else(|| CheckError::new(&name, Problem::TooLarge))?;
            data.clear();
            data.resize(length, if role == Role::Scale { 1.0 } else { 0.0 });
        }
        Ok(())
    }
}

/// Something with weights in it.
pub(super) trait Walk {
    /// Shows every list of weights, with its full name.
    fn walk<'a>(&'a self, path: &str, visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a [f32]));
    /// Shows every list of weights, to be changed.
    fn walk_mut<'a>(
        &'a mut self,
        path: &str,
        visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a mut Vec<f32>),
    );
}

/// `path.part`, or `part` at the root.
fn join(path: &str, part: impl std::fmt::Display) -> String {
    if path.is_empty() { part.to_string() } else { format!("{path}.{part}") }
}

/// A struct that is made of parts with weights.
macro_rules! parts {
    ($name:ty: $($field:ident),+) => {
        impl Walk for $name {
            fn walk<'a>(&'a self, path: &str, visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a [f32])) {
                $(self.$field.walk(&join(path, stringify!($field)), visit);)+
            }

            fn walk_mut<'a>(
                &'a mut self,
                path: &str,
                visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a mut Vec<f32>),
            ) {
                $(self.$field.walk_mut(&join(path, stringify!($field)), visit);)+
            }
        }
    };
}

/// An enum whose variants hold one part each.
macro_rules! choices {
    ($name:ident: $($variant:ident),+) => {
        impl Walk for $name {
            fn walk<'a>(&'a self, path: &str, visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a [f32])) {
                match self {
                    $($name::$variant(part) => part.walk(path, visit),)+
                }
            }

            fn walk_mut<'a>(
                &'a mut self,
                path: &str,
                visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a mut Vec<f32>),
            ) {
                match self {
                    $($name::$variant(part) => part.walk_mut(path, visit),)+
                }
            }
        }
    };
}

/// A layer with lists of weights of its own.
macro_rules! lists {
    ($name:ident: $($field:ident as $role:ident [$($side:ident),+]),+) => {
        impl Walk for $name {
            fn walk<'a>(&'a self, path: &str, visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a [f32])) {
                $(visit(join(path, stringify!($field)), Role::$role, vec![$(self.$side),+], &self.$field);)+
            }

            fn walk_mut<'a>(
                &'a mut self,
                path: &str,
                visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a mut Vec<f32>),
            ) {
                $(visit(join(path, stringify!($field)), Role::$role, vec![$(self.$side),+], &mut self.$field);)+
            }
        }
    };
}

parts!(Model: trunk, policy, value);
parts!(Trunk: stem, globals, stem_act, blocks, tip);
parts!(Tip: norm);
parts!(NormAct: norm);
parts!(Plain: conv, post);
parts!(Residual: pre, first, mid, last);
parts!(Pooling: pre, regular, pooled, pooled_act, to_bias, mid, last);
parts!(Bottleneck: pre, down, blocks, post, up);
parts!(Attention: norm, query, key, value, out, rope);
parts!(FeedForward: norm, expand, gate, contract);
parts!(PooledPolicy: conv, pooled, pooled_act, to_bias, act, out, pass);
parts!(PointPolicy: conv, bias);
parts!(PooledValue: conv, act, hidden, hidden_bias, outcome, outcome_bias, score, ownership);
parts!(ScoreHead: out, bias);
parts!(DenseValue: conv, act, hidden, hidden_bias, out, out_bias);
choices!(Block: Plain, Residual, Pooling, Bottleneck, Attention, FeedForward);
choices!(Norm: Affine, Rms);
choices!(PolicyHead: Pooled, Point);
choices!(ValueHead: Pooled, Dense);
lists!(Conv: weights as Weight [height, width, inputs, outputs]);
lists!(MatMul: weights as Weight [inputs, outputs]);
lists!(Bias: values as Bias [channels]);
lists!(Affine: scale as Scale [channels], bias as Bias [channels]);

impl Walk for RmsNorm {
    fn walk<'a>(&'a self, path: &str, visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a [f32])) {
        visit(join(path, "scale"), Role::Scale, vec![self.channels], &self.scale);
        if self.has_bias {
            visit(join(path, "bias"), Role::Bias, vec![self.channels], &self.bias);
        }
    }

    fn walk_mut<'a>(
        &'a mut self,
        path: &str,
        visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a mut Vec<f32>),
    ) {
        visit(join(path, "scale"), Role::Scale, vec![self.channels], &mut self.scale);
        if self.has_bias {
            visit(join(path, "bias"), Role::Bias, vec![self.channels], &mut self.bias);
        }
    }
}

impl Walk for Rope {
    fn walk<'a>(&'a self, path: &str, visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a [f32])) {
        if let Rope::Learned { kv_heads, pairs, frequencies } = self {
            visit(join(path, "frequencies"), Role::Frequency, vec![*kv_heads, *pairs, 2], frequencies);
        }
    }

    fn walk_mut<'a>(
        &'a mut self,
        path: &str,
        visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a mut Vec<f32>),
    ) {
        if let Rope::Learned { kv_heads, pairs, frequencies } = self {
            visit(join(path, "frequencies"), Role::Frequency, vec![*kv_heads, *pairs, 2], frequencies);
        }
    }
}

impl Walk for PassHead {
    fn walk<'a>(&'a self, path: &str, visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a [f32])) {
        match self {
            PassHead::Direct(matmul) => matmul.walk(path, visit),
            PassHead::Hidden { hidden, bias, out, .. } => {
                hidden.walk(&join(path, "hidden"), visit);
                bias.walk(&join(path, "bias"), visit);
                out.walk(&join(path, "out"), visit);
            }
        }
    }

    fn walk_mut<'a>(
        &'a mut self,
        path: &str,
        visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a mut Vec<f32>),
    ) {
        match self {
            PassHead::Direct(matmul) => matmul.walk_mut(path, visit),
            PassHead::Hidden { hidden, bias, out, .. } => {
                hidden.walk_mut(&join(path, "hidden"), visit);
                bias.walk_mut(&join(path, "bias"), visit);
                out.walk_mut(&join(path, "out"), visit);
            }
        }
    }
}

impl<T: Walk> Walk for Option<T> {
    fn walk<'a>(&'a self, path: &str, visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a [f32])) {
        if let Some(part) = self {
            part.walk(path, visit);
        }
    }

    fn walk_mut<'a>(
        &'a mut self,
        path: &str,
        visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a mut Vec<f32>),
    ) {
        if let Some(part) = self {
            part.walk_mut(path, visit);
        }
    }
}

impl<T: Walk> Walk for Vec<T> {
    fn walk<'a>(&'a self, path: &str, visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a [f32])) {
        for (index, part) in self.iter().enumerate() {
            part.walk(&join(path, index), visit);
        }
    }

    fn walk_mut<'a>(
        &'a mut self,
        path: &str,
        visit: &mut dyn FnMut(String, Role, Vec<usize>, &'a mut Vec<f32>),
    ) {
        for (index, part) in self.iter_mut().enumerate() {
            part.walk_mut(&join(path, index), visit);
        }
    }
}
