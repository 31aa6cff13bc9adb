//! Splits a command line into words the way a shell does, without variables, patterns or operators.
//!
//! Blanks separate; single quotes keep everything; double quotes keep everything but `\"` and `\\`; outside
//! quotes a backslash keeps the next character.

use std::fmt;

/// Why a command line cannot be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitError {
    /// A quote of this kind is never closed.
    OpenQuote(char),
    /// The last character is a backslash.
    TrailingBackslash,
}

/// The words of a command line; quotes may make an empty one.
pub fn split_words(text: &str) -> Result<Vec<String>, SplitError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        if char.is_whitespace() {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match char {
            '\\' => word.push(chars.next().ok_or(SplitError::TrailingBackslash)?),
            '\'' | '"' => quoted(char, &mut chars, word)?,
            _ => word.push(char),
        }
    }
    words.extend(word);
    Ok(words)
}

impl fmt::Display for SplitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SplitError::OpenQuote(quote) => write!(f, "a quote {quote} is not closed"),
            SplitError::TrailingBackslash => f.write_str("a backslash at the end has nothing to keep"),
        }
    }
}

impl std::error::Error for SplitError {}

/// Appends the text up to the closing quote.
fn quoted(quote: char, chars: &mut std::str::Chars<'_>, word: &mut String) -> Result<(), SplitError> {
    let open = SplitError::OpenQuote(quote);
    loop {
        match chars.next().ok_or(open)? {
            char if char == quote => return Ok(()),
            '\\' if quote == '"' => match chars.next().ok_or(open)? {
                escaped @ ('"' | '\\') => word.push(escaped),
                other => word.extend(['\\', other]),
            },
            char => word.push(char),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_like_a_shell() {
        let table: &[(&str, &[&str])] = &[
            ("", &[]),
            ("  \t\n ", &[]),
            ("gnugo --mode gtp", &["gnugo", "--mode", "gtp"]),
            ("  a   b ", &["a", "b"]),
            ("'my engine' \"a b\"", &["my engine", "a b"]),
            (r#"sh -c 'echo "x y" \n'"#, &["sh", "-c", r#"echo "x y" \n"#]),
            (r#""a \"b\" \\ \n $c""#, &[r#"a "b" \ \n $c"#]),
            (r"a\ b \'c\' \\", &["a b", "'c'", r"\"]),
            ("pre'fix 'ed", &["prefix ed"]),
            ("'' \"\"", &["", ""]),
            ("碁 '囲 碁'", &["碁", "囲 碁"]),
        ];
        for (text, expected) in table {
            let found = split_words(text).expect("closed quotes");
            assert_eq!(found, *expected, "{text}");
        }
    }

    #[test]
    fn names_what_is_open() {
        assert_eq!(split_words("a 'b c"), Err(SplitError::OpenQuote('\'')));
        assert_eq!(split_words("a \"b c\\\""), Err(SplitError::OpenQuote('"')));
        assert_eq!(split_words("\"\\"), Err(SplitError::OpenQuote('"')));
        assert_eq!(split_words("a \\"), Err(SplitError::TrailingBackslash));
    }
}
