//! Rules by KataGo's and KGS's commands. Komi is set by `komi` alone and outlives a change of rules.

use serde_json::{Map, Value};
use tesuji_board::{RuleValue, Rules};
use tesuji_gtp::{Command, CommandTable, Reply, Session};

use super::Controlled;

pub(super) fn add(table: &mut CommandTable<Controlled>) {
    table
        .add("kata-get-rules", |state, _, _| Ok(to_json(state.engine.game().rules())))
        .add("kata-set-rules", set_rules)
        .add("kata-set-rule", set_rule)
        .add("kgs-rules", kgs_rules);
}

fn to_json(rules: &Rules) -> String {
    let value = |value| match value {
        RuleValue::Switch(on) => Value::Bool(on),
        RuleValue::Word(word) => Value::from(word),
    };
    let object: Map<_, _> = rules.entries().map(|(key, entry)| (key.to_owned(), value(entry))).collect();
    Value::Object(object).to_string()
}

/// Takes a name or a JSON object; keys that are missing keep their value, as in KataGo.
fn set_rules(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    command.word(0, "rules")?;
    let text = command.arg_text.trim();
    let rules = if text.starts_with('{') {
        from_json(text, *state.engine.game().rules())?
    } else {
        Rules::named(text).map_err(|error| error.to_string())?
    };
    state.engine.set_rules(rules);
    Ok(String::new())
}

fn set_rule(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let (key, value) = (command.word(0, "rule")?, command.word(1, "value")?);
    let mut rules = *state.engine.game().rules();
    rules.set(key, value).map_err(|error| error.to_string())?;
    state.engine.set_rules(rules);
    Ok(String::new())
}

fn kgs_rules(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let rules = Rules::named_on_kgs(command.word(0, "rules")?).map_err(|error| error.to_string())?;
    state.engine.set_rules(rules);
    Ok(String::new())
}

fn from_json(text: &str, mut rules: Rules) -> Result<Rules, String> {
    let object: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| format!("rules are no JSON object: {error}"))?;
    for (key, value) in &object {
        let value = match value {
            Value::String(word) => word.clone(),
            other => other.to_string(),
        };
        rules.set(key, &value).map_err(|error| error.to_string())?;
    }
    Ok(rules)
}
