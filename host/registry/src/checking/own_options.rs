//! The options that a card sets under `[protocol.own]`, as its task type declares them.

use mteb_base::suggest::hint;
use mteb_card::TaskCard;
use serde_json::Value;

type Add<'a> = dyn FnMut(&[&str], String) + 'a;

/// The options that a card sets for a type that declares some.
pub fn check_own_options(card: &TaskCard, add: &mut Add) {
    let Some(declared) =
        card.task_type.declared().filter(|declared| !declared.declaration.options.is_empty())
    else {
        return;
    };
    let known = &declared.declaration.options;
    for (name, value) in &card.protocol.own {
        match known.get(name) {
            None => {
                let names: Vec<&str> = known.keys().map(String::as_str).collect();
                let near = hint(name, names.iter().copied(), "");
                let message = format!(
                    "a task of type {} has no option `{name}`{near}; it has: {}",
                    card.task_type,
                    names.join(", ")
                );
                add(&["protocol", mteb_card::OWN, name], message);
            }
            Some(option) if kind_of(&option.default) != kind_of(value) => {
                let (expected, found) = (kind_of(&option.default), kind_of(value));
                add(
                    &["protocol", mteb_card::OWN, name],
                    format!("expected {expected}, found {found}: {value}"),
                );
            }
            Some(_) => {}
        }
    }
}

/// A kind of values in the words of messages.
fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "`true` or `false`",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a table",
    }
}
