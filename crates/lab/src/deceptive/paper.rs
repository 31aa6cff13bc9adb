//! The paper. Its one figure has no numbers to set beside ours.

use crate::report::Heading;

/// The top of the report.
pub const HEADING: Heading = Heading {
    title: "Deceptive moves and proxy nodes",
    paper: "K. Uchida, M. Asaka: Improvement of Deceptive Structure Search in Computer Go (in Japanese), 2014",
    summary: "A move is deceptive if few of the replies to it are far better than the others: its mean looks good until they are found. The paper \
        adds to the replies a proxy node, which stands for their mean, and to UCB1 a bonus for moves whose proxy is seldom chosen, so that the \
        search looks at deceptive moves more. The text allows several readings; each searches the same synthetic trees and Go positions \
        from the same seeds, beside plain UCT. Numbers in brackets are 95 % intervals over the seeds of a tree, or over the Go \
        positions; three or fewer have none.",
    terms: &[
        (
            "tree",
            "T(m,i,p,q) has m candidates at its root, of which the first is a trap with i replies: it wins with probability p, but q after \
            one of them; the other candidates win with 0.5. In a chain a trap hides another. In a control the first candidate is no trap. \
            Bushy trees have replies to all candidates. Of Go positions the number is in brackets. + marks trees whose first candidate is best",
        ),
        ("reading", "a way to read the paper"),
        ("uct", "plain UCT, without proxies"),
        ("proxy", "proxies as the paper describes them"),
        ("C1 1", "proxies with a bonus of factor 1"),
        ("mean follows", "the proxy's mean follows that of its node"),
        ("first count i", "the proxy begins as if it had been visited once for each reply"),
        ("first count visits", "the proxy begins with the visits of its node"),
        ("count all", "the bonus counts the proxy's first visits too"),
        (
            "go on",
            "when the proxy is chosen, the simulation goes on with the best real reply instead of ending",
        ),
        ("ancestors +1", "a chosen proxy counts as a visit of the nodes above it"),
        ("root only", "only children of the root have proxies"),
        ("reward", "a reading of our own: the proxy's bonus is a reward for real replies"),
        ("reward, C1 0.1", "the same with twice the bonus"),
        ("500, 1000, …", "the number of playouts after which the column was noted"),
        (
            "share",
            "the share of the root's playouts that went to the candidate in question: the first of a tree, all losing moves of a Go position",
        ),
        ("right moves", "how often the move with the best mean was right"),
    ],
};
