use tesuji_sgf::{
    GameTree, Limits, NodeId, ParseErrorKind, Parsed, TokenError, WarningKind, decode, parse, parse_with,
};

/// Writes a tree in one line, every node with its variations in braces, values quoted.
fn outline(tree: &GameTree) -> String {
    fn node(tree: &GameTree, id: NodeId) -> String {
        let mut text = String::new();
        for property in tree.node(id).properties() {
            text += &format!("{}{:?}", property.ident(), property.values());
        }
        let children: Vec<String> = tree.children(id).map(|child| node(tree, child)).collect();
        if children.is_empty() { text } else { format!("{text}{{{}}}", children.join("|")) }
    }
    node(tree, tree.root())
}

/// Expects these trees, and these warnings with their offsets.
fn check(input: &str, expected: &[&str], warnings: &[(WarningKind, usize)]) {
    let parsed = parse(input.as_bytes()).unwrap_or_else(|error| panic!("{input:?}: {error}"));
    let found: Vec<String> = parsed.collection.games.iter().map(outline).collect();
    assert_eq!(found, expected, "{input:?}");
    let found: Vec<_> = parsed.warnings.iter().map(|warning| (warning.kind, warning.place.offset)).collect();
    assert_eq!(found, warnings, "{input:?}");
}

/// Expects an error of this kind at this offset, line and column.
fn check_error(input: &[u8], kind: ParseErrorKind, place: (usize, usize, usize)) {
    let error = parse(input).expect_err(&String::from_utf8_lossy(input));
    let found = (error.place.offset, error.place.line, error.place.column);
    assert_eq!((error.kind, found), (kind, place), "{}", String::from_utf8_lossy(input));
}

fn ident(text: &str) -> tesuji_sgf::Ident {
    tesuji_sgf::Ident::new(text).unwrap()
}

#[test]
fn well_formed_files() {
    check("(;)", &[""], &[]);
    check("(;B[aa])", &[r#"B["aa"]"#], &[]);
    check("(;C[];B[])", &[r#"C[""]{B[""]}"#], &[]);
    check("(;AB[aa][bb]\n[cc])", &[r#"AB["aa", "bb", "cc"]"#], &[]);
    check(
        "(;N[0](;N[1];N[2])(;N[3](;N[4])(;N[5])))",
        &[r#"N["0"]{N["1"]{N["2"]}|N["3"]{N["4"]|N["5"]}}"#],
        &[],
    );
    check("(;N[a])\n(;N[b])", &[r#"N["a"]"#, r#"N["b"]"#], &[]);
    check("(;C[a(b;c\\]d[e])", &[r#"C["a(b;c]d[e"]"#], &[]);
    check("(;C[x\\\ny\r\nz])", &[r#"C["xy\nz"]"#], &[]);
}

#[test]
fn blanks_and_old_identifiers() {
    check(" \r\n( ; B \n [aa]\t[bb] \x0b ) \n", &[r#"B["aa", "bb"]"#], &[]);
    check("(;Black[aa];White[bb])", &[r#"B["aa"]{W["bb"]}"#], &[]);
    check("(;GaMe[1]SiZe[19]COpyright[x])", &[r#"GM["1"]SZ["19"]CO["x"]"#], &[]);
    check("(;b[aa])", &[r#"B["aa"]"#], &[(WarningKind::LowerCaseIdentifier(ident("B")), 2)]);
    check("(;MULTIGOGM[1]M2[x])", &[r#"MULTIGOGM["1"]M2["x"]"#], &[]);
}

#[test]
fn faults_that_can_be_read() {
    let skipped = WarningKind::SkippedText;
    check("From: x (y)\n\n(;N[1])", &[r#"N["1"]"#], &[(skipped, 0)]);
    check("(;N[1]) -- \n(;N[2])\x1a", &[r#"N["1"]"#, r#"N["2"]"#], &[(skipped, 8)]);
    check("(;N[1]))\n", &[r#"N["1"]"#], &[(skipped, 7)]);
    check("((;N[1])(;N[2]))", &[r#"N["1"]"#, r#"N["2"]"#], &[(skipped, 0), (skipped, 15)]);
    check("(;N[1]", &[r#"N["1"]"#], &[(WarningKind::MissingClose(1), 6)]);
    check("(;N[1](;N[2]", &[r#"N["1"]{N["2"]}"#], &[(WarningKind::MissingClose(2), 12)]);
    check("(;", &[""], &[(WarningKind::MissingClose(1), 2)]);
    check("(N[1];N[2])", &[r#"N["1"]{N["2"]}"#], &[(WarningKind::MissingSemicolon, 1)]);
    check("(;N[1](N[2]))", &[r#"N["1"]{N["2"]}"#], &[(WarningKind::MissingSemicolon, 7)]);
    check("(;N[1]();N[2])", &[r#"N["1"]{N["2"]}"#], &[(WarningKind::EmptyVariation, 7)]);
    check("(;N[1](;N[2]);N[3])", &[r#"N["1"]{N["2"]|N["3"]}"#], &[(WarningKind::NodeAfterVariation, 13)]);
    check("(;N[1]((;N[2])))", &[r#"N["1"]{N["2"]}"#], &[]);
    let repeated = WarningKind::RepeatedProperty(ident("C"));
    check("(;C[a]N[n]C[b])", &[r#"C["a", "b"]N["n"]"#], &[(repeated, 10)]);
}

#[test]
fn faults_that_cannot() {
    let token = ParseErrorKind::Token;
    let unexpected = |found| token(TokenError::Unexpected(found));
    check_error(b"", ParseErrorKind::NoGame, (0, 1, 1));
    check_error(b"no game (at all)", ParseErrorKind::NoGame, (0, 1, 1));
    check_error(b"()", ParseErrorKind::NoGame, (0, 1, 1));
    check_error(b"(;B[aa", token(TokenError::UnterminatedValue), (3, 1, 4));
    check_error(b"(;B[aa\\]", token(TokenError::UnterminatedValue), (3, 1, 4));
    check_error(b"(;B[aa\\", token(TokenError::UnterminatedValue), (3, 1, 4));
    check_error(b"(;C[a\n;\nb]\n;B[", token(TokenError::UnterminatedValue), (13, 4, 3));
    check_error(b"(;B)", token(TokenError::IdentifierWithoutValue), (3, 1, 4));
    check_error(b"(;B ;W[aa])", token(TokenError::IdentifierWithoutValue), (4, 1, 5));
    check_error(b"(;B", token(TokenError::IdentifierWithoutValue), (3, 1, 4));
    check_error(b"(;[aa])", token(TokenError::ValueWithoutIdentifier), (2, 1, 3));
    check_error(b"(;B[aa]\r\n]", unexpected(']'), (9, 2, 1));
    check_error(b"(;C[see [1] here])", token(TokenError::IdentifierWithoutValue), (16, 1, 17));
    check_error("(;C[碁]!)".as_bytes(), unexpected('!'), (8, 1, 7));
    check_error("(;C[a]碁)".as_bytes(), unexpected('碁'), (6, 1, 7));
    check_error(b"(;ABCDEFGHIJKLMNOP[x])", ParseErrorKind::LongIdentifier, (2, 1, 3));
    check_error("\u{FEFF}(;!".as_bytes(), unexpected('!'), (5, 1, 3));
    check_error(b"\xFF\xFE(\0;\0!\0", unexpected('!'), (6, 1, 3));
}

#[test]
fn messages_say_what_was_expected() {
    for (input, message) in [
        ("(;B)", "line 1, column 4 (byte 3): expected `[` after the property identifier"),
        ("x", "line 1, column 1 (byte 0): expected a game, which begins with `(;`"),
        ("(;\n*", "line 2, column 1 (byte 3): expected `;`, `(`, `)` or a property identifier, found '*'"),
    ] {
        assert_eq!(parse(input.as_bytes()).unwrap_err().to_string(), message);
    }
    let parsed = parse(b"(;\nB[aa]").unwrap();
    let message = "line 2, column 6 (byte 8): the file ends without 1 closing `)`";
    assert_eq!(parsed.warnings[0].to_string(), message);
}

#[test]
fn limits_are_kept() {
    let limits = Limits { bytes: 40, nodes: 3, values: 4 };
    let kind = |text: &str| parse_with(text.as_bytes(), &limits).map_err(|e| (e.kind, e.place.offset)).err();
    assert_eq!(kind("(;;;)"), None);
    assert_eq!(kind("(;;;;)"), Some((ParseErrorKind::TooManyNodes(3), 4)));
    assert_eq!(kind("(;;)(;;)"), Some((ParseErrorKind::TooManyNodes(3), 6)));
    assert_eq!(kind("(;A[][]B[][])"), None);
    assert_eq!(kind("(;A[][]B[][][])"), Some((ParseErrorKind::TooManyValues(4), 7)));
    assert_eq!(kind(&format!("(;{:38})", "")), Some((ParseErrorKind::TooManyBytes(40), 40)));

    let letters =
        |n: usize| format!("{}{}", (b'A' + (n / 26) as u8) as char, (b'A' + (n % 26) as u8) as char);
    let node: String = (0..257).map(|n| format!("{}[]", letters(n))).collect();
    let error = parse(format!("(;{node})").as_bytes()).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::TooManyProperties(256));
}

#[test]
fn warnings_are_bounded() {
    let parsed = parse("(;)x".repeat(5000).as_bytes()).unwrap();
    assert_eq!(parsed.collection.games.len(), 5000);
    assert_eq!(parsed.warnings.len(), Parsed::MAX_WARNINGS);
    let last = parsed.warnings[Parsed::MAX_WARNINGS - 1].place.offset;
    assert_eq!(last, 4 * Parsed::MAX_WARNINGS - 1);
}

/// Deep nesting must neither overflow the stack nor take quadratic time.
#[test]
fn deep_nesting() {
    const DEPTH: usize = 100_000;
    let chain = format!("{}{}", "(;B[aa]".repeat(DEPTH), ")".repeat(DEPTH));
    let branching = format!("{}{}", "(;B[aa](;W[bb])".repeat(DEPTH), ")".repeat(DEPTH));
    let unclosed = "(;".repeat(DEPTH);
    for (text, nodes) in [(&chain, DEPTH), (&branching, 2 * DEPTH), (&unclosed, DEPTH)] {
        let parsed = parse(text.as_bytes()).unwrap();
        let tree = &parsed.collection.games[0];
        assert_eq!(tree.node_count(), nodes);
        let again = parse(tesuji_sgf::write(&parsed.collection).as_bytes()).unwrap();
        assert_eq!(again.collection.games[0].node_count(), nodes);
        assert_eq!(again.collection.games[0].preorder().count(), nodes);
    }
    let decoded = decode(branching.as_bytes());
    let mut scanner = tesuji_sgf::Scanner::new(decoded.text());
    let mut game = tesuji_sgf::ScannedGame::default();
    assert_eq!(scanner.next_game(&mut game), Ok(true));
    assert_eq!(game.moves.len(), 2);
}
