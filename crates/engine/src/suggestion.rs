//! What somebody may have meant by a name that there is not.

/// `; did you mean 'rave'?` if one of the names is close to the word, and nothing otherwise: for the end of a message.
pub fn suggestion<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(word, names) {
        Some(name) => format!("; did you mean '{name}'?"),
        None => String::new(),
    }
}

/// The name that takes the fewest changes of a letter, if these are few for its length; of equals the first.
fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nobody mistypes a word of this length, and the distance takes the square of it.
    const LONGEST: usize = 64;
    let letters = |text: &str| -> Vec<char> { text.to_lowercase().chars().take(LONGEST).collect() };
    let word = letters(word);
    let distances = names.into_iter().map(|name| (name, letters(name)));
    let distances =
        distances.map(|(name, known)| (name, distance(&word, &known), word.len().max(known.len())));
    let close = distances.filter(|&(_, distance, length)| distance * 3 <= length);
    close.min_by_key(|&(_, distance, _)| distance).map(|(name, _, _)| name)
}

/// Letters to insert, leave out, replace or exchange with their neighbour (Damerau 1964, without changing a place twice).
fn distance(from: &[char], to: &[char]) -> usize {
    let mut rows = vec![vec![0; to.len() + 1]; from.len() + 1];
    for i in 0..=from.len() {
        for j in 0..=to.len() {
            if i == 0 || j == 0 {
                rows[i][j] = i.max(j);
                continue;
            }
            let replaced = rows[i - 1][j - 1] + usize::from(from[i - 1] != to[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_close_is_suggested() {
        let names = ["uct", "rave", "rave-plain", "puct", "japanese"];
        for (word, expected) in [
            ("xyzzy", ""),
            ("rvae", "; did you mean 'rave'?"),
            ("Rave-pain", "; did you mean 'rave-plain'?"),
            ("japanes", "; did you mean 'japanese'?"),
            ("utc", "; did you mean 'uct'?"),
            ("", ""),
            ("something else", ""),
        ] {
            assert_eq!(suggestion(word, names), expected, "{word}");
        }
        assert_eq!(suggestion(&"x".repeat(10_000), names), "");
    }

    #[test]
    fn distances() {
        let between = |from: &str, to: &str| {
            distance(&from.chars().collect::<Vec<_>>(), &to.chars().collect::<Vec<_>>())
        };
        for (from, to, expected) in
            [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("ab", "ba", 1), ("abcd", "acbd", 1)]
        {
            assert_eq!((between(from, to), between(to, from)), (expected, expected), "{from} {to}");
        }
    }
}
