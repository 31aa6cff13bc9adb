//! A diagram that can be read prints as one that reads the same.

use tesuji_board::{Color, Diagram};

use crate::{Law, Reception};

pub(crate) const LAW: Law = Law {
    name: "diagram",
    statement: "printing and reading a diagram changes nothing; nothing panics",
    check,
    examples: &[
        b"   A B C D E\n 3 . X O . a 3\n 2 X(O). O + 2\n 1 . X O . # 1\n   A B C D E\nto play: X\nko: C2\n",
        b".OX\na.#",
        b"+-----+\n|. O X|\n|a . #|\n+-----+\nto play: O",
        b"X . . . .\nX O . . @\nX . . (O) .\n. . . . .",
    ],
    words: &[
        b". ",
        b"X ",
        b"O ",
        b"(X)",
        b"(O)",
        b"# ",
        b"@ ",
        b"+ ",
        b"a",
        b"z",
        b"\n",
        b"to play: X\n",
        b"ko: B2\n",
        b"ko: ",
        b"12 ",
        b"A B C\n",
        b"|",
        b"---\n",
        b". . . . .\n",
        b"X X X X X\n",
    ],
};

fn check(input: &[u8]) -> Reception {
    let text = String::from_utf8_lossy(input);
    let diagram = match Diagram::parse(&text) {
        Ok(diagram) => diagram,
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1 && !error.to_string().is_empty());
            return Reception::Refused;
        }
    };
    let printed = diagram.to_string();
    let again = Diagram::parse(&printed).expect("what is printed can be read");
    assert_eq!(again.to_string(), printed);
    assert_eq!((again.to_play, again.last_move), (diagram.to_play, diagram.last_move));
    assert_eq!(again.marked(), diagram.marked());
    for name in 'a'..='z' {
        assert!(again.points(name).eq(diagram.points(name)), "{name}");
    }
    let (board, original) = (&again.board, &diagram.board);
    assert_eq!((board.size(), board.hash()), (original.size(), original.hash()));
    for color in Color::BOTH {
        assert_eq!(board.ko_point(color), original.ko_point(color));
    }
    Reception::Accepted
}
