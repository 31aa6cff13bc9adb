//! Unconditional life: chains that cannot be captured even if their owner always passes.
//!
//! D. B. Benson, "Life in the game of Go", Information Sciences 10 (1976). A region here is a connected set of
//! points without a stone of the colour, opponent's stones included. It is *vital* to a chain if all its empty
//! points are liberties of that chain. A set of chains lives if each has two vital regions that are bounded by chains
//! of the set alone; the largest such set is found by striking out chains with fewer, and then the regions
//! they touch, until nothing changes. Each chain and region is struck out once, so the work is linear.
//!
//! Benson's rules forbid suicide. If it is allowed, the opponent can empty a region by filling it up, so all points
//! of a vital region must then be beside the chain, those with opponent's stones as well.

use crate::board::{Board, Chain, Suicide};
use crate::color::{Cell, Color};
use crate::point::{MAX_AREA, Point, Size};
use crate::point_map::PointMap;
use crate::point_set::PointSet;
use crate::region::Regions;

/// What Benson's algorithm proves about one colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnconditionalLife {
    /// The stones of the unconditionally alive chains.
    pub stones: PointSet,
    /// The vital regions of these chains: nothing of the opponent can live there.
    pub territory: PointSet,
}

impl UnconditionalLife {
    /// The unconditional life of `color` when its opponent may or may not commit suicide; does not allocate.
    pub fn of(board: &Board, color: Color, suicide: Suicide) -> UnconditionalLife {
        let mut proof = LifeProof::new(board.size());
        proof.prove(board, color, suicide);
        let mut life = UnconditionalLife::default();
        for chain in chains(board, color).filter(|&chain| proof.is_alive(chain)) {
            life.stones.extend(board.stones(chain));
        }
        for region in (0..proof.regions.len()).filter(|&region| proof.is_enclosed(region)) {
            if proof.vital_to[region].iter().any(Option::is_some) {
                life.territory.extend(proof.regions.points(region).iter().copied());
            }
        }
        life
    }
}

/// Benson's algorithm with all that it finds out, in memory that is used again: for those who ask of every position.
#[derive(Clone)]
pub struct LifeProof {
    regions: Regions,
    /// By region: whether it is bounded by chains that may be alive only.
    is_enclosed: [bool; MAX_AREA],
    /// By region: the chains to which it is vital. They all touch one point of it, so there are at most four.
    vital_to: [[Option<Chain>; 4]; MAX_AREA],
    /// By chain: number of enclosed vital regions.
    vital_count: PointMap<u16>,
    /// Chains struck out whose regions are still enclosed.
    struck: [Option<Chain>; MAX_AREA],
    struck_count: usize,
}

impl LifeProof {
    /// Memory for boards of a size; nothing is proved yet.
    pub fn new(size: Size) -> LifeProof {
        LifeProof {
            regions: Regions::none(size),
            is_enclosed: [false; MAX_AREA],
            vital_to: [[None; 4]; MAX_AREA],
            vital_count: PointMap::filled(0),
            struck: [None; MAX_AREA],
            struck_count: 0,
        }
    }

    /// Finds the unconditional life of `color` when its opponent may or may not commit suicide; does not allocate.
    pub fn prove(&mut self, board: &Board, color: Color, suicide: Suicide) {
        let own = color.cell();
        self.regions.find_again(board.size(), |point| board.cell(point) != own);
        for chain in chains(board, color) {
            self.vital_count[chain.stone()] = 0;
        }
        for region in 0..self.regions.len() {
            self.is_enclosed[region] = true;
            self.find_vital(board, color, region, suicide);
        }
        self.strike_out(board, color);
    }

    /// The regions of points without a stone of the colour.
    pub fn regions(&self) -> &Regions {
        &self.regions
    }

    /// Whether all chains of the colour around a region are alive.
    #[inline]
    pub fn is_enclosed(&self, region: usize) -> bool {
        self.is_enclosed[region]
    }

    /// Whether a chain of the colour is alive.
    #[inline]
    pub fn is_alive(&self, chain: Chain) -> bool {
        self.vital_count[chain.stone()] > 0
    }

    fn find_vital(&mut self, board: &Board, color: Color, region: usize, suicide: Suicide) {
        let must_touch = |&&point: &&Point| suicide == Suicide::Allowed || board.is_empty(point);
        self.vital_to[region] = [None; 4];
        let mut points = self.regions.points(region).iter().filter(must_touch);
        let Some(&first) = points.next() else { return };
        for (i, chain) in board.chains_beside(first, color).into_iter().enumerate() {
            let touches =
                |&point: &Point| board.sides(point, color.cell()).any(|side| board.chain_at(side) == chain);
            if points.clone().all(touches) {
                self.vital_to[region][i] = Some(chain);
                self.vital_count[chain.stone()] += 1;
            }
        }
    }

    fn strike_out(&mut self, board: &Board, color: Color) {
        self.struck_count = 0;
        for chain in chains(board, color) {
            if self.vital_count[chain.stone()] < 2 {
                self.strike(chain);
            }
        }
        while self.struck_count > 0 {
            self.struck_count -= 1;
            if let Some(chain) = self.struck[self.struck_count] {
                self.open_regions_around(board, chain, color);
            }
        }
    }

    fn strike(&mut self, chain: Chain) {
        self.vital_count[chain.stone()] = 0;
        self.struck[self.struck_count] = Some(chain);
        self.struck_count += 1;
    }

    fn open_regions_around(&mut self, board: &Board, chain: Chain, color: Color) {
        for stone in board.stones(chain) {
            for cell in [Cell::Empty, (!color).cell()] {
                for side in board.sides(stone, cell) {
                    if let Some(region) = self.regions.region_of(side) {
                        self.open(region);
                    }
                }
            }
        }
    }

    fn open(&mut self, region: usize) {
        if !std::mem::replace(&mut self.is_enclosed[region], false) {
            return;
        }
        for chain in self.vital_to[region].into_iter().flatten() {
            match self.vital_count[chain.stone()] {
                0 => {}
                1 | 2 => self.strike(chain),
                _ => self.vital_count[chain.stone()] -= 1,
            }
        }
    }
}

fn chains(board: &Board, color: Color) -> impl Iterator<Item = Chain> + '_ {
    let names_chain =
        move |&point: &Point| board.color(point) == Some(color) && board.chain_at(point).stone() == point;
    board.size().points().filter(names_chain).map(|point| board.chain_at(point))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::Diagram;
    use crate::testing::{Rng, random_position};
    use std::collections::HashSet;

    /// Black's marked stones are those that live, the points called `t` (and stones on them) the territory.
    fn check(diagram: &str) {
        check_suicide(diagram, Suicide::Forbidden);
    }

    fn check_suicide(diagram: &str, suicide: Suicide) {
        let parsed = Diagram::parse(diagram).unwrap();
        let life = UnconditionalLife::of(&parsed.board, Color::Black, suicide);
        assert_eq!(life.stones, parsed.marked().iter().copied().collect(), "{diagram}");
        let empty_territory: PointSet =
            life.territory.iter().filter(|&point| parsed.board.is_empty(point)).collect();
        assert_eq!(empty_territory, parsed.points('t').collect(), "{diagram}");
    }

    #[test]
    fn two_eyes_live_and_one_does_not() {
        check("t#t#.\n####.\n.....");
        check(".X...\nXX...\n.....");
        check("..X.X.\n.XXXX.\n......");
        check("tt#t#\n#####\nttttt");
    }

    #[test]
    fn a_region_with_opponents_stones_can_be_vital() {
        check("OO#t##\nOt####\n###...\n......");
        check("OOt#t#\nOt####\nt##...\n##....\n......");
        check(".OX.XX\nO.XXXX\nXXX...\n......");
    }

    #[test]
    fn suicide_can_open_a_region() {
        check("Ot#\n##t\n###\n#t#");
        check_suicide("O.X\nXX.\nXXX\nX.X", Suicide::Allowed);
    }

    #[test]
    fn an_empty_point_away_from_the_chain_spoils_a_region() {
        check(".....X\n...XXX\nXXXX..");
        check("...#t#\n..####\n###ttt");
    }

    #[test]
    fn chains_can_share_eyes() {
        check("t##..\n#t#..\nt##..");
        check(".XOO\nX.X.\n.XX.\n....");
        check("t#...\n#t#..\n.#t#.\n..#t#\n...#t");
        check(".X...\nX.X..\n.X.X.\n..XX.\n.....");
    }

    #[test]
    fn white_lives_by_the_same_rule() {
        let life = |board: &Board, color| UnconditionalLife::of(board, color, Suicide::Forbidden);
        let board = Diagram::parse(".O.O.\nOOOO.\n.....").unwrap().board;
        assert_eq!(life(&board, Color::White).stones.len(), 6);
        assert_eq!(life(&board, Color::White).territory.len(), 2);
        assert_eq!(life(&board, Color::Black), UnconditionalLife::default());
    }

    /// The stones of `color` that no series of opponent's moves captures, found by playing all of them.
    fn uncapturable(board: &Board, color: Color, suicide: Suicide) -> PointSet {
        let own_stones = |board: &Board| -> PointSet {
            board.size().points().filter(|&point| board.color(point) == Some(color)).collect()
        };
        let mut left = own_stones(board);
        let mut seen = HashSet::from([board.hash()]);
        let mut open = vec![board.clone()];
        while let Some(position) = open.pop() {
            let stones = own_stones(&position);
            left = left.iter().filter(|&point| stones.contains(point)).collect();
            if left.is_empty() {
                break;
            }
            for &point in position.empties() {
                let mut next = position.clone();
                // The owner passes between the moves, which lifts a ko.
                next.pass();
                if next.play(point, !color, suicide).is_ok() && seen.insert(next.hash()) {
                    open.push(next);
                }
            }
        }
        left
    }

    /// The theorem itself: exactly the chains found here cannot be captured.
    #[test]
    fn exactly_the_living_chains_cannot_be_captured() {
        let mut rng = Rng::new(4);
        let (mut alive, mut dead) = (0, 0);
        for (width, height, games) in [(3, 4, 400), (5, 2, 300), (3, 3, 300)] {
            let size = Size::new(width, height).unwrap();
            for game in 0..games {
                let plies = rng.below(3 * size.area());
                let mut board = random_position(&mut rng, size, plies, Suicide::Forbidden);
                // More stones of one colour: evenly filled boards hardly ever have two eyes.
                for _ in 0..rng.below(size.area()) {
                    let point = board.empties()[rng.below(board.empties().len())];
                    let _ = board.play(point, Color::Black, Suicide::Forbidden);
                }
                let suicide = if game % 2 == 0 { Suicide::Forbidden } else { Suicide::Allowed };
                for color in Color::BOTH {
                    let life = UnconditionalLife::of(&board, color, suicide);
                    assert_eq!(
                        life.stones,
                        uncapturable(&board, color, suicide),
                        "{color} with {suicide:?} suicide in\n{board}"
                    );
                    alive += life.stones.len();
                    dead += board.stone_count(color) - life.stones.len();
                }
            }
        }
        assert!(alive > 50 && dead > 50, "{alive} living and {dead} other stones were tested");
    }
}
