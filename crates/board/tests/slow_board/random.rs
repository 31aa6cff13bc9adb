//! Random games that go looking for captures, kos, repetitions and suicides.

use crate::compare::{Bans, point};
use crate::rng::Rng;
use crate::slow::{Outcome, Place, SlowGame, empty_position};
use tesuji_board::{Color, Game, KoRule, Move, Rules, Size, Suicide, hash_after};

/// What happened in checked moves.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) games: usize,
    /// Moves that took stones, and those that took several.
    pub(crate) captures: usize,
    pub(crate) multi_stone_captures: usize,
    /// Moves on the point of a stone just taken that took several back.
    pub(crate) snapbacks: usize,
    /// Moves that made a ko.
    pub(crate) kos: usize,
    /// Points forbidden, counted after every move.
    pub(crate) ko_bans: usize,
    pub(crate) superko_bans: usize,
    pub(crate) suicide_bans: usize,
    /// Moves that removed themselves alone, or their chain.
    pub(crate) single_suicides: usize,
    pub(crate) multi_stone_suicides: usize,
    /// Removed stones and changed chains that moves told their observers.
    pub(crate) told_stones: usize,
    pub(crate) told_chains: usize,
}

impl Events {
    pub(crate) fn add_bans(&mut self, bans: &Bans) {
        self.ko_bans += bans.ko;
        self.superko_bans += bans.superko;
        self.suicide_bans += bans.suicide;
    }

    fn counts(&self) -> [usize; 12] {
        [
            self.games,
            self.captures,
            self.multi_stone_captures,
            self.snapbacks,
            self.kos,
            self.ko_bans,
            self.superko_bans,
            self.suicide_bans,
            self.single_suicides,
            self.multi_stone_suicides,
            self.told_stones,
            self.told_chains,
        ]
    }

    pub(crate) fn assert_at_least(&self, minimum: &Events) {
        let enough = self.counts().iter().zip(minimum.counts()).all(|(&count, minimum)| count >= minimum);
        assert!(enough, "too few of some events: {self:?}, wanted {minimum:?}");
    }
}

/// Every combination of ko rule and suicide in turn.
pub(crate) fn rules_of(i: usize) -> (KoRule, Suicide) {
    let ko = [KoRule::Simple, KoRule::Positional, KoRule::Situational][i % 3];
    let suicide = [Suicide::Forbidden, Suicide::Allowed][i / 3 % 2];
    (ko, suicide)
}

/// The same game twice.
pub(crate) struct RandomGame {
    pub(crate) fast: Game,
    pub(crate) slow: SlowGame,
    /// Where the last move took exactly one stone.
    single_capture: Option<Place>,
}

impl RandomGame {
    pub(crate) fn new(size: Size, (ko, suicide): (KoRule, Suicide)) -> RandomGame {
        let rules = Rules { ko, suicide, ..Rules::default() };
        let position = empty_position(size.width(), size.height());
        let slow = SlowGame::new(position, Color::Black, ko, suicide);
        RandomGame { fast: Game::new(size, rules), slow, single_capture: None }
    }

    /// Makes a random move in both games.
    pub(crate) fn step(&mut self, rng: &mut Rng, events: &mut Events) {
        let color = if rng.chance(5) { !self.slow.to_move } else { self.slow.to_move };
        let mv = if rng.chance(4) { None } else { self.choose(color, rng) };
        let Some((place, outcome)) = mv else {
            self.fast.play(color, Move::Pass).unwrap();
            self.slow.play(color, None);
            self.single_capture = None;
            return;
        };
        self.count(color, place, &outcome, events);
        let at = point(self.fast.size(), place);
        let hash = hash_after(self.fast.board(), at, color);
        self.fast.play(color, Move::Play(at)).unwrap();
        assert_eq!(self.fast.board().hash(), hash);
        let taken =
            |&(x, y): &Place| self.slow.position[y][x] == Some(!color) && outcome.position[y][x].is_none();
        let mut taken = crate::slow::places(&outcome.position).filter(taken);
        self.single_capture = taken.next().filter(|_| outcome.captured == 1);
        self.slow.play(color, Some((place, outcome)));
        events.kos += usize::from(self.fast.board().ko_point(!color).is_some());
    }

    /// Tries a few legal points and likes those where stones come off.
    fn choose(&self, color: Color, rng: &mut Rng) -> Option<(Place, Outcome)> {
        let mut empties = self.slow.empties();
        let wants_removal = rng.chance(60);
        let mut best: Option<(Place, Outcome)> = None;
        for _ in 0..empties.len().min(12) {
            let place = empties.swap_remove(rng.below(empties.len()));
            let Ok(outcome) = self.slow.try_play(color, place) else { continue };
            let removed = outcome.captured + outcome.suicided;
            if best.is_none() || removed > 0 {
                best = Some((place, outcome));
            }
            if !wants_removal || removed > 0 {
                break;
            }
        }
        best
    }

    fn count(&self, color: Color, place: Place, outcome: &Outcome, events: &mut Events) {
        events.captures += usize::from(outcome.captured > 0);
        events.multi_stone_captures += usize::from(outcome.captured > 1);
        events.single_suicides += usize::from(outcome.suicided == 1);
        events.multi_stone_suicides += usize::from(outcome.suicided > 1);
        let answers = self.slow.moves.last().is_some_and(|&(last, _)| last != color);
        let snapback = answers && outcome.captured > 1 && self.single_capture == Some(place);
        events.snapbacks += usize::from(snapback);
    }
}
