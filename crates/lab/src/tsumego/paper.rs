//! The papers. The first one's figures are beside the rules that it tried, in `variant.rs`.

use crate::report::Heading;

/// The top of the report.
pub const HEADING: Heading = Heading {
    title: "Proof probability and proof numbers in UCT for life and death",
    paper: "UCT proof-probability search for life-and-death problems (in Japanese); 22 problems: c = 0.5 needs 96 % of the playouts, 10 better, 11 the same, 1 \
        worse. E. Doe and others, Combining Monte-Carlo Tree Search with Proof-Number Search, 2022 (PN-MCTS: up to 94.0 % wins against UCT, Lines of Action); J. Kowalski and others, Proof \
        Number Based Monte-Carlo Tree Search, 2024 (up to 96.2 %); J. Kowalski and others, Generalized Proof-Number Monte-Carlo Tree Search, 2025, arXiv 2506.13249 (numbers per player; \
        around 80 % in 8 of 11 games). Of the last three none has problems or Go, so there is no figure to put beside ours",
    summary: "A life-and-death problem is solved once every reply to some first move is refuted. UCT chooses by the mean of a move (UCB1); the paper \
        adds c times F, the product of the win rates over all replies to the move, as an estimate of how probable its proof is. PN-MCTS adds c times how good the move's proof number is among its \
        siblings' instead. Every rule \
        searches each problem with many seeds, and the figure that counts is the number of playouts after which 90 % of the seeds name a right \
        first move. Which moves are right is proved by df-pn, our solver. Numbers in brackets are 95 % intervals over the problems; three \
        problems or fewer have none.",
    terms: &[
        ("rule", "how the search chooses moves within its tree"),
        ("UCT", "UCB1 alone"),
        ("c = 0.5", "UCB1 + 0.5 F: the paper's"),
        ("c = 1", "UCB1 + F: the paper's second choice"),
        ("c = 0.25", "UCB1 + 0.25 F"),
        ("c = 2", "UCB1 + 2 F"),
        ("c = 0.5, attacker only", "F counts for the side that wants to kill, not for the other"),
        ("c = 0.5, geometric mean", "F is the geometric mean of the win rates instead of their product"),
        ("UCT, half exploration", "UCB1 with half the exploration term"),
        ("c = 0.5, half exploration", "the same with 0.5 F"),
        (
            "c = 0.5, geometric mean, half exploration",
            "half the exploration term, and 0.5 times the geometric mean of the win rates",
        ),
        (
            "proof numbers by rank, c = 0.5",
            "UCB1 + 0.5 (1 − rank/lowest rank), ranks by the number of moves at the end of the tree that a proof of the move still takes: PN-MCTS",
        ),
        ("proof numbers by rank, c = 1", "the same with weight 1"),
        ("proof numbers by share, c = 1", "UCB1 + 1 − proof number/largest proof number of the siblings"),
        (
            "proof numbers by rank, c = 0.5, half exploration",
            "half the exploration term, and proof numbers by rank with weight 0.5",
        ),
        ("compared with", "the rule that the row is compared with, problem by problem"),
        (
            "problems",
            "problems that could be compared; in the prover's table, problems that it was asked about",
        ),
        (
            "ratio, geometric mean",
            "playouts that the rule needs for 90 %, divided by those of the other rule: below 1 is better",
        ),
        ("ratio, mean", "the arithmetic mean of the same ratios, as in the paper; few large ones weigh much"),
        ("better", "problems whose ratio is surely below 1, by drawing the seeds again"),
        ("same", "problems on which the seeds do not decide"),
        ("worse", "problems whose ratio is surely above 1"),
        (
            "not reached",
            "problems on which the rule did not reach 90 % within its limit; their ratio is a lower bound",
        ),
        ("playouts to a proof, ratio", "playouts until the search itself has proved the winner, as a ratio"),
        ("kind", "what the problem is about, or how hard it is said to be"),
        ("problem", "name of the problem"),
        ("empty points", "empty points of its region"),
        ("limit", "most playouts of a search: four times what plain UCT needed in advance"),
        ("collection", "the file that the problems are from"),
        ("rank", "how hard the problems are said to be, or what they are about"),
        ("unusable", "entries of the file that are no problem"),
        ("decided %", "problems that df-pn decides within its limit of nodes"),
        ("agree", "decided problems on which the file says the same"),
        ("contradict", "decided problems on which it says something else"),
        ("no answer", "problems of which the file does not say the answer"),
        ("median nodes", "positions that df-pn searched, in the median"),
        ("nodes", "the same, added up"),
        ("seconds", "the time that it took, added up"),
    ],
};
