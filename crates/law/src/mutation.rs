//! Small damages to an input, blind to what they do.

use tesuji_search::Rng;

use crate::json_mutation::mutate_json;

/// Longest input made, in bytes; faults show in small inputs, and small ones are quick.
const MAX_LEN: usize = 2000;
/// Most damages to one input.
const MAX_DAMAGES: usize = 8;

/// Damages `input`, with parts of `other` and `words` mixed in.
pub(crate) fn mutate(input: &mut Vec<u8>, other: &[u8], words: &[&[u8]], rng: &mut Rng) {
    let is_json = input.first() == Some(&b'{');
    let damage = if is_json && rng.below(2) == 0 { mutate_json } else { damage };
    for _ in 0..=rng.below(MAX_DAMAGES) {
        damage(input, other, words, rng);
    }
    input.truncate(MAX_LEN);
}

fn damage(input: &mut Vec<u8>, other: &[u8], words: &[&[u8]], rng: &mut Rng) {
    let at = rng.below(input.len() + 1);
    let length = rng.below(17).min(input.len() - at);
    match rng.below(8) {
        0 => insert(input, at, &[rng.next_u64() as u8]),
        1 | 2 => insert(input, at, words[rng.below(words.len())]),
        3 => drop(input.drain(at..at + length)),
        4 if at < input.len() => input[at] = rng.next_u64() as u8,
        5 if at < input.len() => input[at] ^= 1 << rng.below(8),
        6 => {
            let copy = input[at..at + length].to_vec();
            let to = rng.below(input.len() + 1);
            insert(input, to, &copy);
        }
        _ => {
            let from = rng.below(other.len() + 1);
            let to = (from + rng.below(65)).min(other.len());
            insert(input, at, &other[from..to]);
        }
    }
}

fn insert(input: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    input.splice(at..at, bytes.iter().copied());
}
