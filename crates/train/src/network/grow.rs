//! Networks that get larger after they have learned (Chen, Goodfellow, Shlens 2016: Net2Net).

use super::Network;
use tesuji_net::model::{Model, Role};

impl Network {
    /// Parameters with which this network says what a smaller one says: one with fewer blocks or channels, otherwise alike. Nothing if it is not.
    ///
    /// New channels begin with random weights and nobody listens to them; new blocks come last and add nothing. Both change with the
    /// first steps.
    pub fn grow(&self, smaller: &Model, seed: u64) -> Option<Vec<f32>> {
        let tensors = smaller.tensors();
        let entries = self.layout().entries();
        let is_there = |name: &str| entries.iter().any(|entry| entry.name == name);
        if !self.works_like(smaller) || !tensors.iter().all(|tensor| is_there(&tensor.name)) {
            return None;
        }
        let mut parameters = self.initial_parameters(seed);
        for entry in entries {
            let list = &mut parameters[entry.range.clone()];
            match tensors.iter().find(|tensor| tensor.name == entry.name) {
                Some(tensor) => {
                    embed(tensor.data, &tensor.shape, list, &entry.shape, tensor.role == Role::Weight)?;
                }
                None if entry.name.ends_with(".last.weights") => list.fill(0.0),
                None => (),
            }
        }
        Some(parameters)
    }
}

/// Writes a tensor into the first inputs and outputs of a larger one; its outputs take nothing from other inputs. Nothing if it does not fit.
fn embed(
    small: &[f32],
    small_shape: &[usize],
    large: &mut [f32],
    shape: &[usize],
    has_inputs: bool,
) -> Option<()> {
    let ([before @ .., outputs], [large_before @ .., large_outputs]) = (small_shape, shape) else {
        return None;
    };
    let (inputs, large_inputs) = if has_inputs {
        let ([around @ .., inputs], [large_around @ .., large_inputs]) = (before, large_before) else {
            return None;
        };
        (around == large_around).then_some((*inputs, *large_inputs))?
    } else {
        (before == large_before).then_some((1, 1))?
    };
    // What is pooled comes to a matrix as means and maxima of all channels one behind the other, so that more of them are not the first ones and some new ones.
    let is_moved = has_inputs && shape.len() == 2 && inputs != large_inputs;
    // A bare description has no weights.
    if is_moved
        || inputs > large_inputs
        || outputs > large_outputs
        || small.len() != small_shape.iter().product::<usize>()
    {
        return None;
    }
    for (at, row) in large.chunks_exact_mut(*large_outputs).enumerate() {
        let (around, input) = (at / large_inputs, at % large_inputs);
        let row = &mut row[..*outputs];
        if input < inputs {
            row.copy_from_slice(&small[(around * inputs + input) * outputs..][..*outputs]);
        } else {
            row.fill(0.0);
        }
    }
    Some(())
}
