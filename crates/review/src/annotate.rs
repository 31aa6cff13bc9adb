//! A review inside the game's own SGF: comments, marks and variations that other programs show. What was there stays.

use tesuji_board::{Color, Move};
use tesuji_sgf::{GameTree, Ident, NodeId};

use crate::loss::{Loss, Review};

/// Points from which on a move is called doubtful, and bad, as in the usual programs.
const DOUBTFUL: f64 = 2.0;
const BAD: f64 = 5.0;
/// Moves of a better line.
const LINE: usize = 10;

/// Writes what a review found into the main line of the game's tree. Better lines become variations of the `lines` worst moves.
pub fn annotate(tree: &mut GameTree, review: &Review, lines: usize) {
    let nodes = nodes_by_turn(tree);
    let shown: Vec<usize> = review.mistakes(lines).iter().map(|loss| loss.number).collect();
    for turn in review.turns() {
        let Some(&node) = nodes.get(turn) else { break };
        let Some(finding) = review.finding(turn) else { continue };
        let mut text = format!(
            "Black's chance {:.1} %, {}, {} visits",
            100.0 * finding.win_rate,
            lead(finding.lead),
            finding.visits
        );
        if let Some(loss) = review.loss(turn) {
            text += &verdict(&loss);
            if loss.points >= BAD {
                tree.node_mut(node).set(ident("BM"), "1");
            } else if loss.points >= DOUBTFUL {
                tree.node_mut(node).set(ident("DO"), "");
            }
        }
        add_comment(tree, node, &text);
        tree.node_mut(node).set(ident("V"), format!("{:.1}", finding.lead));
    }
    for number in shown {
        if let (Some(loss), Some(&before)) = (review.loss(number), nodes.get(number - 1)) {
            add_line(tree, before, review, &loss);
        }
    }
}

/// By number of moves: the node after which so many have been made.
fn nodes_by_turn(tree: &GameTree) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    let mut made = 0;
    for id in tree.main_line() {
        let node = tree.node(id);
        made += ["B", "W"].iter().filter(|ident| node.value(ident).is_some()).count();
        // Nodes without a move before the first one belong to the start, later ones to the move before.
        if nodes.len() <= made {
            nodes.resize(made + 1, id);
        } else if made == 0 {
            nodes[0] = id;
        }
    }
    nodes
}

fn add_line(tree: &mut GameTree, before: NodeId, review: &Review, loss: &Loss<'_>) {
    let Some(better) = loss.better else { return };
    let size = review.game().size();
    let mut last = before;
    for (number, (color, mv)) in better.colored_moves(size, loss.color).into_iter().take(LINE).enumerate() {
        last = tree.add_child(last);
        let of_color = ident(if color == Color::Black { "B" } else { "W" });
        let value = mv.point().map_or_else(String::new, |point| point.to_sgf(size));
        tree.node_mut(last).push(of_color, value);
        if number == 0 {
            let chance = 100.0 * better.win_rate;
            add_comment(tree, last, &format!("Better: Black's chance {chance:.1} %, {}", lead(better.lead)));
            tree.node_mut(last).set(ident("TE"), "1");
        }
    }
}

fn add_comment(tree: &mut GameTree, node: NodeId, text: &str) {
    let known = tree.node(node).value("C").unwrap_or_default();
    let text = if known.is_empty() { text.to_owned() } else { format!("{known}\n\n{text}") };
    tree.node_mut(node).set(ident("C"), text);
}

/// `Black leads by 3.5`.
pub(crate) fn lead(points: f64) -> String {
    let (who, points) = if points >= 0.0 { ("Black", points) } else { ("White", -points) };
    format!("{who} leads by {points:.1}")
}

fn verdict(loss: &Loss<'_>) -> String {
    let who = if loss.color == Color::Black { "Black" } else { "White" };
    let better = loss.better.map(|better| better.variation.join(" "));
    match better {
        Some(line) if loss.points >= 0.05 => {
            format!("\n{who} lost {:.1} points; better was {line}", loss.points)
        }
        Some(line) => format!("\nAs good: {line}"),
        None if loss.mv == Move::Pass => String::new(),
        None => "\nThe best move".to_owned(),
    }
}

/// For identifiers that are written here.
fn ident(letters: &'static str) -> Ident {
    Ident::new(letters).expect("capital letters are an identifier")
}
