//! Damages to JSON that leave it JSON: most blind ones are found by the first check of any reader, and these by later ones.

use serde_json::Value;
use tesuji_search::Rng;

/// Damages one value in `input`, if both are JSON: it goes, comes twice, or becomes a value of `other` or one of `words`.
pub(crate) fn mutate_json(input: &mut Vec<u8>, other: &[u8], words: &[&[u8]], rng: &mut Rng) {
    let (Ok(mut tree), Ok(mut other)) =
        (serde_json::from_slice::<Value>(input), serde_json::from_slice::<Value>(other))
    else {
        return;
    };
    let replacement = match rng.below(3) {
        0 => serde_json::from_slice(words[rng.below(words.len())]).unwrap_or_default(),
        1 => (rng.next_u64() as i64 >> rng.below(64)).into(),
        _ => {
            let number = rng.below(size(&other));
            nth(&mut other, number).take()
        }
    };
    let number = rng.below(size(&tree));
    let value = nth(&mut tree, number);
    match (rng.below(4), value) {
        (0, Value::Array(list)) if !list.is_empty() => drop(list.remove(rng.below(list.len()))),
        (1, Value::Array(list)) => list.push(replacement),
        (2, Value::Array(list)) if !list.is_empty() => list.push(list[rng.below(list.len())].clone()),
        (0, Value::Object(fields)) if !fields.is_empty() => {
            let name = fields.keys().nth(rng.below(fields.len())).cloned();
            name.map(|name| fields.remove(&name));
        }
        (_, value) => *value = replacement,
    }
    *input = tree.to_string().into_bytes();
}

/// Values in a tree, itself included.
fn size(tree: &Value) -> usize {
    1 + match tree {
        Value::Array(list) => list.iter().map(size).sum(),
        Value::Object(fields) => fields.values().map(size).sum(),
        _ => 0,
    }
}

/// The value of this number, counted from the root; the root if there is none.
fn nth(tree: &mut Value, number: usize) -> &mut Value {
    let mut left = match number.checked_sub(1) {
        Some(left) if left + 1 < size(tree) => left,
        _ => return tree,
    };
    let children: Vec<&mut Value> = match tree {
        Value::Array(list) => list.iter_mut().collect(),
        Value::Object(fields) => fields.values_mut().collect(),
        _ => Vec::new(),
    };
    for child in children {
        match left.checked_sub(size(child)) {
            Some(rest) => left = rest,
            None => return nth(child, left),
        }
    }
    unreachable!("a number below the size of a tree is that of one of its values")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_value_is_found_by_its_number() {
        let mut tree = json!({ "a": [1, { "b": 2 }], "c": "x" });
        assert_eq!(size(&tree), 6);
        let found: Vec<String> = (0..6).map(|number| nth(&mut tree, number).to_string()).collect();
        assert_eq!(found[1..], [r#"[1,{"b":2}]"#, "1", r#"{"b":2}"#, "2", r#""x""#]);
    }

    #[test]
    fn what_was_json_stays_json() {
        let mut rng = Rng::new(1);
        let mut input = br#"{"a":[1,2,{"b":"c"}]}"#.to_vec();
        for _ in 0..200 {
            mutate_json(&mut input, br#"{"x":[[true]]}"#, &[b"null", b"\"B\"", b"[["], &mut rng);
            assert!(serde_json::from_slice::<Value>(&input).is_ok());
            input.truncate(300);
            if serde_json::from_slice::<Value>(&input).is_err() {
                input = br#"{"a":[1,2,{"b":"c"}]}"#.to_vec();
            }
        }
        let mut text = b"(;B[aa])".to_vec();
        mutate_json(&mut text, b"{}", &[b"null"], &mut rng);
        assert_eq!(text, b"(;B[aa])");
    }
}
