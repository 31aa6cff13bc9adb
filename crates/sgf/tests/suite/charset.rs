use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, WINDOWS_1252};
use tesuji_sgf::{WarningKind, parse};

const CHINESE: &str = "黑棋中盘胜，本局由两位棋手在北京对弈";
const TAIWANESE: &str = "黑棋中盤勝，許功蓋與對手在臺北對弈";
const JAPANESE: &str = "本因坊の表彰式は予定どおりソウルで行われた";
const KOREAN: &str = "이창호 구단이 불계승을 거두었다";
const FRENCH: &str = "Défense élégante, à la française, où noir vît très bien";

fn encode(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    let (bytes, _, unmappable) = encoding.encode(text);
    assert!(!unmappable, "{text} in {}", encoding.name());
    bytes.into_owned()
}

/// Expects the comment of a file to survive its charset, named by `label` or found out.
fn check(encoding: &'static Encoding, label: Option<&str>, comment: &str) {
    let label = label.map_or(String::new(), |label| format!("CA[{label}]"));
    let text = format!("(;GM[1]C[{comment}]{label};B[aa])");
    let parsed =
        parse(&encode(encoding, &text)).unwrap_or_else(|error| panic!("{}: {error}", encoding.name()));
    let tree = &parsed.collection.games[0];
    assert_eq!(tree.node(tree.root()).value("C"), Some(comment), "{}", parsed.charset);
    assert_eq!(parsed.warnings, [], "{}", encoding.name());
}

#[test]
fn named_charsets() {
    check(GBK, Some("GB2312"), CHINESE);
    check(GBK, Some("gbk"), TAIWANESE);
    check(GB18030, Some("GB18030"), CHINESE);
    check(BIG5, Some("Big5"), TAIWANESE);
    check(SHIFT_JIS, Some("Shift_JIS"), JAPANESE);
    check(EUC_JP, Some("EUC-JP"), JAPANESE);
    check(ISO_2022_JP, Some("ISO-2022-JP"), JAPANESE);
    check(EUC_KR, Some(" EUC-KR "), KOREAN);
    check(WINDOWS_1252, Some("ISO-8859-1"), FRENCH);
    check(WINDOWS_1252, Some("windows-1252"), FRENCH);
}

#[test]
fn charsets_found_out() {
    check(GBK, None, CHINESE);
    check(BIG5, None, TAIWANESE);
    check(SHIFT_JIS, None, JAPANESE);
    check(EUC_JP, None, JAPANESE);
    check(EUC_KR, None, KOREAN);
    check(WINDOWS_1252, None, FRENCH);
    check(GBK, Some("no-such-charset"), CHINESE);
    check(GBK, Some("UTF-8"), CHINESE);
}

#[test]
fn trail_bytes_that_look_like_sgf() {
    for (encoding, characters) in
        [(SHIFT_JIS, ["ソ", "ゾ", "ゼ"]), (BIG5, ["功", "包", "加"]), (GBK, ["乗", "乚", "乕"])]
    {
        for (text, byte) in characters.iter().zip(*b"\\][") {
            assert_eq!(encode(encoding, text)[1], byte, "{text} shall test something");
            check(encoding, Some(encoding.name()), text);
            check(encoding, Some(encoding.name()), &format!("{text}a{text}"));
        }
    }
}

#[test]
fn errors_in_other_charsets_name_the_byte_of_the_file() {
    for (encoding, comment) in
        [(GBK, CHINESE), (SHIFT_JIS, JAPANESE), (BIG5, TAIWANESE), (WINDOWS_1252, FRENCH)]
    {
        let before = encode(encoding, &format!("(;CA[{}]\nC[{comment}]", encoding.name()));
        let mut bytes = before.clone();
        bytes.extend(b"*)");
        let error = parse(&bytes).unwrap_err();
        assert_eq!(error.place.offset, before.len(), "{}", encoding.name());
        assert_eq!((error.place.line, error.place.column), (2, comment.chars().count() + 4));
    }
}

#[test]
fn malformed_bytes_are_reported() {
    let parsed = parse(b"(;CA[GBK]C[\xD6\xDC \xFF\xFF])").unwrap();
    let found: Vec<_> = parsed.warnings.iter().map(|w| (w.kind, w.place.offset)).collect();
    assert_eq!(found, [(WarningKind::MalformedText, 14)]);
}
