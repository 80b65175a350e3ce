//! Faults of the form in the words of this project: what is allowed at a place, and what was found there.

use serde_json::Value;

use super::form_check::{Expected, FormError};
use super::form_keys::keys;
use super::{Fault, Locator};
use crate::suggest::{hint, near, some};

/// Longest value that a message repeats.
const LONGEST: usize = 80;

/// Most unknown keys of one table that a message names.
const MOST: usize = 20;

/// The fault of `error` in the file whose content is `root`; `None` where another fault says it already.
pub fn form_fault(error: &FormError, root: &Value, schema: &Value, locator: &Locator) -> Option<Fault> {
    if let Expected::AnyOf(branches) = &error.expected
        && let Some(inner) = meant(branches, &error.path)
    {
        return form_fault(inner, root, schema, locator);
    }
    let path: Vec<&str> = error.path.iter().map(String::as_str).collect();
    let place = if path.is_empty() { String::new() } else { format!("{}: ", path.join(".")) };
    match &error.expected {
        Expected::KnownKeys(unexpected) => {
            let known = keys(schema, &path, root);
            let message = unknown_keys(unexpected, &known, |key| belongs(key, &path, root, schema));
            let path: Vec<&str> = path.into_iter().chain(unexpected.first().copied()).collect();
            Some(locator.fault_at_key(&path, format!("{place}{message}")))
        }
        Expected::Required(property) => {
            let known = keys(schema, &path, root);
            let found = error.found.as_object().into_iter().flat_map(|table| table.keys());
            let mut mistyped = found.filter(|key| !known.contains(&key.as_str()));
            if mistyped.any(|key| near(key, known.iter().copied()).first() == Some(property)) {
                return None;
            }
            Some(locator.fault(&path, format!("{place}expected the key `{property}`, found none")))
        }
        _ => Some(locator.fault(&path, format!("{place}{}", message(error)))),
    }
}

/// The first error of the one branch of several that the value at `path` is meant for: it is of a type that the branch
/// takes.
fn meant<'a, 'b>(branches: &'b [Vec<FormError<'a>>], path: &[String]) -> Option<&'b FormError<'a>> {
    let is_other = |error: &FormError| matches!(error.expected, Expected::Type(_)) && error.path == path;
    let mut branches = branches.iter().filter(|errors| !errors.iter().any(is_other));
    match (branches.next(), branches.next()) {
        (Some(branch), None) => branch.first(),
        _ => None,
    }
}

/// What is said of unknown keys: of many, only the first.
fn unknown_keys(keys: &[&str], known: &[&str], belongs: impl Fn(&str) -> Option<String>) -> String {
    let said = |key: &&str| match belongs(key) {
        Some(place) => format!("unknown key `{key}`, which belongs {place}"),
        None => unknown_key(key, known),
    };
    let mut said: Vec<String> = keys.iter().take(MOST).map(said).collect();
    let more = keys.len().saturating_sub(MOST);
    if more > 0 {
        said.push(format!("and {more} more"));
    }
    said.join("; ")
}

/// Where a key is known that is not so at `path`: at the top of the file, or in the one table of it that has such a key.
fn belongs(key: &str, path: &[&str], root: &Value, schema: &Value) -> Option<String> {
    let top = keys(schema, &[], root);
    if !path.is_empty() && top.contains(&key) {
        return Some("at the top of the file, before the first table".to_owned());
    }
    let has = |table: &&str| path != [*table] && keys(schema, &[table], root).contains(&key);
    let mut tables = top.iter().copied().filter(has);
    match (tables.next(), tables.next()) {
        (Some(table), None) => Some(format!("under `[{table}]`")),
        _ => None,
    }
}

fn unknown_key(key: &str, known: &[&str]) -> String {
    match near(key, known.iter().copied()).as_slice() {
        [] => format!("unknown key `{key}`; expected one of {}", some(known.iter().copied())),
        names => format!("unknown key `{key}` (near it: {})", names.join(", ")),
    }
}

fn message(error: &FormError) -> String {
    let found = shown(error.found);
    match &error.expected {
        Expected::Enum(options) => {
            let options: Vec<&str> = options.iter().filter_map(Value::as_str).collect();
            let near = hint(error.found.as_str().unwrap_or_default(), options.iter().copied(), "");
            format!("expected one of {}; found: {found}{near}", some(options))
        }
        Expected::OneOf(branches) if error.found.is_string() => {
            // Words of a list of which each has a description of its own.
            let word = |error: &FormError| match error.expected {
                Expected::Const(word) => word.as_str().map(str::to_owned),
                _ => None,
            };
            let words: Vec<String> = branches.iter().flatten().filter_map(word).collect();
            let words = || words.iter().map(String::as_str);
            let near = hint(error.found.as_str().unwrap_or_default(), words(), "");
            format!("expected one of {}; found: {found}{near}", some(words()))
        }
        Expected::Type(kinds) => {
            format!("expected {}, found {}: {found}", types(kinds), type_of(error.found))
        }
        Expected::AnyOf(branches) | Expected::OneOf(branches) => {
            let of_type = |error: &FormError| match &error.expected {
                Expected::Type(kinds) => Some(types(kinds)),
                _ => None,
            };
            let mut expected: Vec<String> = branches.iter().flatten().filter_map(of_type).collect();
            expected.retain(|types| !types.is_empty());
            expected.dedup();
            let expected = expected.join(" or ");
            format!("expected {expected}, found {}: {found}", type_of(error.found))
        }
        Expected::Minimum(limit) => format!("expected a number of at least {}, found: {found}", shown(limit)),
        Expected::Maximum(limit) => format!("expected a number of at most {}, found: {found}", shown(limit)),
        Expected::MinItems(limit) => {
            format!("expected at least {limit} in the list, found {}", items(error.found))
        }
        Expected::MaxItems(limit) => {
            format!("expected at most {limit} in the list, found {}", items(error.found))
        }
        Expected::Const(value) => format!("expected {}, found: {found}", shown(value)),
        Expected::OnlyOneOf => format!("expected a value of one form, found one of several: {found}"),
        Expected::Required(_) | Expected::KnownKeys(_) | Expected::Nothing => {
            format!("expected nothing, found: {found}")
        }
    }
}

fn items(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

/// A value as a message repeats it: long ones are cut.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}

/// The types of TOML that a schema names; that a key may be left out is no type.
fn types(kinds: &[&str]) -> String {
    let names = kinds.iter().filter_map(|kind| match *kind {
        "array" => Some("a list"),
        "boolean" => Some("`true` or `false`"),
        "integer" => Some("an integer"),
        "number" => Some("a number"),
        "object" => Some("a table"),
        "string" => Some("a text"),
        _ => None,
    });
    names.collect::<Vec<_>>().join(" or ")
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a truth value",
        Value::Number(number) if number.is_f64() => "a number",
        Value::Number(_) => "an integer",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a table",
    }
}
