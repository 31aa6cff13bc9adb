//! The variants of reply tables: which there are, what they learn, and in which order they are asked.

/// A variant of reply tables. [`ReplyScheme::new`] has the defaults; docs/experiments/lgrf.md says how the others fare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyScheme {
    /// What becomes of moves made within the tree.
    pub tree_moves: TreeMoves,
    /// The longest context that is remembered.
    pub context: Context,
    /// Which losing moves delete an equal entry of the EN tables.
    pub expanded_deleters: Deleters,
    /// Which moves within the tree the EN tables store.
    pub expanded_stored: Stored,
    /// In which tables a losing move deletes an entry equal to it.
    pub reach: Reach,
    /// In which order the tables are asked.
    pub order: Order,
}

/// What becomes of moves made within the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeMoves {
    /// Nothing: the tables hold moves of playouts (LGRF as in the paper).
    Ignored,
    /// They have tables of their own, which are asked first (LGRF/EN).
    Apart,
    /// They are stored like moves of playouts (LGRF as in Orego; Baier, Drake 2010).
    Alike,
}

/// How many moves a reply is remembered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// None: there are no tables.
    None,
    /// The last move.
    One,
    /// The last two moves, and the last alone.
    Two,
}

/// Which losing moves delete an entry of the EN tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deleters {
    /// Any.
    AllMoves,
    /// Those of playouts.
    PlayoutMoves,
}

/// Which moves within the tree the EN tables store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// The winner's.
    Winners,
    /// All of them; only losing moves of playouts then delete.
    All,
}

/// In which tables a losing move deletes an entry equal to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// In all.
    AllTables,
    /// Moves within the tree in the EN tables, moves of playouts in the LGRF tables.
    OwnTables,
}

/// In which order the tables are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// EN before LGRF, within them the longer context first.
    ByFamily,
    /// The longer context first, within one EN before LGRF.
    ByContext,
}

/// A table of replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// EN-2: moves within the tree by the last two moves.
    ExpandedTwo,
    /// EN-1: moves within the tree by the last move.
    ExpandedOne,
    /// LGRF-2: moves of playouts by the last two moves.
    PlayoutTwo,
    /// LGRF-1: moves of playouts by the last move.
    PlayoutOne,
}

impl Table {
    /// All tables, in the order in which they are counted.
    pub const ALL: [Table; 4] =
        [Table::ExpandedTwo, Table::ExpandedOne, Table::PlayoutTwo, Table::PlayoutOne];

    /// The name in the paper.
    pub fn name(self) -> &'static str {
        match self {
            Table::ExpandedTwo => "EN-2",
            Table::ExpandedOne => "EN-1",
            Table::PlayoutTwo => "LGRF-2",
            Table::PlayoutOne => "LGRF-1",
        }
    }

    /// Whether it holds moves made within the tree.
    pub(super) fn is_expanded(self) -> bool {
        matches!(self, Table::ExpandedTwo | Table::ExpandedOne)
    }

    /// Whether its context is two moves.
    pub(super) fn is_long(self) -> bool {
        matches!(self, Table::ExpandedTwo | Table::PlayoutTwo)
    }
}

impl ReplyScheme {
    /// A variant that is the paper's where the paper is clear, and forgets as readily as possible where it is not.
    pub fn new(tree_moves: TreeMoves, context: Context) -> ReplyScheme {
        ReplyScheme {
            tree_moves,
            context,
            expanded_deleters: Deleters::AllMoves,
            expanded_stored: Stored::Winners,
            reach: Reach::AllTables,
            order: Order::ByFamily,
        }
    }

    /// The tables there are, in the order in which they are asked.
    pub fn tables(&self) -> Vec<Table> {
        use Table::{ExpandedOne, ExpandedTwo, PlayoutOne, PlayoutTwo};
        let order = match self.order {
            Order::ByFamily => [ExpandedTwo, ExpandedOne, PlayoutTwo, PlayoutOne],
            Order::ByContext => [ExpandedTwo, PlayoutTwo, ExpandedOne, PlayoutOne],
        };
        let is_there = |table: &Table| {
            let context = match self.context {
                Context::None => false,
                Context::One => !table.is_long(),
                Context::Two => true,
            };
            context && (self.tree_moves == TreeMoves::Apart || !table.is_expanded())
        };
        order.into_iter().filter(is_there).collect()
    }

    /// Whether a move is stored in a table.
    pub(super) fn stores(&self, table: Table, in_tree: bool, won: bool) -> bool {
        match self.tree_moves {
            TreeMoves::Ignored => won && !in_tree,
            TreeMoves::Alike => won,
            TreeMoves::Apart => {
                table.is_expanded() == in_tree && (won || (in_tree && self.expanded_stored == Stored::All))
            }
        }
    }

    /// Whether a losing move deletes an entry of a table that is equal to it.
    pub(super) fn deletes(&self, table: Table, in_tree: bool) -> bool {
        match self.tree_moves {
            TreeMoves::Ignored => !in_tree,
            TreeMoves::Alike => true,
            TreeMoves::Apart => {
                let spared = in_tree
                    && table.is_expanded()
                    && (self.expanded_deleters == Deleters::PlayoutMoves
                        || self.expanded_stored == Stored::All);
                let reached = self.reach == Reach::AllTables || table.is_expanded() == in_tree;
                reached && !spared
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_variant_has_its_tables() {
        let names =
            |scheme: ReplyScheme| -> Vec<&str> { scheme.tables().into_iter().map(Table::name).collect() };
        use Context::{None, One, Two};
        use TreeMoves::{Alike, Apart, Ignored};
        assert_eq!(names(ReplyScheme::new(Ignored, One)), ["LGRF-1"]);
        assert_eq!(names(ReplyScheme::new(Ignored, Two)), ["LGRF-2", "LGRF-1"]);
        assert_eq!(names(ReplyScheme::new(Alike, Two)), ["LGRF-2", "LGRF-1"]);
        assert_eq!(names(ReplyScheme::new(Apart, One)), ["EN-1", "LGRF-1"]);
        assert_eq!(names(ReplyScheme::new(Apart, Two)), ["EN-2", "EN-1", "LGRF-2", "LGRF-1"]);
        assert!(names(ReplyScheme::new(Apart, None)).is_empty());
        let by_context = ReplyScheme { order: Order::ByContext, ..ReplyScheme::new(Apart, Two) };
        assert_eq!(names(by_context), ["EN-2", "LGRF-2", "EN-1", "LGRF-1"]);
    }
}
