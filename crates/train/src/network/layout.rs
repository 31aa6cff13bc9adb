//! Where each tensor of a model lies in the one list of parameters.

use std::ops::Range;
use tesuji_net::model::{Model, Role};

/// The tensors of a model, one behind the other.
#[derive(Clone, Debug)]
pub struct Layout {
    entries: Vec<Entry>,
    length: usize,
}

/// One tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// As the model calls it.
    pub name: String,
    /// What it is to its layer.
    pub role: Role,
    /// Sizes, outermost first.
    pub shape: Vec<usize>,
    /// Its place in the list.
    pub range: Range<usize>,
}

impl Layout {
    pub(super) fn new(model: &Model) -> Layout {
        let mut length = 0;
        let entries = model
            .tensors()
            .into_iter()
            .map(|tensor| {
                let first = length;
                length += tensor.shape.iter().product::<usize>();
                Entry { name: tensor.name, role: tensor.role, shape: tensor.shape, range: first..length }
            })
            .collect();
        Layout { entries, length }
    }

    /// The tensors, in the model's order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Number of parameters.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no parameter at all.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The place of a tensor by its name.
    pub(super) fn find(&self, name: &str) -> Option<Range<usize>> {
        self.entries.iter().find(|entry| entry.name == name).map(|entry| entry.range.clone())
    }
}
