//! Random trees and random ways to write them.

use proptest::prelude::*;
use tesuji_sgf::{Collection, GameTree, Ident};

/// A node to be: which earlier node it follows, counted back, and its properties.
type Plan = (usize, Vec<(String, Vec<String>)>);

/// Collections with any identifiers and any text.
pub(crate) fn any_collection() -> impl Strategy<Value = Collection> {
    let property = ("[A-Z][A-Z0-9]{0,3}", prop::collection::vec(any_text(), 1..4));
    collection(prop::collection::vec(property, 0..5).boxed())
}

/// Collections that look like games of Go, most of them usable, some not.
pub(crate) fn go_collection() -> impl Strategy<Value = Collection> {
    let one = |ident: &'static str, value: &'static str| {
        (Just(ident.to_owned()), prop::collection::vec(value, 1..2)).boxed()
    };
    let some = |ident: &'static str, value: &'static str| {
        (Just(ident.to_owned()), prop::collection::vec(value, 1..4)).boxed()
    };
    let property = prop_oneof![
        6 => one("B", "[a-i]{2}|tt|"),
        6 => one("W", "[a-i]{2}|tt| [a-i]{2} "),
        1 => some("AB", "[a-i]{2}|[a-i]{2}:[a-i]{2}"),
        1 => some("AW", "[a-i]{2}|[a-i]{2}:[a-i]{2}"),
        1 => some("AE", "[a-i]{2}"),
        1 => one("PL", "[BW12x]|black"),
        1 => one("C", "[a-z\\]\\\\();:\n\\[ ]{0,20}"),
        1 => one("SZ", "9|1[0-9]|2[0-6]|9:1[0-9]|"),
        1 => one("KM", "[0-9]{1,2}\\.5|6,5||375"),
        1 => one("HA", "[0-9]|"),
        1 => one("RE", "[BW]\\+[0-9RTF]|0|Void|\\?|"),
        1 => one("GM", "1"),
    ];
    collection(prop::collection::vec(property, 0..3).boxed())
}

fn collection(properties: BoxedStrategy<Vec<(String, Vec<String>)>>) -> impl Strategy<Value = Collection> {
    let back = prop_oneof![8 => Just(0usize), 2 => 0usize..20];
    let game = prop::collection::vec((back, properties), 1..30).prop_map(build);
    prop::collection::vec(game, 1..4).prop_map(|games| Collection { games })
}

fn build(plans: Vec<Plan>) -> GameTree {
    let mut tree = GameTree::new();
    let mut nodes = vec![tree.root()];
    for (number, (back, properties)) in plans.into_iter().enumerate() {
        if number > 0 {
            let parent = nodes[nodes.len() - 1 - back % nodes.len()];
            nodes.push(tree.add_child(parent));
        }
        for (ident, values) in properties {
            let ident = Ident::new(&ident).expect("the generator makes identifiers");
            for value in values {
                tree.node_mut(nodes[number]).push(ident, value);
            }
        }
    }
    tree
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{2}",
        "[\\]\\[\\\\();: \t\r\na-c]{0,30}",
        "\\PC{0,20}",
        prop::collection::vec(any::<char>(), 0..10).prop_map(|chars| chars.into_iter().collect()),
        "[a-z ]{100,200}",
    ]
}

/// Adds faults and liberties that do not change what the parser reads: blanks, empty variations, missing
/// ends.
pub(crate) fn roughen(text: &str, choices: &[u8]) -> String {
    let mut rough = String::new();
    let mut choice = choices.iter().copied().cycle();
    let mut in_value = false;
    let mut escaped = false;
    let mut depth = 0;
    let mut after_node = false;
    for letter in text.chars() {
        if in_value {
            in_value = escaped || letter != ']';
            escaped = !escaped && letter == '\\';
            rough.push(letter);
            continue;
        }
        // An empty variation may stand where a node has ended.
        if after_node && matches!(letter, ';' | '(') && choice.next() == Some(0) {
            rough.push_str("()");
        }
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        after_node = depth > 0 && (after_node || letter == ';');
        in_value = letter == '[';
        match (letter, choice.next()) {
            (';' | '(' | ')' | '[', Some(1)) => rough.push_str("\r\n "),
            ('A'..='Z', Some(2)) if rough.ends_with([']', ';']) => rough.push_str(" \t"),
            _ => {}
        }
        rough.push(letter);
    }
    rough
}
