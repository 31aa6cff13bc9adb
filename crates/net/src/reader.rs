//! A network with everything that lies between a position and an opinion of it.
//!
//! A [`Reader`] is shared by all threads; a [`Seat`] is one thread's place at it, for boards of one size: positions are put into
//! it one by one, evaluated together, and read back decoded. Nothing allocates after the first batch.

use arrayvec::ArrayVec;
use tesuji_board::{KoRule, Rules, Scoring, Size};

use crate::input::{Encoder, People, Planes, Turns, View};
use crate::kernel::Isa;
use crate::model::{Input as InputPlan, Model};
use crate::network::{Network, NetworkError};
use crate::output::{DecodeError, Decoder, Evaluation, Logits, Question};
use crate::session::{Input, Session};

/// Most positions that are evaluated together: far more than a processor gains from.
pub const MAX_BATCH: usize = 64;

/// A network ready to be asked, with what is needed to understand its answers.
#[derive(Clone, Debug)]
pub struct Reader {
    name: String,
    network: Network,
    decoder: Decoder,
    input: InputPlan,
    /// The rules that it is told, whatever those of a game, because it has learned under no others.
    assumed_rules: Option<Rules>,
}

impl Reader {
    /// Prepares a model for an instruction set.
    pub fn new(model: &Model, isa: Isa) -> Result<Reader, NetworkError> {
        let (network, decoder) = (Network::new(model, isa)?, Decoder::new(model));
        Ok(Reader {
            name: model.name.clone(),
            network,
            decoder,
            input: model.input.clone(),
            assumed_rules: model.provenance.only_rules(),
        })
    }

    /// What the makers of the network call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The instruction set that it was prepared for.
    pub fn isa(&self) -> Isa {
        self.network.isa()
    }

    /// Whether the network was made for boards of a size.
    pub fn serves(&self, size: Size) -> bool {
        self.network.serves(size)
    }

    /// A place for up to `batch` positions on boards of a size; nothing if the network was made for another size.
    pub fn seat(&self, size: Size, batch: usize) -> Option<Seat> {
        let batch = batch.clamp(1, MAX_BATCH);
        let session = self.network.session(size, batch)?;
        let slot = || Slot {
            planes: Planes::new(size),
            legal: Vec::with_capacity(size.area()),
            no_result: false,
            turn: 0,
        };
        Some(Seat {
            session,
            decoder: self.decoder.clone(),
            encoder: Encoder::new(&self.input, size).assuming(self.assumed_rules),
            planes: Planes::new(size),
            turns: Turns::of(size),
            slots: (0..batch).map(|_| slot()).collect(),
            logits: vec![Logits::default(); batch],
            buffer: Vec::new(),
            evaluations: vec![Evaluation::default(); batch],
            used: 0,
        })
    }
}

/// One thread's place at a [`Reader`].
pub struct Seat {
    session: Session,
    decoder: Decoder,
    encoder: Encoder,
    planes: Planes,
    turns: Turns,
    slots: Vec<Slot>,
    logits: Vec<Logits>,
    buffer: Vec<f32>,
    evaluations: Vec<Evaluation>,
    used: usize,
}

/// A position that waits.
struct Slot {
    planes: Planes,
    legal: Vec<bool>,
    no_result: bool,
    turn: usize,
}

impl Slot {
    fn input(&self) -> Input<'_> {
        Input::Encoded(&self.planes)
    }
}

impl Seat {
    /// The boards that it is for.
    pub fn size(&self) -> Size {
        self.session.size()
    }

    /// How many positions it holds at most.
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// How many positions wait.
    pub fn waiting(&self) -> usize {
        self.used
    }

    /// Says who plays in the positions that are added from now on, for networks that imitate people.
    pub fn set_people(&mut self, people: People) {
        self.encoder.set_people(people);
    }

    /// Adds a position, to be looked at in the symmetry of this number; its place among those that wait.
    ///
    /// # Panics
    ///
    /// If as many wait already as it holds.
    pub fn add(&mut self, view: &View<'_>, turn: usize) -> usize {
        let place = self.used;
        let slot = &mut self.slots[place];
        if turn == 0 {
            self.encoder.encode(view, &mut slot.planes);
        } else {
            self.encoder.encode(view, &mut self.planes);
            slot.planes.turn_from(&self.planes, self.turns.get(turn));
        }
        view.track.write_legal(view.board(), &mut slot.legal);
        let rules = view.track.rules();
        slot.no_result = rules.ko == KoRule::Simple || rules.scoring == Scoring::Territory;
        slot.turn = turn;
        self.used += 1;
        place
    }

    /// Evaluates all positions that wait; [`Seat::evaluation`] has them by their places until the next one is added.
    ///
    /// `optimism` is how much of an optimistic policy is mixed in, where the network has one.
    pub fn evaluate(&mut self, optimism: f32) -> Result<(), DecodeError> {
        let used = std::mem::take(&mut self.used);
        let inputs: ArrayVec<Input<'_>, MAX_BATCH> = self.slots[..used].iter().map(Slot::input).collect();
        self.session.evaluate(&inputs, &mut self.logits[..used]).map_err(|_| DecodeError::Length)?;
        for place in 0..used {
            let (slot, logits) = (&self.slots[place], &mut self.logits[place]);
            if slot.turn != 0 {
                let turn = self.turns.get(slot.turn);
                for values in [&mut logits.policy, &mut logits.ownership] {
                    self.buffer.clone_from(values);
                    turn.take_back(&self.buffer, values);
                }
            }
            let question = Question { legal: &slot.legal, no_result: slot.no_result, optimism };
            self.decoder.decode(logits, question, &mut self.evaluations[place])?;
        }
        Ok(())
    }

    /// The opinion of a position by its place in the last batch.
    pub fn evaluation(&self, place: usize) -> &Evaluation {
        &self.evaluations[place]
    }
}
