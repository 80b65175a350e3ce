//! What can be checked in a card although its form is at fault elsewhere.

use std::collections::BTreeSet;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use mteb_base::suggest::near;
use mteb_card::{TaskCard, TaskType};
use serde_json::{Map, Value, json};

use super::form_keys::keys;
use super::form_message::steps;

/// The table of which single options are left out, since each of the others can be told of by itself.
const OPTIONS: &str = "protocol";

/// Most unknown keys of one table of a card that is looked at any further.
const MOST: usize = 100;

/// A card without what is at fault, and the keys at its top that this may have changed: what depends on them is not known.
pub struct Rest {
    /// The card.
    pub card: TaskCard,
    /// Those keys.
    pub touched: BTreeSet<String>,
}

impl Rest {
    /// The rest of the card whose content is `root`; `None` if too much of it is at fault.
    pub fn of<'a>(
        errors: impl Iterator<Item = ValidationError<'a>>,
        root: &Value,
        schema: &Value,
    ) -> Option<Self> {
        let mut table = root.as_object()?.clone();
        let mut touched = BTreeSet::new();
        let top = keys(schema, &[], root);
        for error in errors {
            let path = steps(&error);
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            match (error.kind(), path.as_slice()) {
                (ValidationErrorKind::AdditionalProperties { unexpected }, _) => {
                    if unexpected.len() > MOST {
                        return None;
                    }
                    for key in unexpected.iter().map(String::as_str) {
                        leave_out(&mut table, &[&path[..], &[key]].concat());
                        // It may be meant for a key of the top that it is near, or for a table that has it.
                        let tables = top.iter().filter(|table| keys(schema, &[table], root).contains(&key));
                        let meant = near(key, top.iter().copied()).into_iter().chain(tables.copied());
                        touched.extend(meant.map(str::to_owned));
                    }
                }
                (ValidationErrorKind::Required { property }, []) => {
                    touched.insert(property.as_str()?.to_owned());
                }
                (_, []) => return None,
                (_, path) => leave_out(&mut table, path),
            }
            touched.extend(path.first().map(|key| (*key).to_owned()));
        }
        // What no card may lack.
        let any = [("schema", json!(1)), ("name", json!("Any")), ("description", json!("any"))];
        let any = any.into_iter().chain([("type", json!(TaskType::ALL[0].as_str()))]);
        for (key, value) in any.filter(|(key, _)| touched.contains(*key)) {
            table.insert(key.to_owned(), value);
        }
        let card = serde_json::from_value(Value::Object(table)).ok()?;
        Some(Self { card, touched })
    }
}

/// Leaves out what `path` leads to: a key of the top with all that is in it, or an option.
fn leave_out(table: &mut Map<String, Value>, path: &[&str]) {
    match path {
        [OPTIONS, option, ..] => {
            if let Some(Value::Object(options)) = table.get_mut(OPTIONS) {
                options.remove(*option);
            }
        }
        [key, ..] => {
            table.remove(*key);
        }
        [] => {}
    }
}
