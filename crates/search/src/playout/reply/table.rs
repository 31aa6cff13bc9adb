//! The memory of reply tables: by colour and context one move, in relaxed atomics so that threads can share it.
//!
//! A race costs at most an entry that one thread stored and another overwrote, which is what tables of last replies do anyway.

use super::scheme::Table;
use crate::playout::lesson::Reply;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use tesuji_board::{Color, Point};

/// Code of no reply: a pass is never stored.
const NONE: u16 = 0;

/// Who replies to what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Situation {
    pub(super) color: Color,
    pub(super) before_last: u16,
    pub(super) last: u16,
}

impl Situation {
    #[inline(always)]
    pub(super) fn of(reply: &Reply) -> Situation {
        Situation { color: reply.color, before_last: reply.before_last, last: reply.last }
    }

    /// Whether a table remembers replies here: a pass is not answered, and says nothing about the move after it.
    #[inline(always)]
    pub(super) fn counts_for(self, table: Table) -> bool {
        self.last != NONE && (self.before_last != NONE || !table.is_long())
    }

    #[inline(always)]
    fn index(self, table: Table) -> usize {
        let (color, last) = (self.color.index(), usize::from(self.last));
        if table.is_long() {
            (color * Point::LIMIT + usize::from(self.before_last)) * Point::LIMIT + last
        } else {
            color * Point::LIMIT + last
        }
    }
}

/// The entries of all tables of a variant.
#[derive(Debug, Default)]
pub struct ReplyTables {
    /// By [`Table`]; empty if the variant has none.
    entries: [Box<[AtomicU16]>; 4],
}

/// How a policy holds its tables, which decides what its copies for other threads learn from.
pub trait Holder: Clone + Send {
    /// Holds new tables.
    fn hold(tables: ReplyTables) -> Self;
    /// The tables.
    fn tables(&self) -> &ReplyTables;
}

/// All copies share the tables.
impl Holder for Arc<ReplyTables> {
    fn hold(tables: ReplyTables) -> Arc<ReplyTables> {
        Arc::new(tables)
    }

    #[inline(always)]
    fn tables(&self) -> &ReplyTables {
        self
    }
}

/// Every copy has tables of its own.
impl Holder for Box<ReplyTables> {
    fn hold(tables: ReplyTables) -> Box<ReplyTables> {
        Box::new(tables)
    }

    #[inline(always)]
    fn tables(&self) -> &ReplyTables {
        self
    }
}

impl Clone for ReplyTables {
    fn clone(&self) -> ReplyTables {
        let copy = |entries: &[AtomicU16]| entries.iter().map(|e| AtomicU16::new(e.load(Relaxed))).collect();
        ReplyTables { entries: self.entries.each_ref().map(|entries| copy(entries)) }
    }
}

impl ReplyTables {
    /// Empty tables.
    pub(super) fn new(tables: &[Table]) -> ReplyTables {
        let mut entries: [Box<[AtomicU16]>; 4] = Default::default();
        for &table in tables {
            let per_color = if table.is_long() { Point::LIMIT * Point::LIMIT } else { Point::LIMIT };
            entries[table as usize] = (0..2 * per_color).map(|_| AtomicU16::new(NONE)).collect();
        }
        ReplyTables { entries }
    }

    /// The code of the reply; that of a pass if there is none.
    #[inline(always)]
    pub(super) fn get(&self, table: Table, situation: Situation) -> u16 {
        self.entries[table as usize][situation.index(table)].load(Relaxed)
    }

    #[inline(always)]
    pub(super) fn store(&self, table: Table, situation: Situation, code: u16) {
        self.entries[table as usize][situation.index(table)].store(code, Relaxed);
    }

    /// Deletes the entry if it is this reply.
    #[inline(always)]
    pub(super) fn delete(&self, table: Table, situation: Situation, code: u16) {
        let entry = &self.entries[table as usize][situation.index(table)];
        if entry.load(Relaxed) == code {
            entry.store(NONE, Relaxed);
        }
    }

    /// Deletes everything.
    pub(super) fn clear(&self) {
        self.entries.iter().flatten().for_each(|entry| entry.store(NONE, Relaxed));
    }
}
