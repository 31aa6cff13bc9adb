//! The verdict on a position: dead stones, seki, and the score that follows.
//!
//! Benson's proof comes first; what it leaves open is decided chain by chain by the ownership that playouts found. A chain
//! is dead if its points mostly end up with the opponent. Living chains that have too few eyes and share liberties with
//! opposing chains that have too few eyes as well are in seki. Playouts capture stones inside an eye even if the captor dies of it;
//! where the shape says so, such stones are given back their life.

use tesuji_board::{
    Board, Chain, Color, Game, Move, Owner, Ownership, Point, PointMap, PointSet, Regions, Score, Scoring,
    Size, Tax, UnconditionalLife, Verdict, area_lead, territory_lead,
};
use tesuji_search::{Control, Searcher};

/// Who is given the benefit of the doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaning {
    /// Nobody: the likelier fate of each chain.
    Even,
    /// The opponent of this player: own stones must be clearly alive, and the opponent's clearly dead.
    Against(Color),
}

/// What is thought of a position if the game ends now.
#[derive(Clone)]
pub struct Judgement {
    /// Dead stones and stones in seki.
    pub verdict: Verdict,
    /// Who owns which point by area.
    pub area: Ownership,
    /// The score by the rules of the game, komi included.
    pub score: Score,
}

/// What ownership a chain's points must have on average, from its owner's side, to be alive when in doubt.
const CLEARLY_ALIVE: f32 = 0.3;
/// As [`CLEARLY_ALIVE`], to be dead.
const CLEARLY_DEAD: f32 = -0.5;
/// Points from which on an eye space makes two eyes.
const TWO_EYE_SPACE: usize = 3;

impl Judgement {
    /// Judges the position of a game; without ownership only what is proven dead is dead.
    pub fn of(game: &Game, black_ownership: &[f32], leaning: Leaning) -> Judgement {
        let mut dead = dead_stones(game, black_ownership, leaning);
        let poisoned = Groups::find(game, &dead).poisoned();
        dead = dead.iter().filter(|&stone| !poisoned.contains(stone)).collect();
        Judgement::with_dead(game, dead)
    }

    /// What follows if these stones are dead, as two players may agree.
    pub fn with_dead(game: &Game, dead: PointSet) -> Judgement {
        let groups = Groups::find(game, &dead);
        let verdict = Verdict { dead, seki: groups.seki() };
        let area = Ownership::by_area(game.board(), &verdict);
        let score = score(game, &verdict, &groups);
        Judgement { verdict, area, score }
    }

    /// The owner of a point by area.
    pub fn owner(&self, point: Point) -> Owner {
        self.area.owner(point)
    }
}

/// Who owns what when nobody moves any more: the mean of a search for each player, so that neither has the first word.
pub fn impartial_ownership<C: Control>(
    searcher: &mut dyn Searcher,
    game: &Game,
    control: impl Fn() -> C,
) -> Vec<f32> {
    let [black, white] = Color::BOTH.map(|color| {
        searcher.search(game, color, &control());
        searcher.report().black_ownership
    });
    black.iter().zip(&white).map(|(black, white)| (black + white) / 2.0).collect()
}

fn dead_stones(game: &Game, black_ownership: &[f32], leaning: Leaning) -> PointSet {
    let board = game.board();
    let life = Color::BOTH.map(|color| UnconditionalLife::of(board, color, game.rules().suicide));
    let stand_off = stand_offs(board);
    let mut dead = PointSet::EMPTY;
    for (point, color) in board.chain_representatives() {
        let is_dead = if life[color.index()].stones.contains(point) || stand_off.contains(point) {
            false
        } else if life[(!color).index()].territory.contains(point) {
            true
        } else {
            let border = match leaning {
                Leaning::Even => 0.0,
                Leaning::Against(player) if player == color => CLEARLY_ALIVE,
                Leaning::Against(_) => CLEARLY_DEAD,
            };
            mean_ownership(game, point, color, black_ownership).is_some_and(|mean| mean < border)
        };
        if is_dead {
            dead.extend(board.stones(board.chain_at(point)));
        }
    }
    dead
}

/// Stones of opposing chains that have the same two liberties and nothing else: who plays there first is captured, so nobody does.
/// Playouts do, sooner or later, and say nothing about them.
fn stand_offs(board: &Board) -> PointSet {
    let mut stones = PointSet::EMPTY;
    for (stone, color) in board.chain_representatives() {
        let chain = board.chain_at(stone);
        let liberties: PointSet = board.liberties(chain).collect();
        if board.liberty_count(chain) != 2 {
            continue;
        }
        let has_same = |other: &Chain| board.liberties(*other).collect::<PointSet>() == liberties;
        let faces = |liberty: Point| board.chains_beside(liberty, !color).into_iter().find(has_same);
        let Some(other) = liberties.iter().find_map(faces) else { continue };
        // A liberty that touches anything else is a way out, or in.
        let is_closed = |liberty: Point| {
            board.empty_around(liberty).all(|next| liberties.contains(next))
                && board.chains_beside(liberty, color).into_iter().all(|beside| beside == chain)
                && board.chains_beside(liberty, !color).into_iter().all(|beside| beside == other)
        };
        // Stones given up must leave the captor a shape of two eyes or a way to other stones, or it pays to give them up.
        let is_dear = |chain: Chain, captor: Chain, color: Color| {
            let connects = board
                .stones(chain)
                .any(|stone| board.chains_beside(stone, color).into_iter().any(|beside| beside != captor));
            connects
                || liberties.iter().all(|liberty| {
                    let given: Vec<Point> = board.stones(chain).chain([liberty]).collect();
                    !makes_one_eye(&given, board.size())
                })
        };
        if liberties.iter().all(is_closed) && is_dear(chain, other, !color) && is_dear(other, chain, color) {
            stones.extend(board.stones(chain));
        }
    }
    stones
}

/// Mean ownership of the stones of a chain from its owner's side.
fn mean_ownership(game: &Game, stone: Point, color: Color, black_ownership: &[f32]) -> Option<f32> {
    let (board, size) = (game.board(), game.size());
    if black_ownership.len() != size.area() {
        return None;
    }
    let chain = board.chain_at(stone);
    let sum: f32 = board.stones(chain).map(|point| black_ownership[size.ordinal(point)]).sum();
    let mean = sum / board.chain_size(chain) as f32;
    Some(if color == Color::Black { mean } else { -mean })
}

fn score(game: &Game, verdict: &Verdict, groups: &Groups<'_>) -> Score {
    let rules = game.rules();
    // Stones in seki matter to the count only if their eyes do not count.
    let counted = match rules.tax {
        Tax::None => Verdict { seki: PointSet::EMPTY, ..*verdict },
        Tax::Seki | Tax::All => *verdict,
    };
    let mut lead = match rules.scoring {
        Scoring::Area => area_lead(game.board(), &counted),
        Scoring::Territory => territory_lead(game.board(), &counted),
    };
    if rules.tax == Tax::All {
        lead -= 2 * (groups.living(Color::Black) - groups.living(Color::White));
    }
    let mut score = Score::with_komi(lead, game.white_points());
    if rules.has_button {
        let first_pass = game.moves().iter().find(|(_, mv)| *mv == Move::Pass);
        score.black_lead += match first_pass {
            Some((Color::Black, _)) => 0.5,
            Some((Color::White, _)) => -0.5,
            None => 0.0,
        };
    }
    score
}

/// Living chains, united where they share an eye space or two liberties.
struct Groups<'a> {
    game: &'a Game,
    dead: &'a PointSet,
    /// By chain name: a chain name nearer to the group's own.
    parent: PointMap<Option<Point>>,
    /// By name of the group: eyes it surely has, at most a few.
    eyes: PointMap<usize>,
    /// Empty and dead points.
    spaces: Regions,
}

impl<'a> Groups<'a> {
    fn find(game: &'a Game, dead: &'a PointSet) -> Groups<'a> {
        let board = game.board();
        let spaces = Regions::find(game.size(), |point| board.is_empty(point) || dead.contains(point));
        let mut groups =
            Groups { game, dead, parent: PointMap::filled(None), eyes: PointMap::filled(0), spaces };
        groups.unite_by_liberties();
        for space in 0..groups.spaces.len() {
            let around = groups.chains_around(space);
            if let Some((&(first, color), others)) = around.split_first()
                && others.iter().all(|&(_, other)| other == color)
            {
                others.iter().for_each(|&(chain, _)| groups.unite(first, chain));
            }
        }
        for space in 0..groups.spaces.len() {
            let around = groups.chains_around(space);
            if let Some(&(first, color)) = around.first()
                && around.iter().all(|&(_, other)| other == color)
            {
                let space = groups.spaces.points(space).len();
                let name = groups.name(first);
                groups.eyes[name] += if space >= TWO_EYE_SPACE { 2 } else { 1 };
            }
        }
        groups
    }

    fn unite_by_liberties(&mut self) {
        let board = self.game.board();
        let living: Vec<_> = self.living_chains().collect();
        for (i, &(a, color)) in living.iter().enumerate() {
            for &(b, _) in living[..i].iter().filter(|&&(_, other)| other == color) {
                let (a_chain, b_chain) = (board.chain_at(a), board.chain_at(b));
                let words = board.liberty_words(a_chain).iter().zip(board.liberty_words(b_chain));
                if words.map(|(a, b)| (a & b).count_ones()).sum::<u32>() >= 2 {
                    self.unite(a, b);
                }
            }
        }
    }

    fn living_chains(&self) -> impl Iterator<Item = (Point, Color)> + 'a {
        let dead = self.dead;
        self.game.board().chain_representatives().filter(|(point, _)| !dead.contains(*point))
    }

    /// The living chains beside a space, each once.
    fn chains_around(&self, space: usize) -> Vec<(Point, Color)> {
        let board = self.game.board();
        let mut chains = Vec::new();
        for &point in self.spaces.points(space) {
            for color in Color::BOTH {
                for stone in board.sides(point, color.cell()).filter(|&stone| !self.dead.contains(stone)) {
                    let chain = (board.chain_at(stone).stone(), color);
                    if !chains.contains(&chain) {
                        chains.push(chain);
                    }
                }
            }
        }
        chains
    }

    /// The chain that names the group of a chain.
    fn name(&self, mut chain: Point) -> Point {
        while let Some(parent) = self.parent[chain] {
            chain = parent;
        }
        chain
    }

    fn unite(&mut self, a: Point, b: Point) {
        let (a, b) = (self.name(a), self.name(b));
        if a != b {
            self.parent[a] = Some(b);
        }
    }

    /// Dead stones that fill the only eye of a group up to two points, such that whoever plays there first loses: the captor is
    /// left with a shape of one eye, the captured give a shape of two.
    fn poisoned(&self) -> PointSet {
        let (board, size) = (self.game.board(), self.game.size());
        let mut poisoned = PointSet::EMPTY;
        for space in 0..self.spaces.len() {
            let points = self.spaces.points(space);
            let (empty, stones): (Vec<Point>, Vec<Point>) =
                points.iter().partition(|&&point| board.is_empty(point));
            let &[a, b] = empty.as_slice() else { continue };
            let with = |point| stones.iter().copied().chain([point]).collect::<Vec<_>>();
            let is_balanced = || {
                makes_one_eye(&stones, size)
                    && ![a, b].into_iter().any(|point| makes_one_eye(&with(point), size))
            };
            let is_one_chain = stones.first().is_some_and(|&stone| {
                let chain = board.chain_at(stone);
                board.chain_size(chain) == stones.len()
                    && stones.iter().all(|&other| board.chain_at(other) == chain)
            });
            if is_one_chain && self.is_only_eye(space) && is_balanced() {
                poisoned.extend(stones);
            }
        }
        poisoned
    }

    /// Whether a space is the one eye of one group, which has no other and nothing to connect to.
    fn is_only_eye(&self, space: usize) -> bool {
        let around = self.chains_around(space);
        let Some(&(first, color)) = around.first() else { return false };
        let name = self.name(first);
        let life = UnconditionalLife::of(self.game.board(), color, self.game.rules().suicide);
        let is_own = |&(chain, other): &(Point, Color)| other == color && self.name(chain) == name;
        let leaves_alone = |other: usize| {
            let chains = self.chains_around(other);
            let is_beside = chains.iter().any(is_own);
            // A space of both colours is no eye; one that another group of the colour shares may connect.
            let is_harmless = || {
                chains.iter().any(|&(_, c)| c != color)
                    && chains.iter().filter(|&&(_, c)| c == color).all(is_own)
            };
            other == space || !is_beside || is_harmless()
        };
        around.iter().all(is_own) && !life.stones.contains(first) && (0..self.spaces.len()).all(leaves_alone)
    }

    /// Number of groups of a colour.
    fn living(&self, color: Color) -> i32 {
        self.living_chains().filter(|&(chain, c)| c == color && self.name(chain) == chain).count() as i32
    }

    /// Stones of groups short of eyes that share a space with an opposing group short of eyes.
    fn seki(&self) -> PointSet {
        let board = self.game.board();
        let suicide = self.game.rules().suicide;
        let life = Color::BOTH.map(|color| UnconditionalLife::of(board, color, suicide));
        let mut proven = PointSet::EMPTY;
        for (chain, color) in self.living_chains() {
            if life[color.index()].stones.contains(chain) {
                proven.insert(self.name(chain));
            }
        }
        let around: Vec<_> = (0..self.spaces.len()).map(|space| self.chains_around(space)).collect();
        let is_short = |name: Point| self.eyes[name] < 2 && !proven.contains(name);
        let mut candidates: PointSet =
            self.living_chains().map(|(chain, _)| self.name(chain)).filter(|&name| is_short(name)).collect();
        loop {
            let faces_candidate = |&name: &Point| {
                around.iter().any(|chains| {
                    let mine = chains.iter().find(|&&(chain, _)| self.name(chain) == name);
                    mine.is_some_and(|&(_, color)| {
                        let opposing = |&&(chain, c): &&(Point, Color)| {
                            c != color && candidates.contains(self.name(chain))
                        };
                        chains.iter().any(|chain| opposing(&chain))
                    })
                })
            };
            let kept: PointSet = candidates.iter().filter(faces_candidate).collect();
            if kept == candidates {
                break;
            }
            candidates = kept;
        }
        let in_seki = self.living_chains().filter(|&(chain, _)| candidates.contains(self.name(chain)));
        in_seki.flat_map(|(chain, _)| board.stones(board.chain_at(chain))).collect()
    }
}

/// Whether points that are an eye as a whole make no second one if the opponent plays first.
fn makes_one_eye(points: &[Point], size: Size) -> bool {
    let degree = |&point: &Point| size.neighbors(point).filter(|side| points.contains(side)).count();
    let (sum, most) = points.iter().map(degree).fold((0, 0), |(sum, most), d| (sum + d, most.max(d)));
    // By pairs of neighbours and the neighbours of the best connected point: square and pyramid, bulky five and cross, rabbity six.
    matches!(
        (points.len(), sum / 2, most),
        (0..=3, ..) | (4, 4, _) | (4, _, 3) | (5, 5, _) | (5, _, 4) | (6, 6, 4)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Diagram, Rules};

    /// Judges a diagram with the ownership that its letters and stones suggest: stones keep their points unless marked.
    fn judged(text: &str, rules: &str) -> (Diagram, Judgement) {
        let diagram = Diagram::parse(text).unwrap();
        let size = diagram.board.size();
        let rules = Rules { komi: 0.0, ..Rules::named(rules).unwrap() };
        let game = Game::from_position(diagram.board.clone(), Color::Black, rules);
        let value = |point| {
            let worth = match diagram.board.color(point) {
                Some(Color::Black) => 0.9,
                Some(Color::White) => -0.9,
                None => 0.0,
            };
            if diagram.marked().contains(&point) { -worth } else { worth }
        };
        let ownership: Vec<f32> = size.points().map(value).collect();
        let judgement = Judgement::of(&game, &ownership, Leaning::Even);
        (diagram, judgement)
    }

    #[test]
    fn stones_that_playouts_lose_are_dead() {
        let (diagram, judgement) = judged(
            ". X O . .
             . X O # .
             . X O . .
             . X O . .
             . X O . .",
            "chinese",
        );
        assert_eq!(judgement.verdict.dead.iter().collect::<Vec<_>>(), diagram.marked());
        assert!(judgement.verdict.seki.is_empty());
        assert_eq!(judgement.score.to_string(), "W+5");
    }

    #[test]
    fn proof_overrules_playouts() {
        // Black lives unconditionally whatever the playouts say, and the white stone inside is dead.
        let (_, judgement) = judged(
            ". # . # .
             # # # # .
             . O # . .
             # # # . .
             . . . . .",
            "chinese",
        );
        assert_eq!(judgement.verdict.dead.len(), 1);
        assert_eq!(judgement.score.to_string(), "B+25");
    }

    #[test]
    fn groups_without_eyes_that_face_each_other_are_in_seki() {
        let (diagram, judgement) = judged(
            ". X . X O . X O . O .
             X X X X O . X O O O O",
            "japanese",
        );
        assert!(judgement.verdict.dead.is_empty());
        let size = diagram.board.size();
        let expected: PointSet = size.points().filter(|&point| matches!(size.x(point), 4 | 6)).collect();
        assert_eq!(judgement.verdict.seki, expected);
        assert_eq!(judgement.score.to_string(), "0");
    }

    #[test]
    fn stones_that_nobody_can_capture_and_live_are_in_seki() {
        // White's only eye: to capture leaves three in a row.
        let (diagram, judgement) = judged(
            ". O X . .
             # O X X X
             # O X . X
             # O X X X
             . O X . .",
            "chinese",
        );
        assert!(judgement.verdict.dead.is_empty());
        assert_eq!(judgement.verdict.seki.len(), 8);
        assert!(diagram.marked().iter().all(|&stone| judgement.verdict.seki.contains(stone)));
        assert_eq!(judgement.score.to_string(), "B+13");
        // With an eye elsewhere White captures; where one more stone kills, playouts know better.
        for text in [
            ". O X . .
             # O X X X
             # O X . X
             # O O X X
             . O . O X",
            ". O X . .
             # O X X X
             # O X . X
             . O X X X
             O O X . .",
        ] {
            let (diagram, judgement) = judged(text, "chinese");
            assert_eq!(judgement.verdict.dead.iter().collect::<Vec<_>>(), diagram.marked(), "{text}");
        }
    }

    #[test]
    fn shapes_of_one_eye() {
        for (text, expected) in [
            ("X X X .\n. . . .", true),
            ("X X X X\n. . . .", false),
            ("X X X .\n. X . .", true),
            ("X X . .\nX X . .", true),
            ("X X X .\nX . . .", false),
            ("X X X .\nX X . .", true),
            (". X . .\nX X X .\n. X . .", true),
            (". X X .\nX X X .\n. X . .", true),
            ("X X X .\nX X X .", false),
        ] {
            let board = Diagram::parse(text).unwrap().board;
            let points: Vec<Point> = board.size().points().filter(|&point| !board.is_empty(point)).collect();
            assert_eq!(makes_one_eye(&points, board.size()), expected, "{text}");
        }
    }

    #[test]
    fn doubt_goes_to_the_opponent() {
        let diagram = Diagram::parse("X . . . O\nX . . . O\nX . . . O\nX . . . O\nX . . . O").unwrap();
        let game = Game::from_position(diagram.board, Color::Black, Rules::default());
        let slightly_black = [0.1; 25];
        let winner = |leaning| Judgement::of(&game, &slightly_black, leaning).score.winner();
        assert_eq!(winner(Leaning::Even), Some(Color::Black));
        assert_eq!(winner(Leaning::Against(Color::Black)), Some(Color::White));
        assert_eq!(winner(Leaning::Against(Color::White)), Some(Color::Black));
    }
}
