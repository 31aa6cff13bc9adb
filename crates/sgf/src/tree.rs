//! Game trees as SGF has them: nodes that carry properties, variations in order.
//!
//! Nodes live in one vector and point at each other by number, so that building, walking, comparing and
//! dropping a tree never recurse: a file may nest variations as deep as it likes. Values are text with SGF's
//! escapes undone and line ends turned into `\n`; a colon that was escaped inside a composed value is
//! therefore no longer told apart.

use std::fmt;
use std::num::NonZeroU32;

/// The games of one file, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// One tree per game.
    pub games: Vec<GameTree>,
}

/// One game with all its variations; always has a root.
#[derive(Clone, Debug)]
pub struct GameTree {
    nodes: Vec<Node>,
}

/// Names a node of the tree that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(NonZeroU32);

/// A list of properties, each identifier at most once, in the order they were written.
#[derive(Clone, Debug, Default)]
pub struct Node {
    properties: Vec<Property>,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
}

/// An identifier with one or more values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    ident: Ident,
    values: Vec<String>,
}

/// A property identifier: a capital letter, then capital letters and digits, at most [`Ident::MAX_LEN`] in
/// all.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ident {
    len: u8,
    letters: [u8; Ident::MAX_LEN],
}

impl GameTree {
    /// A tree with an empty root.
    pub fn new() -> GameTree {
        GameTree { nodes: vec![Node::default()] }
    }

    /// The node everything else descends from.
    pub fn root(&self) -> NodeId {
        NodeId::from_index(0)
    }

    /// The node named `id`; panics if another, larger tree made the id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// As [`GameTree::node`], to change its properties.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Number of nodes, the root included.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Appends an empty node as the last variation after `parent`.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        let child = NodeId::from_index(self.nodes.len());
        self.nodes.push(Node { parent: Some(parent), ..Node::default() });
        let elder = self.nodes[parent.index()].last_child.replace(child);
        match elder {
            Some(elder) => self.nodes[elder.index()].next_sibling = Some(child),
            None => self.nodes[parent.index()].first_child = Some(child),
        }
        child
    }

    /// The node before `id`, unless it is the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    /// The variations after `id`, main line first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(id).first_child, |&child| self.node(child).next_sibling)
    }

    /// The root, its first child, and so on to the end of the game.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(self.root()), |&id| self.node(id).first_child)
    }

    /// All nodes with their distance from the root, each before its children, main line first.
    pub fn preorder(&self) -> impl Iterator<Item = (NodeId, usize)> {
        std::iter::successors(Some((self.root(), 0)), |&(id, depth)| {
            if let Some(child) = self.node(id).first_child {
                return Some((child, depth + 1));
            }
            let (mut id, mut depth) = (id, depth);
            loop {
                if let Some(sibling) = self.node(id).next_sibling {
                    return Some((sibling, depth));
                }
                id = self.node(id).parent?;
                depth -= 1;
            }
        })
    }
}

impl Default for GameTree {
    fn default() -> GameTree {
        GameTree::new()
    }
}

/// Trees are equal when their shape and their properties are; the numbering of the nodes does not count.
impl PartialEq for GameTree {
    fn eq(&self, other: &GameTree) -> bool {
        self.nodes.len() == other.nodes.len()
            && self.preorder().zip(other.preorder()).all(|((a, a_depth), (b, b_depth))| {
                a_depth == b_depth && self.node(a).properties == other.node(b).properties
            })
    }
}

impl Eq for GameTree {}

impl NodeId {
    fn from_index(index: usize) -> NodeId {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        NodeId(number.expect("a tree has fewer than 2^32 - 1 nodes"))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl Node {
    /// All properties in order.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// All values of the property `ident`, if the node has it.
    pub fn values(&self, ident: &str) -> Option<&[String]> {
        self.properties.iter().find(|p| p.ident.as_str() == ident).map(Property::values)
    }

    /// The first value of the property `ident`, if the node has it.
    pub fn value(&self, ident: &str) -> Option<&str> {
        self.values(ident).map(|values| values[0].as_str())
    }

    /// Appends a value to the property `ident`, which is created at the end if the node does not have it.
    ///
    /// Line ends become `\n`. Returns whether the property was there before.
    pub fn push(&mut self, ident: Ident, value: impl Into<String>) -> bool {
        let value = unify_line_ends(value.into());
        match self.properties.iter_mut().find(|p| p.ident == ident) {
            Some(property) => {
                property.values.push(value);
                true
            }
            None => {
                self.properties.push(Property { ident, values: vec![value] });
                false
            }
        }
    }

    /// Makes `value` the only value of the property `ident`.
    pub fn set(&mut self, ident: Ident, value: impl Into<String>) {
        if let Some(property) = self.properties.iter_mut().find(|p| p.ident == ident) {
            property.values = vec![unify_line_ends(value.into())];
        } else {
            self.push(ident, value);
        }
    }

    /// Removes the property `ident` and returns its values.
    pub fn remove(&mut self, ident: &str) -> Option<Vec<String>> {
        let index = self.properties.iter().position(|p| p.ident.as_str() == ident)?;
        Some(self.properties.remove(index).values)
    }

    /// Appends a property known not to be there yet, with values known to hold no carriage return.
    pub(crate) fn push_property(&mut self, ident: Ident, values: Vec<String>) {
        debug_assert!(!values.is_empty() && self.values(ident.as_str()).is_none());
        // Nearly all nodes hold a move and nothing else.
        if self.properties.is_empty() {
            self.properties.reserve_exact(1);
        }
        self.properties.push(Property { ident, values });
    }

    pub(crate) fn values_mut(&mut self, ident: Ident) -> Option<&mut Vec<String>> {
        self.properties.iter_mut().find(|p| p.ident == ident).map(|p| &mut p.values)
    }
}

impl Property {
    /// What the property is called.
    pub fn ident(&self) -> Ident {
        self.ident
    }

    /// At least one value.
    pub fn values(&self) -> &[String] {
        &self.values
    }
}

impl Ident {
    /// Most letters an identifier can have; the longest seen in files have nine.
    pub const MAX_LEN: usize = 15;

    /// `None` if `text` is no identifier.
    pub const fn new(text: &str) -> Option<Ident> {
        let bytes = text.as_bytes();
        if bytes.is_empty() || bytes.len() > Ident::MAX_LEN || !bytes[0].is_ascii_uppercase() {
            return None;
        }
        let mut letters = [0; Ident::MAX_LEN];
        let mut i = 0;
        while i < bytes.len() {
            if !bytes[i].is_ascii_uppercase() && !bytes[i].is_ascii_digit() {
                return None;
            }
            letters[i] = bytes[i];
            i += 1;
        }
        Some(Ident { len: bytes.len() as u8, letters })
    }

    /// Reads an identifier as files write it: FF\[3\] allowed lower-case letters for readability, as in
    /// `Black` for `B`.
    ///
    /// The flag tells that there was no capital at all and all letters were taken for capitals.
    pub(crate) fn from_written(written: &str) -> Option<(Ident, bool)> {
        if let Some(ident) = Ident::new(written) {
            return Some((ident, false));
        }
        let all_lower = !written.bytes().any(|letter| letter.is_ascii_uppercase());
        let letters: String = if all_lower {
            written.to_ascii_uppercase()
        } else {
            let capitals = written.chars().filter(|letter| !letter.is_ascii_lowercase());
            capitals.skip_while(|letter| letter.is_ascii_digit()).collect()
        };
        Some((Ident::new(&letters)?, all_lower))
    }

    /// For identifiers that are written in the program.
    pub(crate) const fn known(text: &'static str) -> Ident {
        match Ident::new(text) {
            Some(ident) => ident,
            None => panic!("not an identifier"),
        }
    }

    /// The letters.
    pub fn as_str(&self) -> &str {
        // Only ASCII ever gets in, so the fallback is never taken.
        std::str::from_utf8(&self.letters[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Replaces CR, CR LF and LF CR by `\n`.
fn unify_line_ends(text: String) -> String {
    if !text.contains('\r') {
        return text;
    }
    let mut unified = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(end) = rest.find(['\r', '\n']) {
        unified.push_str(&rest[..end]);
        unified.push('\n');
        rest = &rest[end + crate::token::line_end_len(&rest.as_bytes()[end..])..];
    }
    unified.push_str(rest);
    unified
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_checked() {
        for (text, valid) in [
            ("B", true),
            ("MULTIGOGM", true),
            ("M1", true),
            ("", false),
            ("b", false),
            ("1M", false),
            ("A B", false),
            ("ABCDEFGHIJKLMNO", true),
            ("ABCDEFGHIJKLMNOP", false),
        ] {
            assert_eq!(Ident::new(text).is_some(), valid, "{text}");
            assert_eq!(Ident::new(text).map(|i| i.to_string()), valid.then(|| text.to_string()));
        }
    }

    #[test]
    fn lower_case_letters_of_identifiers_carry_no_meaning() {
        for (written, expected) in [
            ("B", Some(("B", false))),
            ("Black", Some(("B", false))),
            ("GaMe", Some(("GM", false))),
            ("sZ", Some(("Z", false))),
            ("komi", Some(("KOMI", true))),
            ("m1", Some(("M1", true))),
            ("m1A", Some(("A", false))),
            ("ABCDEFGHIJKLMNOP", None),
        ] {
            let found = Ident::from_written(written).map(|(ident, lower)| (ident.to_string(), lower));
            assert_eq!(found, expected.map(|(ident, lower)| (ident.to_owned(), lower)), "{written}");
        }
    }

    #[test]
    fn equality_ignores_numbering_but_not_shape() {
        let c = Ident::known("C");
        let build = |order: [usize; 3]| {
            let mut tree = GameTree::new();
            let root = tree.root();
            let first = tree.add_child(root);
            let second = tree.add_child(root);
            tree.node_mut(first).set(c, "first");
            tree.node_mut(second).set(c, "second");
            for parent in order {
                tree.add_child([root, first, second][parent]);
            }
            tree
        };
        assert_eq!(build([1, 2, 1]), build([2, 1, 1]));
        assert_ne!(build([1, 2, 1]), build([1, 2, 2]));
        assert_ne!(build([1, 1, 1]), build([0, 0, 0]));
    }

    #[test]
    fn preorder_visits_variations_in_order() {
        let mut tree = GameTree::new();
        let root = tree.root();
        let a = tree.add_child(root);
        let b = tree.add_child(root);
        let a1 = tree.add_child(a);
        let b1 = tree.add_child(b);
        let a2 = tree.add_child(a);
        let visited: Vec<_> = tree.preorder().collect();
        assert_eq!(visited, [(root, 0), (a, 1), (a1, 2), (a2, 2), (b, 1), (b1, 2)]);
        assert_eq!(tree.main_line().collect::<Vec<_>>(), [root, a, a1]);
        assert_eq!(tree.parent(a2), Some(a));
    }

    #[test]
    fn values_hold_one_kind_of_line_end() {
        let mut node = Node::default();
        let c = Ident::known("C");
        node.set(c, "a\r\nb\rc\n\rd\n\ne\r");
        assert_eq!(node.value("C"), Some("a\nb\nc\nd\n\ne\n"));
        assert!(node.push(c, "again"));
        assert_eq!(node.values("C").map(<[_]>::len), Some(2));
        assert_eq!(node.remove("C").map(|v| v.len()), Some(2));
        assert_eq!(node.value("C"), None);
    }
}
