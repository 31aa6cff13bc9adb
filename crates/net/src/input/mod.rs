//! From a position to the input of a network.
//!
//! A [`View`] is a position with what a network may see of its past: boards of the last moves, and a [`Track`] of everything else. A
//! search keeps its own boards and a track; a [`Line`] keeps both for whoever has neither. An encoder makes [`Planes`] of a view:
//! [`katago7`] for KataGo's networks and ours, [`paper`] for the Cygo paper's; [`people`] adds who plays. [`Turns`] are the symmetries.
//!
//! ```
//! use tesuji_board::{Color, Game, Move, Rules, Size};
//! use tesuji_net::input::{Encoder, Line, Planes, Track, View};
//! use tesuji_net::model::{Input, InputSet};
//!
//! let size = Size::square(9).unwrap();
//! let game = Game::new(size, Rules::default());
//! let mut encoder = Encoder::new(&Input::all(InputSet::Katago7), size);
//! let mut planes = Planes::new(size);
//! encoder.encode(&Line::from_game(&game, Color::Black).view(), &mut planes);
//!
//! // A search has boards of its own: it keeps the track, and lends both.
//! let mut track = Track::of(&game, Color::Black);
//! let root = track.mark();
//! let (before, mut now) = (game.board().clone(), game.board().clone());
//! let point = size.point(2, 2).unwrap();
//! now.play_unchecked(point, Color::Black);
//! track.play(Color::Black, Move::Play(point), now.hash());
//! encoder.encode(&View { boards: [&now, &before, &before], track: &track }, &mut planes);
//! assert_eq!(planes.ones().filter(|&(plane, _)| plane == 9).count(), 1, "the last move");
//! track.rewind(&root);
//! ```
//!
//! Points count from the top left, row by row. After set-up nothing allocates, unless boards change their size or a game becomes longer than any.

mod area;
pub mod katago7;
mod ladder;
mod line;
pub mod paper;
pub mod people;
mod planes;
mod symmetry;
mod track;

pub use line::{Line, View};
pub use people::{People, Rank, Server};
pub use planes::{Layout, Planes, WrongLength};
pub use symmetry::{SYMMETRIES, Turn, Turns, symmetry};
pub use track::{MOST_RECENT, Mark, Track};

use crate::model::{Input, InputSet};
use tesuji_board::{Point, PointMap, Rules, Size};

/// The encoder of a set of planes.
#[derive(Clone)]
pub struct Encoder {
    kind: Kind,
    options: katago7::Options,
    people: People,
}

#[derive(Clone)]
enum Kind {
    Katago7(Box<katago7::Katago7>),
    People(Box<katago7::Katago7>),
    Paper(Box<paper::Paper>, paper::LastPlane),
}

impl Encoder {
    /// What makes the set that a network reads; which planes of it, and in which order, is left to [`Planes::write_planes`].
    pub fn new(input: &Input, size: Size) -> Encoder {
        let paper = |last| Kind::Paper(Box::new(paper::Paper::new(size)), last);
        let kind = match input.set {
            InputSet::Katago7 => Kind::Katago7(Box::new(katago7::Katago7::new(size))),
            InputSet::People => Kind::People(Box::new(katago7::Katago7::new(size))),
            InputSet::PaperPolicy => paper(paper::LastPlane::Zeros),
            InputSet::PaperValue => paper(paper::LastPlane::BlackToMove),
        };
        let options = katago7::Options { area_with_suicide: input.area_with_suicide, ..Default::default() };
        Encoder { kind, options, people: People::default() }
    }

    /// Says who plays, until somebody else does; sets without people do not show it.
    pub fn set_people(&mut self, people: People) {
        self.people = people;
    }

    /// The same for a network that is told these rules, whatever those of the game.
    pub fn assuming(mut self, rules: Option<Rules>) -> Encoder {
        self.options.assumed_rules = rules;
        self
    }

    /// Writes the input for a position.
    pub fn encode(&mut self, view: &View<'_>, planes: &mut Planes) {
        match &mut self.kind {
            Kind::Katago7(encoder) => encoder.encode(view, self.options, planes),
            Kind::People(encoder) => {
                encoder.encode(view, self.options, planes);
                people::add_people(&self.people, view.to_move(), planes.more_globals(people::GLOBALS));
            }
            Kind::Paper(encoder, last) => encoder.encode(view, *last, planes),
        }
    }
}

/// The points of a board in reading order, and their numbers in it.
#[derive(Clone)]
struct Places {
    size: Size,
    points: Vec<Point>,
    ordinals: PointMap<u16>,
}

impl Places {
    fn new(size: Size) -> Places {
        let points: Vec<Point> = size.points().collect();
        let mut ordinals = PointMap::filled(0);
        for (i, &point) in points.iter().enumerate() {
            ordinals[point] = i as u16;
        }
        Places { size, points, ordinals }
    }

    fn fit(&mut self, size: Size) {
        if self.size != size {
            *self = Places::new(size);
        }
    }

    fn points(&self) -> &[Point] {
        &self.points
    }

    #[inline]
    fn ordinal(&self, point: Point) -> usize {
        usize::from(self.ordinals[point])
    }
}
