//! Whoever can be asked about positions.

use crate::kernel::FlushDenormals;
use crate::layer::Boards;
use crate::network::{CompileError, Mode, Network, Normalization, Prepared, Worker};
use std::fmt;
use std::sync::Arc;
use tesuji_board::Size;
use tesuji_net::model::Model;
use tesuji_net::output::Logits;

/// Something that evaluates positions; one per thread.
pub trait Oracle: Send {
    /// Evaluates positions of one board size: `planes` are `[position][plane][point]` and `globals` `[position][global]` in the order of the
    /// network's input, one entry of `logits` per position.
    fn evaluate(
        &mut self,
        size: Size,
        planes: &[f32],
        globals: &[f32],
        logits: &mut [Logits],
    ) -> Result<(), OracleError>;
}

/// Why positions cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OracleError {
    /// The network was made for other boards.
    Board(Size),
    /// It has parts that nobody here can compute.
    Unsupported(CompileError),
    /// Planes or globals are not as many as it reads.
    Length,
    /// It has parts without weights.
    NoWeights,
}

impl fmt::Display for OracleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OracleError::Board(size) => write!(f, "the network was not made for {size}"),
            OracleError::Unsupported(error) => error.fmt(f),
            OracleError::Length => f.write_str("planes of another kind than the network reads"),
            OracleError::NoWeights => f.write_str("the network has no weights"),
        }
    }
}

impl std::error::Error for OracleError {}

/// A network evaluated by the kernels of training.
#[derive(Clone)]
pub struct NetworkOracle {
    model: Arc<Model>,
    network: Arc<Network>,
    parameters: Arc<Vec<f32>>,
    prepared: Option<(Size, Arc<Prepared>)>,
    worker: Worker,
}

impl NetworkOracle {
    /// Prepares a network; clones share its weights.
    pub fn new(model: Model) -> Result<NetworkOracle, OracleError> {
        let network = Network::new(&model, Normalization::Fixed).map_err(OracleError::Unsupported)?;
        let parameters = network.import(&model).ok_or(OracleError::NoWeights)?;
        Ok(NetworkOracle {
            model: Arc::new(model),
            network: Arc::new(network),
            parameters: Arc::new(parameters),
            prepared: None,
            worker: Worker::default(),
        })
    }

    fn prepare(&mut self, size: Size, boards: &Boards) -> Arc<Prepared> {
        match &self.prepared {
            Some((prepared_for, prepared)) if *prepared_for == size => Arc::clone(prepared),
            _ => {
                let mut prepared = Prepared::default();
                prepared.update(&self.network, boards, &self.parameters);
                let prepared = Arc::new(prepared);
                self.prepared = Some((size, Arc::clone(&prepared)));
                prepared
            }
        }
    }
}

impl Oracle for NetworkOracle {
    fn evaluate(
        &mut self,
        size: Size,
        planes: &[f32],
        globals: &[f32],
        logits: &mut [Logits],
    ) -> Result<(), OracleError> {
        if !self.model.supports(size) {
            return Err(OracleError::Board(size));
        }
        let (count, area) = (logits.len(), size.area());
        let (plane_count, global_count) = (self.model.input.planes.len(), self.model.input.globals.len());
        if planes.len() != count * area * plane_count || globals.len() != count * global_count {
            return Err(OracleError::Length);
        }
        let boards = Boards { width: size.width(), height: size.height(), count };
        let prepared = self.prepare(size, &boards);
        let program = self.network.program();
        let (to_planes, to_globals) = self.worker.inputs(program, &boards);
        for (to, from) in
            to_planes.chunks_exact_mut(area * plane_count).zip(planes.chunks_exact(area * plane_count))
        {
            for (plane, values) in from.chunks_exact(area).enumerate() {
                for (point, value) in values.iter().enumerate() {
                    to[point * plane_count + plane] = *value;
                }
            }
        }
        to_globals.copy_from_slice(globals);
        let _guard = FlushDenormals::new();
        self.worker.forward(&self.network, &boards, &self.parameters, &prepared, Mode::Batch);
        let outputs = program.outputs;
        let part = |slot: Option<usize>, position: usize| {
            let values = slot.map_or(&[][..], |slot| self.worker.values(slot));
            let each = values.len() / count;
            &values[position * each..][..each]
        };
        let is_tangent = self.model.value.as_ref().is_some_and(|head| head.outcomes() == 1);
        for (position, logits) in logits.iter_mut().enumerate() {
            logits.fit(&self.model, size);
            let policy = part(outputs.policy, position);
            let width = policy.len() / area;
            for (index, value) in policy.iter().enumerate() {
                logits.policy[index % width * area + index / width] = *value;
            }
            logits.pass.copy_from_slice(part(outputs.pass, position));
            logits.outcome.copy_from_slice(part(outputs.outcome, position));
            if is_tangent {
                logits.outcome.iter_mut().for_each(|value| *value = value.tanh());
            }
            logits.score.copy_from_slice(part(outputs.score, position));
            logits.ownership.copy_from_slice(part(outputs.ownership, position));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::noise;
    use tesuji_net::model::{ResidualPlan, paper_value, residual};
    use tesuji_net::reference::evaluate;

    /// The reference of `tesuji_net` shares nothing with the kernels here.
    #[test]
    fn answers_are_those_of_the_reference() {
        let plan = ResidualPlan { head_channels: 5, hidden: 7, ..ResidualPlan::new(3, 18) };
        for (model, width, height) in
            [(residual("test", &plan), 9, 9), (residual("test", &plan), 6, 7), (paper_value(5, 5), 5, 5)]
        {
            let mut model = model;
            model.allocate().unwrap();
            for (seed, tensor) in (1..).zip(model.tensors_mut()) {
                let scale = (2.0 / tensor.shape.iter().rev().skip(1).product::<usize>().max(4) as f32).sqrt();
                let fresh = noise(tensor.data.len(), seed);
                tensor.data.iter_mut().zip(fresh).for_each(|(value, noise)| *value += scale * noise);
            }
            let size = Size::new(width, height).unwrap();
            let (planes, globals) = (model.input.planes.len() * size.area(), model.input.globals.len());
            let planes = noise(3 * planes, 5);
            let globals = noise(3 * globals, 6);
            let mut logits = vec![Logits::default(); 3];
            let mut oracle = NetworkOracle::new(model.clone()).unwrap();
            oracle.evaluate(size, &planes, &globals, &mut logits).unwrap();
            for (position, found) in logits.iter().enumerate() {
                let mut expected = Logits::default();
                let planes = &planes[position * planes.len() / 3..][..planes.len() / 3];
                let globals = &globals[position * globals.len() / 3..][..globals.len() / 3];
                evaluate(&model, size, planes, globals, &mut expected).unwrap();
                let lists = |logits: &Logits| {
                    [&logits.policy[..], &logits.pass, &logits.outcome, &logits.score, &logits.ownership]
                        .concat()
                };
                let (found, expected) = (lists(found), lists(&expected));
                assert_eq!(found.len(), expected.len());
                let size = expected.iter().map(|x| x.abs()).fold(0.0, f32::max);
                for (found, expected) in found.iter().zip(&expected) {
                    assert!((found - expected).abs() < 1e-4 * size.max(1.0), "{found} for {expected}");
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut model = paper_value(5, 5);
        assert_eq!(NetworkOracle::new(model.clone()).err(), Some(OracleError::NoWeights));
        model.allocate().unwrap();
        let mut oracle = NetworkOracle::new(model).unwrap();
        let mut logits = [Logits::default()];
        let other = Size::square(9).unwrap();
        assert_eq!(oracle.evaluate(other, &[], &[], &mut logits), Err(OracleError::Board(other)));
        let size = Size::square(5).unwrap();
        assert_eq!(oracle.evaluate(size, &[0.0; 25], &[], &mut logits), Err(OracleError::Length));
    }
}
