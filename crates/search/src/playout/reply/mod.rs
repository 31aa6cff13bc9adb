//! Last good replies with forgetting (Baier, Drake 2010), with tables of their own for moves within the tree (LGRF/EN;
//! Nakamura, Tominaga, Maekawa 2017).
//!
//! After a simulation each reply of the winner is stored under the one or two moves before it, and each reply of the loser deletes an
//! entry equal to it. In playouts a stored reply is played if the point is empty, legal and no own eye. A pass is neither
//! stored nor answered. Only simulations that end in a playout teach anything: where the tree itself reaches the end of
//! the game, proofs take over.

mod scheme;
mod table;

pub use scheme::{Context, Deleters, Order, Reach, ReplyScheme, Stored, Table, TreeMoves};
pub use table::{Holder, ReplyTables};

use super::light::is_sensible;
use super::{Lesson, PlayoutRule, Position, Usage};
use crate::rng::Rng;
use table::Situation;
use tesuji_board::{Move, Point};

/// Plays stored replies. `H` is `Arc<ReplyTables>` for tables that all threads share, `Box<ReplyTables>` for one's own.
#[derive(Clone, Debug)]
pub struct Replies<H> {
    scheme: ReplyScheme,
    /// In the order in which they are asked.
    lookup: Vec<Table>,
    holder: H,
    usage: Usage,
}

impl<H: Holder> Replies<H> {
    /// Empty tables of a variant.
    pub fn new(scheme: ReplyScheme) -> Replies<H> {
        let lookup = scheme.tables();
        let holder = H::hold(ReplyTables::new(&lookup));
        Replies { scheme, lookup, holder, usage: Usage::default() }
    }
}

impl<H: Holder> PlayoutRule for Replies<H> {
    #[inline]
    fn propose(&mut self, position: &mut Position, _rng: &mut Rng) -> Option<Point> {
        let (board, color) = (&position.board, position.to_move);
        let (before_last, last) = (position.before_last.code(), position.last.code());
        let situation = Situation { color, before_last, last };
        let tables = self.holder.tables();
        for &table in &self.lookup {
            if let Move::Play(point) = Move::from_code(tables.get(table, situation))
                && board.is_empty(point)
                && is_sensible(board, point, color)
            {
                self.usage.replies[table as usize] += 1;
                return Some(point);
            }
        }
        None
    }

    #[inline(always)]
    fn played(&mut self, _position: &Position) {
        self.usage.moves += 1;
    }

    fn learn(&mut self, lesson: &Lesson<'_>) {
        let tables = self.holder.tables();
        for &table in &self.lookup {
            // By who won and where the move was made, decided once instead of for every move.
            let stores =
                [false, true].map(|in_tree| [false, true].map(|won| self.scheme.stores(table, in_tree, won)));
            let deletes = [false, true].map(|in_tree| self.scheme.deletes(table, in_tree));
            for reply in lesson.replies() {
                let situation = Situation::of(&reply);
                if Move::from_code(reply.code) == Move::Pass || !situation.counts_for(table) {
                    continue;
                }
                let won = reply.color == lesson.winner;
                if stores[usize::from(reply.in_tree)][usize::from(won)] {
                    tables.store(table, situation, reply.code);
                } else if !won && deletes[usize::from(reply.in_tree)] {
                    tables.delete(table, situation, reply.code);
                }
            }
        }
    }

    fn forget(&mut self) {
        self.holder.tables().clear();
        self.usage = Usage::default();
    }

    fn usage(&self) -> Usage {
        self.usage
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tesuji_board::{Board, Color, Diagram, Size};

    type Shared = Replies<Arc<ReplyTables>>;

    fn point(name: &str) -> Move {
        Move::from_gtp(name, Size::square(9).unwrap()).unwrap()
    }

    /// Teaches a simulation: tree moves before the bar, playout moves after it; Black begins, after A1 and A2.
    fn teach(replies: &mut impl PlayoutRule, moves: &str, winner: Color) {
        let (tree, playout) = moves.split_once('|').unwrap();
        let codes: Vec<u16> =
            moves.replace('|', " ").split_whitespace().map(|name| point(name).code()).collect();
        let lesson = Lesson {
            moves: &codes,
            tree_moves: tree.split_whitespace().count(),
            before: [point("A1"), point("A2")],
            first_mover: Color::Black,
            winner,
        };
        assert_eq!(codes.len(), lesson.tree_moves + playout.split_whitespace().count());
        replies.learn(&lesson);
    }

    /// All entries as `table colour context>reply`, sorted.
    fn contents(replies: &Shared) -> Vec<String> {
        let size = Size::square(9).unwrap();
        let codes: Vec<u16> = size.points().map(|point| Move::Play(point).code()).chain([0]).collect();
        let name = |code: u16| Move::from_code(code).to_gtp(size);
        let mut found = Vec::new();
        for &table in &replies.lookup {
            for color in Color::BOTH {
                for &last in &codes {
                    for &before_last in if table.is_long() { &codes[..] } else { &[0] } {
                        let reply = replies.holder.get(table, Situation { color, before_last, last });
                        if reply != 0 {
                            let before =
                                if table.is_long() { name(before_last) + " " } else { String::new() };
                            let letter = if color == Color::Black { 'b' } else { 'w' };
                            let (table, last, reply) = (table.name(), name(last), name(reply));
                            found.push(format!("{table} {letter} {before}{last}>{reply}"));
                        }
                    }
                }
            }
        }
        found.sort();
        found
    }

    /// Teaches simulations with their winners to a variant and compares its tables.
    fn check(scheme: ReplyScheme, lessons: &[(&str, Color)], expected: &[&str]) {
        let mut replies = Shared::new(scheme);
        lessons.iter().for_each(|&(moves, winner)| teach(&mut replies, moves, winner));
        assert_eq!(contents(&replies), expected, "{scheme:?} after {lessons:?}");
    }

    const B: Color = Color::Black;
    const W: Color = Color::White;
    const GAME: &str = "C3 D4 E5 | F6 G7 H8";

    #[test]
    fn the_winners_replies_are_stored_where_they_belong() {
        use Context::{One, Two};
        use TreeMoves::{Alike, Apart, Ignored};
        check(ReplyScheme::new(Ignored, One), &[(GAME, B)], &["LGRF-1 b F6>G7"]);
        check(ReplyScheme::new(Ignored, One), &[(GAME, W)], &["LGRF-1 w E5>F6", "LGRF-1 w G7>H8"]);
        check(ReplyScheme::new(Ignored, Two), &[(GAME, B)], &["LGRF-1 b F6>G7", "LGRF-2 b E5 F6>G7"]);
        check(
            ReplyScheme::new(Apart, One),
            &[(GAME, B)],
            &["EN-1 b A2>C3", "EN-1 b D4>E5", "LGRF-1 b F6>G7"],
        );
        check(
            ReplyScheme::new(Apart, Two),
            &[(GAME, W)],
            &[
                "EN-1 w C3>D4",
                "EN-2 w A2 C3>D4",
                "LGRF-1 w E5>F6",
                "LGRF-1 w G7>H8",
                "LGRF-2 w D4 E5>F6",
                "LGRF-2 w F6 G7>H8",
            ],
        );
        check(
            ReplyScheme::new(Alike, One),
            &[(GAME, B)],
            &["LGRF-1 b A2>C3", "LGRF-1 b D4>E5", "LGRF-1 b F6>G7"],
        );
        check(ReplyScheme::new(Apart, Context::None), &[(GAME, B)], &[]);
    }

    #[test]
    fn passes_are_neither_stored_nor_answered() {
        let scheme = ReplyScheme::new(TreeMoves::Apart, Context::Two);
        check(scheme, &[("C3 | pass D4 pass E5", B)], &["EN-1 b A2>C3", "EN-2 b A1 A2>C3"]);
        check(
            scheme,
            &[("| C3 pass D4 E5 F6", B)],
            &["LGRF-1 b A2>C3", "LGRF-1 b E5>F6", "LGRF-2 b A1 A2>C3", "LGRF-2 b D4 E5>F6"],
        );
    }

    #[test]
    fn the_last_good_reply_wins_and_only_equal_entries_are_forgotten() {
        let scheme = ReplyScheme::new(TreeMoves::Ignored, Context::One);
        check(scheme, &[("| C3 D4", W), ("| C3 E5", W)], &["LGRF-1 w C3>E5"]);
        check(scheme, &[("| C3 D4", W), ("| C3 E5", B)], &["LGRF-1 b A2>C3", "LGRF-1 w C3>D4"]);
        check(scheme, &[("| C3 D4", W), ("| C3 D4", B)], &["LGRF-1 b A2>C3"]);
    }

    /// White's D4 is in both tables of EN-1; Black then wins against it, met in the tree or in a playout.
    #[test]
    fn switches_say_who_forgets_what() {
        let default = ReplyScheme::new(TreeMoves::Apart, Context::One);
        let learned = [("C3 D4 |", W), ("| C3 D4", W)];
        let both = ["EN-1 w C3>D4", "LGRF-1 w C3>D4"];
        check(default, &learned, &both);
        let after = |scheme, last: &'static str, left: &[&str]| {
            check(scheme, &[learned[0], learned[1], (last, B)], left);
        };
        let (in_tree, in_playout) = ("J9 J8 C3 D4 |", "| J9 J8 C3 D4");
        let with = |own: &[&'static str], left: &[&'static str]| {
            let mut all = [own, left].concat();
            all.sort_unstable();
            all
        };
        let tree_wins = ["EN-1 b A2>J9", "EN-1 b J8>C3"];
        let playout_wins = ["LGRF-1 b A2>J9", "LGRF-1 b J8>C3"];
        after(default, in_tree, &with(&tree_wins, &[]));
        after(default, in_playout, &with(&playout_wins, &[]));
        let own = ReplyScheme { reach: Reach::OwnTables, ..default };
        after(own, in_tree, &with(&tree_wins, &both[1..]));
        after(own, in_playout, &with(&playout_wins, &both[..1]));
        let playouts_delete = ReplyScheme { expanded_deleters: Deleters::PlayoutMoves, ..default };
        after(playouts_delete, in_tree, &with(&tree_wins, &both[..1]));
        after(playouts_delete, in_playout, &with(&playout_wins, &[]));
        let all = ReplyScheme { expanded_stored: Stored::All, ..default };
        check(all, &[("C3 D4 | E5 F6", B)], &["EN-1 b A2>C3", "EN-1 w C3>D4", "LGRF-1 b D4>E5"]);
    }

    #[test]
    fn a_stored_reply_is_played_where_it_can_be() {
        let mut replies = Shared::new(ReplyScheme::new(TreeMoves::Apart, Context::One));
        teach(&mut replies, "| C3 E5", W);
        teach(&mut replies, "C3 D4 |", W);
        let mut rng = Rng::new(1);
        let mut after = |board: Board| {
            let mut position = Position::new(board, W);
            position.last = point("C3");
            let answer = replies.propose(&mut position, &mut rng);
            (answer.map(Move::Play), replies.usage().replies)
        };
        assert_eq!(
            after(Board::new(Size::square(9).unwrap())),
            (Some(point("D4")), [0, 1, 0, 0]),
            "EN first"
        );
        let with_stone = |name: &str| {
            let mut board = Board::new(Size::square(9).unwrap());
            board.play_unchecked(point(name).point().unwrap(), B);
            board
        };
        assert_eq!(after(with_stone("D4")), (Some(point("E5")), [0, 1, 0, 1]), "LGRF where EN is taken");
        let eye = Diagram::parse(
            "\n. . . . . . . . .\n. . . . . . . . .\n. . . . . . . . .\n. . . . O . . . .\n. . . O . O . . .\n. . . X O . . . .\n. . . . . . . . .\n. . . . . . . . .\n. . . . . . . . .",
        );
        assert_eq!(after(eye.unwrap().board), (None, [0, 1, 0, 1]), "no own eye is filled");
        replies.forget();
        assert!(contents(&replies).is_empty() && replies.usage() == Usage::default());
    }

    #[test]
    fn copies_share_tables_or_have_their_own() {
        let scheme = ReplyScheme::new(TreeMoves::Ignored, Context::Two);
        let shared = Shared::new(scheme);
        teach(&mut shared.clone(), GAME, B);
        assert!(!contents(&shared).is_empty());
        let own = Replies::<Box<ReplyTables>>::new(scheme);
        teach(&mut own.clone(), GAME, B);
        let reply = own
            .holder
            .get(Table::PlayoutOne, Situation { color: B, before_last: 0, last: point("F6").code() });
        assert_eq!(reply, 0);
    }
}
