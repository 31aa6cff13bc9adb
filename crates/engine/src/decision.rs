//! From what the search found to what the engine does: play, pass or resign.
//!
//! The search knows nothing of agreements: it counts the board as its playouts end. Whether a pass is safe depends
//! on what happens to the stones afterwards. Where players agree on dead stones, the engine passes when it wins by a
//! verdict that gives the opponent the benefit of every doubt; where the board is counted as it stands, when it wins by
//! that. Independent of the score it passes when no move can change anything: all points left are proven (Benson) or
//! settled beyond doubt. In clean-up it captures what it calls dead before it passes.

use tesuji_board::{
    Color, Game, Move, Owner, Point, PointSet, Regions, Score, Scoring, UnconditionalLife, tromp_taylor_lead,
};
use tesuji_search::{MoveReport, Report};

use crate::judge::{Judgement, Leaning};

/// What the engine does when it is its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It makes this move, which may be a pass.
    Move(Move),
    /// It gives up.
    Resign,
}

/// What a decision rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The values of moves: a weaker player might choose another one.
    Values,
    /// Proof, or what is known about the end of games.
    Search,
    /// The score is won if the game ends now. Like `Settled` it rests on ownership as it comes out when the player who decides
    /// moves next, which is not what happens after a pass.
    Won,
    /// The fate of every point is clear.
    Settled,
}

/// A decision with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reasoned {
    /// What to do.
    pub decision: Decision,
    /// Why, for people.
    pub reason: &'static str,
    /// What it rests on.
    pub basis: Basis,
}

/// What a move is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To win.
    Play,
    /// To capture what is dead after a dispute, as `kgs-genmove_cleanup` asks.
    CleanUp,
}

/// Ownership from which on a point is settled where a wasted move costs nothing.
const SETTLED_AREA: f32 = 0.9;
/// As [`SETTLED_AREA`], where a wasted move costs a point.
const SETTLED_TERRITORY: f32 = 0.75;
/// How much winning probability a move may cost and still count as harmless.
const HARMLESS_WIN_RATE: f32 = 0.03;
/// As [`HARMLESS_WIN_RATE`], in points.
const HARMLESS_SCORE: f32 = 2.5;

/// Chooses a move from a report on the position of `game` with `color` to move; resignation is decided elsewhere.
pub fn choose_move(game: &Game, color: Color, report: &Report, purpose: Purpose) -> Reasoned {
    let situation = Situation::new(game, color, report);
    match purpose {
        Purpose::Play => situation.play(),
        Purpose::CleanUp => situation.clean_up(),
    }
}

/// Decides again where [`choose_move`] wants to pass by ownership, now that it is known who owns what after the pass: everything
/// may be clear both ways and the pass still cost something.
pub fn reconsider_pass(
    game: &Game,
    color: Color,
    report: &Report,
    after_pass: &[f32],
    purpose: Purpose,
) -> Reasoned {
    let doubtful = Report { black_ownership: after_pass.to_vec(), ..report.clone() };
    let again = choose_move(game, color, &doubtful, purpose);
    let points = |ownership: &[f32]| {
        let lead = Judgement::of(game, ownership, Leaning::Even).score.black_lead;
        if color == Color::Black { lead } else { -lead }
    };
    if again.basis != Basis::Settled || points(after_pass) >= points(&report.black_ownership) {
        return again;
    }
    let situation = Situation::new(game, color, report);
    let best = situation.legal_moves().find(|mv| situation.is_useful(mv.mv));
    best.map_or(again, |best| play(best.mv, "a pass would cost points"))
}

/// The points that a person could play on: legal, not in territory that is proven already, and no own eye.
pub(crate) fn sensible_points(game: &Game, color: Color) -> Vec<Point> {
    let report = Report::default();
    let situation = Situation::new(game, color, &report);
    let board = game.board();
    let is_sensible = |&point: &Point| {
        board.is_empty(point)
            && game.legality(color, point).is_ok()
            && situation.is_useful(Move::Play(point))
            && !board.neighborhood(point).is_eye_of(color)
    };
    game.size().points().filter(is_sensible).collect()
}

struct Situation<'a> {
    game: &'a Game,
    color: Color,
    report: &'a Report,
    /// By colour.
    life: [UnconditionalLife; 2],
    /// Own proven territory that holds no opponent's stones.
    clean_territory: PointSet,
}

impl<'a> Situation<'a> {
    fn new(game: &'a Game, color: Color, report: &'a Report) -> Situation<'a> {
        let board = game.board();
        let life = Color::BOTH.map(|color| UnconditionalLife::of(board, color, game.rules().suicide));
        let territory = &life[color.index()].territory;
        let regions = Regions::find(game.size(), |point| territory.contains(point));
        let is_clean = |points: &&[Point]| points.iter().all(|&point| board.color(point) != Some(!color));
        let clean_territory = regions.iter().filter(is_clean).flatten().copied().collect();
        Situation { game, color, report, life, clean_territory }
    }

    fn play(&self) -> Reasoned {
        let useful: Vec<_> = self.legal_moves().filter(|mv| self.is_useful(mv.mv)).collect();
        let Some(&best) = useful.first() else {
            return pass("no move is left that could change anything");
        };
        if self.opponent_passed() && self.wins_by_passing() {
            return Reasoned { basis: Basis::Won, ..pass("the opponent passed and the score is won") };
        }
        if self.agrees_on_dead_stones() && self.is_settled() {
            return self.finish(&useful);
        }
        let pass_report = self.report.moves.iter().find(|mv| mv.mv == Move::Pass);
        if let Some(passing) = pass_report
            && self.report.moves.first() == Some(passing)
            && !is_harmless(best, passing)
        {
            return pass("every move would do harm");
        }
        Reasoned { basis: Basis::Values, ..play(best.mv, "the best move of the search") }
    }

    /// The end of a settled game: neutral points where they count, then a pass.
    fn finish(&self, useful: &[&MoveReport]) -> Reasoned {
        let settled = Reasoned { basis: Basis::Settled, ..pass("everything is settled") };
        if self.game.rules().scoring == Scoring::Territory {
            return settled;
        }
        let judgement = self.judgement(Leaning::Even);
        let board = self.game.board();
        let is_point_to_gain = |mv: &&&MoveReport| {
            mv.mv.point().is_some_and(|point| {
                judgement.owner(point) == Owner::Neutral
                    && !board.is_self_atari(point, self.color)
                    && self.game.size().neighbors(point).all(|side| !judgement.verdict.seki.contains(side))
            })
        };
        let gain = useful.iter().filter(is_point_to_gain).find(|mv| is_harmless(mv, useful[0]));
        gain.map_or(settled, |mv| play(mv.mv, "a neutral point"))
    }

    fn clean_up(&self) -> Reasoned {
        let judgement = self.judgement(Leaning::Even);
        let board = self.game.board();
        let dead: Vec<_> = board
            .chain_representatives()
            .filter(|&(stone, color)| color != self.color && judgement.verdict.dead.contains(stone))
            .map(|(stone, _)| board.chain_at(stone))
            .collect();
        if dead.is_empty() {
            return self.play();
        }
        let sensible: Vec<_> = self.legal_moves().filter(|mv| self.keeps_own_eyes(mv.mv)).collect();
        let Some(&best) = sensible.first() else {
            return pass("no dead stone can be captured without filling an own eye");
        };
        let liberties: PointSet = dead.iter().flat_map(|&chain| board.liberties(chain)).collect();
        let approaches: PointSet = liberties.iter().flat_map(|point| board.empty_around(point)).collect();
        let captures = |point| {
            let takes =
                |&&chain: &&_| board.liberty_count(chain) == 1 && board.liberties(chain).any(|l| l == point);
            dead.iter().find(takes).is_some()
        };
        let safe = |point| !board.is_self_atari(point, self.color);
        let first = |wanted: &dyn Fn(Point) -> bool| {
            sensible.iter().find(|mv| mv.mv.point().is_some_and(wanted) && is_harmless(mv, best))
        };
        let found = first(&|point| captures(point))
            .or_else(|| first(&|point| liberties.contains(point) && safe(point)))
            .or_else(|| first(&|point| approaches.contains(point) && safe(point)));
        match found {
            Some(mv) => play(mv.mv, "dead stones have to be captured"),
            None => play(best.mv, "dead stones are still on the board"),
        }
    }

    /// The moves of the report that the game allows, best first, without pass.
    fn legal_moves(&self) -> impl Iterator<Item = &'a MoveReport> {
        let (game, color) = (self.game, self.color);
        let is_legal =
            move |mv: &&MoveReport| mv.mv.point().is_some_and(|point| game.legality(color, point).is_ok());
        self.report.moves.iter().filter(is_legal)
    }

    /// Whether a move could matter: it is not in territory that is proven already.
    fn is_useful(&self, mv: Move) -> bool {
        let Some(point) = mv.point() else { return false };
        if self.life[(!self.color).index()].territory.contains(point) {
            return false;
        }
        let settled_at_home = if self.agrees_on_dead_stones() {
            &self.life[self.color.index()].territory
        } else {
            &self.clean_territory
        };
        !settled_at_home.contains(point)
    }

    fn keeps_own_eyes(&self, mv: Move) -> bool {
        let Some(point) = mv.point() else { return false };
        let board = self.game.board();
        let is_eye = board.neighborhood(point).is_surrounded_by(self.color);
        !self.clean_territory.contains(point) && !is_eye
    }

    fn agrees_on_dead_stones(&self) -> bool {
        let rules = self.game.rules();
        rules.friendly_pass || rules.scoring == Scoring::Territory
    }

    fn opponent_passed(&self) -> bool {
        self.game.last_move() == Some((!self.color, Move::Pass))
    }

    fn wins_by_passing(&self) -> bool {
        let score = if self.agrees_on_dead_stones() {
            self.judgement(Leaning::Against(self.color)).score
        } else {
            Score::with_komi(tromp_taylor_lead(self.game.board()), self.game.white_points())
        };
        score.winner() == Some(self.color)
    }

    /// Whether the fate of every stone and every surrounded point is beyond doubt.
    fn is_settled(&self) -> bool {
        let (board, size) = (self.game.board(), self.game.size());
        if self.report.black_ownership.len() != size.area() || board.empties().len() == size.area() {
            return false;
        }
        let border = match self.game.rules().scoring {
            Scoring::Area => SETTLED_AREA,
            Scoring::Territory => SETTLED_TERRITORY,
        };
        let judgement = self.judgement(Leaning::Even);
        let is_proven = |point| {
            self.life.iter().any(|life| life.stones.contains(point) || life.territory.contains(point))
        };
        size.points().zip(&self.report.black_ownership).all(|(point, &black)| {
            is_proven(point)
                || match judgement.owner(point) {
                    Owner::Black => black >= border,
                    Owner::White => black <= -border,
                    // Between the colours only: an open space that touches both is not settled.
                    Owner::Neutral => Color::BOTH.iter().all(|&c| board.neighborhood(point).sides_of(c) > 0),
                }
        })
    }

    fn judgement(&self, leaning: Leaning) -> Judgement {
        Judgement::of(self.game, &self.report.black_ownership, leaning)
    }
}

/// Whether a move is about as good as another.
fn is_harmless(mv: &MoveReport, other: &MoveReport) -> bool {
    mv.win_rate >= other.win_rate - HARMLESS_WIN_RATE && mv.score_lead >= other.score_lead - HARMLESS_SCORE
}

fn pass(reason: &'static str) -> Reasoned {
    play(Move::Pass, reason)
}

fn play(mv: Move, reason: &'static str) -> Reasoned {
    Reasoned { decision: Decision::Move(mv), reason, basis: Basis::Search }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Diagram, Rules};

    /// A report in which every empty point is as good as another, in reading order, and pass comes last.
    fn report(game: &Game, black_ownership: Vec<f32>) -> Report {
        let moves = game.size().points().filter(|&point| game.board().is_empty(point)).map(Move::Play);
        let moves = moves.chain([Move::Pass]);
        let report_of = |mv| MoveReport {
            mv,
            visits: 1,
            win_rate: 0.5,
            parts: None,
            lower_bound: 0.4,
            prior: 0.0,
            score_lead: 0.0,
            score_deviation: 0.0,
            black_ownership: Vec::new(),
            variation: vec![mv],
            variation_visits: vec![1],
            proven: None,
        };
        Report { moves: moves.map(report_of).collect(), visits: 1, black_ownership, ..Report::default() }
    }

    fn game(diagram: &str, rules: &str) -> Game {
        let diagram = Diagram::parse(diagram).unwrap();
        let rules = Rules { komi: 0.5, ..Rules::named(rules).unwrap() };
        Game::from_position(diagram.board, Color::Black, rules)
    }

    /// Every point belongs to the colour of the nearest side of a board split in the middle.
    fn halves(game: &Game, certainty: f32) -> Vec<f32> {
        let size = game.size();
        size.points()
            .map(|point| if size.x(point) * 2 < size.width() { certainty } else { -certainty })
            .collect()
    }

    fn decide(game: &Game, color: Color, certainty: f32, purpose: Purpose) -> Decision {
        choose_move(game, color, &report(game, halves(game, certainty)), purpose).decision
    }

    const PASS: Decision = Decision::Move(Move::Pass);

    const PROVEN: &str = "
        . X . X O . O .
        X X X X O O O O
        . X . X O . O .
        X X X X O O O O";

    #[test]
    fn passes_when_nothing_is_left_to_play() {
        for rules in ["chinese", "japanese", "tromp-taylor"] {
            for color in Color::BOTH {
                assert_eq!(decide(&game(PROVEN, rules), color, 0.0, Purpose::Play), PASS, "{rules} {color}");
                assert_eq!(decide(&game(PROVEN, rules), color, 0.0, Purpose::CleanUp), PASS);
            }
        }
    }

    /// Black is a column ahead; nothing is proven.
    const OPEN: &str = "
        . . . X O . .
        . . . X O . .
        . . . X O . .
        . . . X O . .";

    #[test]
    fn answers_a_pass_with_a_pass_when_winning_for_sure() {
        let passed = |by: Color| {
            let mut game = game(OPEN, "chinese");
            game.play(by, Move::Pass).unwrap();
            game
        };
        assert_eq!(decide(&passed(Color::White), Color::Black, 0.6, Purpose::Play), PASS);
        assert_ne!(decide(&passed(Color::White), Color::Black, 0.2, Purpose::Play), PASS);
        assert_ne!(decide(&passed(Color::Black), Color::White, 0.6, Purpose::Play), PASS);
        assert_ne!(decide(&game(OPEN, "chinese"), Color::Black, 0.6, Purpose::Play), PASS);
    }

    #[test]
    fn passes_first_when_all_is_settled() {
        for color in Color::BOTH {
            assert_eq!(decide(&game(OPEN, "chinese"), color, 0.95, Purpose::Play), PASS);
            assert_eq!(decide(&game(OPEN, "japanese"), color, 0.8, Purpose::Play), PASS);
            assert_ne!(decide(&game(OPEN, "chinese"), color, 0.8, Purpose::Play), PASS);
            // Here nobody will agree on anything.
            assert_ne!(decide(&game(OPEN, "tromp-taylor"), color, 0.95, Purpose::Play), PASS);
        }
    }

    /// The white stone is dead, and one move takes it.
    const DEAD_STONE: &str = "
        . X O X . X . O .
        X X . X X X . O .
        . X X X . X . O .
        X X . X X X . O .";

    #[test]
    fn takes_dead_stones_where_the_board_is_counted_as_it_stands() {
        let mut game = game(DEAD_STONE, "tromp-taylor");
        let capture = Move::Play(game.size().point(2, 1).unwrap());
        assert_eq!(decide(&game, Color::Black, 0.9, Purpose::CleanUp), Decision::Move(capture));
        game.play(Color::Black, capture).unwrap();
        assert_eq!(game.board().prisoners(Color::Black), 1);
    }

    #[test]
    fn clean_up_never_fills_own_eyes() {
        let mut game = game(DEAD_STONE, "chinese");
        let mut moves = 0;
        loop {
            let Decision::Move(mv) = decide(&game, Color::Black, 0.95, Purpose::CleanUp) else { panic!() };
            let Move::Play(point) = mv else { break };
            assert!(!game.board().neighborhood(point).is_surrounded_by(Color::Black), "move {moves}");
            game.play(Color::Black, mv).unwrap();
            moves += 1;
            assert!(moves < 36);
        }
        assert_eq!(game.board().prisoners(Color::Black), 1);
    }

    #[test]
    fn harmful_moves_lose_to_a_pass() {
        let game = game(OPEN, "chinese");
        let mut report = report(&game, halves(&game, 0.5));
        for mv in &mut report.moves {
            mv.win_rate = if mv.mv == Move::Pass { 0.9 } else { 0.2 };
        }
        report.moves.rotate_right(1);
        assert_eq!(choose_move(&game, Color::White, &report, Purpose::Play).decision, PASS);
        report.moves[0].win_rate = 0.21;
        assert_ne!(choose_move(&game, Color::White, &report, Purpose::Play).decision, PASS);
    }
}
