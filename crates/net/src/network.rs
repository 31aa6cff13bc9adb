//! A network that is ready to be evaluated: weights in the order in which the kernels read them, shared by all threads.
//!
//! A [`Network`] is made once from a [`Model`] and cloned for free. Each thread asks it for a [`Session`], which has the buffers for boards of
//! one size.

mod head;
mod layer;
mod plan;

pub(crate) use head::{DensePlan, HeadPlan, Part, PolicyPlan, ValuePlan};
pub(crate) use layer::{Layer, Method, NormLanes};
pub(crate) use plan::{Plan, PoolBias, RawTo, RopePlan, Step};

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use tesuji_board::Size;

use crate::kernel::gemm::{Packing, Room, Weights};
use crate::kernel::lanes::Lanes;
use crate::kernel::memory::zeros;
use crate::kernel::winograd::TileSize;
use crate::kernel::{Isa, IsaError, Multiplier, Unit};
use crate::model::{Boards, CheckError, InputSet, Model};
use crate::session::Session;
use layer::pointwise;
use plan::Planner;

/// A network with all it needs to be evaluated.
#[derive(Clone, Debug)]
pub struct Network {
    inner: Arc<Inner>,
}

/// What all clones and sessions share.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) isa: Isa,
    /// For all but convolutions.
    pub(crate) unit: Unit,
    pub(crate) boards: Boards,
    pub(crate) stem: Stem,
    pub(crate) plan: Plan,
    /// Weights of convolutions by transforms, by the size of tiles.
    transformed: [OnceLock<Transformed>; TileSize::ALL.len()],
}

/// The first layer.
#[derive(Debug)]
pub(crate) struct Stem {
    /// The set, and the numbers in it of what the network reads.
    pub(crate) set: InputSet,
    pub(crate) planes: Vec<usize>,
    pub(crate) globals: Vec<usize>,
    pub(crate) height: usize,
    pub(crate) width: usize,
    /// Lanes of a row of the trunk.
    pub(crate) columns: usize,
    /// `[row][column][plane]`, a row of lanes each.
    pub(crate) weights: Vec<Lanes>,
    /// From global inputs to the trunk.
    pub(crate) from_globals: Option<Layer>,
    /// A plane that is 1 at all points of all boards, if there is one.
    pub(crate) constant: Option<usize>,
}

/// Weights of all convolutions by transforms, for one size of tiles.
#[derive(Debug)]
pub(crate) struct Transformed {
    data: Vec<Lanes>,
    factors: Vec<Lanes>,
    /// By layer.
    places: Vec<Option<Place>>,
}

/// Where the weights of a layer are.
#[derive(Clone, Debug)]
struct Place {
    packing: Packing,
    data: Range<usize>,
    factors: Range<usize>,
}

/// Why there is no network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// The instruction set is not there.
    Isa(IsaError),
    /// The model does not hold together.
    Model(CheckError),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Isa(error) => error.fmt(f),
            NetworkError::Model(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NetworkError {}

impl Network {
    /// Prepares a model for an instruction set.
    pub fn new(model: &Model, isa: Isa) -> Result<Network, NetworkError> {
        let multiplier = Multiplier::new(isa).map_err(NetworkError::Isa)?;
        Network::with(model, isa, multiplier)
    }

    /// Prepares a model for what multiplies its matrices, by whichever name it goes.
    pub(crate) fn with(model: &Model, isa: Isa, multiplier: Multiplier) -> Result<Network, NetworkError> {
        model.check().map_err(NetworkError::Model)?;
        let inner = Inner {
            isa,
            unit: multiplier.exact(),
            boards: model.boards,
            stem: Stem::new(multiplier.exact(), model),
            plan: Planner::plan(multiplier, model),
            transformed: Default::default(),
        };
        Ok(Network { inner: Arc::new(inner) })
    }

    /// The instruction set that it was prepared for.
    pub fn isa(&self) -> Isa {
        self.inner.isa
    }

    /// Buffers for `batch` boards of a size at a time, or fewer if that is faster; nothing if the network was made for another size.
    ///
    /// The first session of a size may have to transform weights, which takes a moment with large networks.
    pub fn session(&self, size: Size, batch: usize) -> Option<Session> {
        self.serves(size).then(|| Session::new(self.inner.clone(), size, batch.max(1)))
    }

    /// Whether it was made for boards of a size.
    pub fn serves(&self, size: Size) -> bool {
        match self.inner.boards {
            Boards::Any => true,
            Boards::Only { width, height } => (width, height) == (size.width(), size.height()),
        }
    }
}

impl Inner {
    /// The weights for a size of tiles, transformed when they are first asked for.
    pub(crate) fn transformed(&self, size: TileSize) -> &Transformed {
        self.transformed[size as usize].get_or_init(|| Transformed::new(&self.plan.layers, size))
    }
}

impl Transformed {
    fn new(layers: &[Layer], size: TileSize) -> Transformed {
        let (mut lanes, mut factor_lanes) = (0, 0);
        let mut place = |layer: &Layer| {
            let (packing, factors) = layer.winograd_packing(size);
            let (start, factor_start) = (lanes, factor_lanes);
            lanes += packing.len();
            factor_lanes += factors;
            Place { packing, data: start..lanes, factors: factor_start..factor_lanes }
        };
        let is_winograd = |layer: &Layer| matches!(layer.method, Method::Winograd(_));
        let places: Vec<_> = layers.iter().map(|layer| is_winograd(layer).then(|| place(layer))).collect();
        let (mut data, mut factors) = (zeros(lanes), zeros(factor_lanes));
        for (layer, place) in layers.iter().zip(&places) {
            if let Some(place) = place {
                let (data, factors) = (&mut data[place.data.clone()], &mut factors[place.factors.clone()]);
                layer.transform(size, place.packing, Room { data, factors });
            }
        }
        Transformed { data, factors, places }
    }

    /// The weights of a layer, which is a convolution by transforms.
    pub(crate) fn layer(&self, layer: usize) -> Weights<'_> {
        let Place { packing, data, factors } =
            self.places[layer].clone().expect("a layer that is transformed");
        Weights { packing, data: &self.data[data], factors: &self.factors[factors] }
    }

    /// The shapes of all weights.
    pub(crate) fn packings(&self) -> impl Iterator<Item = Packing> {
        self.places.iter().flatten().map(|place| place.packing)
    }
}

impl Stem {
    fn new(unit: Unit, model: &Model) -> Stem {
        let conv = &model.trunk.stem;
        let columns = Lanes::count(conv.outputs);
        let mut weights = vec![Lanes::ZERO; conv.height * conv.width * conv.inputs * columns];
        for (to, from) in weights.chunks_exact_mut(columns).zip(conv.weights.chunks_exact(conv.outputs)) {
            Lanes::fill(to, from);
        }
        let constant = match model.input.set {
            InputSet::Katago7 | InputSet::People => model.input.planes.iter().position(|&plane| plane == 0),
            InputSet::PaperPolicy | InputSet::PaperValue => None,
        };
        let from_globals = model
            .trunk
            .globals
            .as_ref()
            .map(|globals| Layer::new(Multiplier::Exact(unit), pointwise(globals)));
        Stem {
            set: model.input.set,
            planes: model.input.planes.clone(),
            globals: model.input.globals.clone(),
            height: conv.height,
            width: conv.width,
            columns,
            weights,
            from_globals,
            constant,
        }
    }
}
