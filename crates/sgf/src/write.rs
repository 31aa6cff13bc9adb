//! Prints trees as FF\[4\] in UTF-8.
//!
//! Reading the output gives the same trees again, save that every root says `FF[4]` and `CA[UTF-8]`. Lines
//! are broken only between values and nodes, where a break means nothing, so that text is never touched.

use crate::tree::{Collection, GameTree, Ident, Node, NodeId, Property};

/// No value or node is begun behind this column.
const LINE_WIDTH: usize = 78;

/// The file that holds `collection`.
pub fn write(collection: &Collection) -> String {
    let mut writer = Writer::default();
    for tree in &collection.games {
        writer.tree(tree);
        writer.new_line();
    }
    writer.text
}

#[derive(Default)]
struct Writer {
    text: String,
    line_start: usize,
}

enum Step {
    /// A node and what follows it, in brackets.
    Variation(NodeId),
    /// A node and what follows it.
    Node(NodeId),
    Close,
}

impl Writer {
    fn tree(&mut self, tree: &GameTree) {
        let mut steps = vec![Step::Variation(tree.root())];
        let mut children = Vec::new();
        while let Some(step) = steps.pop() {
            let id = match step {
                Step::Close => {
                    self.text.push(')');
                    continue;
                }
                Step::Variation(id) => {
                    self.new_line();
                    self.text.push('(');
                    steps.push(Step::Close);
                    id
                }
                Step::Node(id) => id,
            };
            children.extend(tree.children(id));
            if id == tree.root() {
                self.node(root_as_written(tree.node(id)).properties());
                if !children.is_empty() {
                    self.new_line();
                }
            } else {
                self.node(tree.node(id).properties());
            }
            if let [child] = children[..] {
                steps.push(Step::Node(child));
                children.clear();
            } else {
                steps.extend(children.drain(..).rev().map(Step::Variation));
            }
        }
    }

    fn node(&mut self, properties: &[Property]) {
        // A node is broken only if it does not fit on a line of its own.
        let size: usize = properties.iter().map(property_len).sum();
        self.break_before(size + 1);
        self.text.push(';');
        for property in properties {
            let ident = property.ident();
            self.break_before(ident.as_str().len() + property.values()[0].len() + 2);
            self.text.push_str(ident.as_str());
            for (i, value) in property.values().iter().enumerate() {
                if i > 0 {
                    self.break_before(value.len() + 2);
                }
                self.value(value);
            }
        }
    }

    fn value(&mut self, value: &str) {
        self.text.push('[');
        let mut rest = value;
        while let Some(stop) = rest.find(['\\', ']']) {
            self.text.push_str(&rest[..stop]);
            self.text.push('\\');
            self.text.push_str(&rest[stop..=stop]);
            rest = &rest[stop + 1..];
        }
        self.text.push_str(rest);
        self.text.push(']');
        if let Some(line_end) = value.rfind('\n') {
            self.line_start = self.text.len() - (value.len() - line_end);
        }
    }

    fn break_before(&mut self, size: usize) {
        if self.text.len() - self.line_start + size > LINE_WIDTH {
            self.new_line();
        }
    }

    fn new_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') && !self.text.ends_with('(') {
            self.text.push('\n');
        }
        if self.text.ends_with('\n') {
            self.line_start = self.text.len();
        }
    }
}

/// The root with the format and charset that are written, in place of what it says or before everything else.
fn root_as_written(root: &Node) -> Node {
    let mut written = Node::default();
    let header = [(const { Ident::known("FF") }, "4"), (const { Ident::known("CA") }, "UTF-8")];
    for (ident, value) in header {
        if root.value(ident.as_str()).is_none() {
            written.set(ident, value);
        }
    }
    for property in root.properties() {
        match header.iter().find(|(ident, _)| *ident == property.ident()) {
            Some(&(ident, value)) => written.set(ident, value),
            None => written.push_property(property.ident(), property.values().to_vec()),
        }
    }
    written
}

fn property_len(property: &Property) -> usize {
    property.ident().as_str().len() + property.values().iter().map(|value| value.len() + 2).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    fn check(input: &str, expected: &str) {
        let parsed = parse(input.as_bytes()).unwrap();
        assert_eq!(write(&parsed.collection), expected, "{input:?}");
    }

    #[test]
    fn layout() {
        check("(;)", "(;FF[4]CA[UTF-8])\n");
        check("(;FF[3]GM[1];B[aa];W[bb])", "(;CA[UTF-8]FF[4]GM[1]\n;B[aa];W[bb])\n");
        check(
            "(;CA[gbk]SZ[9];B[aa](;W[bb];B[cc])(;W[dd]))",
            "(;FF[4]CA[UTF-8]SZ[9]\n;B[aa]\n(;W[bb];B[cc])\n(;W[dd]))\n",
        );
        check("(;)(;)", "(;FF[4]CA[UTF-8])\n(;FF[4]CA[UTF-8])\n");
        check(r"(;C[a\]b\\c\:d])", "(;FF[4]CA[UTF-8]C[a\\]b\\\\c:d])\n");
    }

    #[test]
    fn lines_stay_short() {
        let moves: String = (0..100).map(|_| ";B[aa];W[bb]").collect();
        let points: String = (0..100).map(|_| "[aa]").collect();
        let parsed = parse(format!("(;AB{points}{moves})").as_bytes()).unwrap();
        let text = write(&parsed.collection);
        assert!(text.lines().all(|line| line.len() <= LINE_WIDTH + 2), "{text}");
        assert!(text.lines().count() < 30, "{text}");
    }
}
