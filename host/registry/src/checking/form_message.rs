//! Faults of the form in the words of this project: what is allowed at a place, and what was found
//! there. A text without quotes is named, where the TOML parser would explain the form of numbers.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use mteb_base::suggest::{hint, near, some};
use mteb_card::{TaskType, declared_types};
use serde_json::Value;

use super::form_keys::{keys, unknown_keys};
use crate::{Fault, Locator};

/// Longest value that a message repeats.
const LONGEST: usize = 80;

/// Keys in whose values a key or a password may stand by mistake.
const SECRET: [&str; 2] = ["key_env", "url"];

/// Where a card says its type, which packs and cards add to.
const TYPE_OF_TASK: &str = "/type";

/// The form of names of measures of packs.
const OF_PACKS: &str = "`pack/measure` or `pack/measure(parameter=number)`";

/// What stands in the place of such a value.
const NOT_SHOWN: &str = "one that is not shown because it may hold a password or a key";

/// The faults of `error` in the file whose content is `root`; none where another fault says it already.
pub fn form_faults(error: &ValidationError, root: &Value, schema: &Value, locator: &Locator) -> Vec<Fault> {
    if let ValidationErrorKind::AnyOf { context } = error.kind()
        && let Some(inner) = meant(context, &error.instance_path().to_string())
    {
        return form_faults(inner, root, schema, locator);
    }
    let path = steps(error);
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let place = if path.is_empty() { String::new() } else { format!("{}: ", path.join(".")) };
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let fault = |(key, message): (&str, String)| {
                let path = [&path[..], &[key]].concat();
                locator.fault_at_key(&path, format!("{place}{message}"))
            };
            unknown_keys(unexpected, &path, root, schema).into_iter().map(fault).collect()
        }
        ValidationErrorKind::Required { property } => {
            let property = property.as_str().unwrap_or_default();
            let known = keys(schema, &path, root);
            let found = error.instance().as_object().into_iter().flat_map(|table| table.keys());
            let mut mistyped = found.filter(|key| !known.contains(&key.as_str()));
            if mistyped.any(|key| near(key, known.iter().copied()).first() == Some(&property)) {
                return Vec::new();
            }
            vec![locator.fault(&path, format!("{place}expected the key `{property}`, found none"))]
        }
        _ => vec![locator.fault(&path, format!("{place}{}", message(error)))],
    }
}

/// The keys and numbers that lead to the value that is at fault.
pub fn steps(error: &ValidationError) -> Vec<String> {
    let pointer = error.instance_path().to_string();
    pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
}

/// The first fault of the one branch of several that the value at `pointer` is meant for: it is of a type that the branch
/// takes.
fn meant<'a>(
    context: &'a [Vec<ValidationError<'static>>],
    pointer: &str,
) -> Option<&'a ValidationError<'static>> {
    let is_other = |error: &ValidationError| {
        matches!(error.kind(), ValidationErrorKind::Type { .. })
            && error.instance_path().to_string() == pointer
    };
    let mut branches = context.iter().filter(|errors| !errors.iter().any(is_other));
    match (branches.next(), branches.next()) {
        (Some(branch), None) => branch.first(),
        _ => None,
    }
}

fn message(error: &ValidationError) -> String {
    let is_secret = steps(error).iter().any(|step| SECRET.contains(&step.as_str()));
    let found = if is_secret { NOT_SHOWN.to_owned() } else { format_value(error.instance()) };
    match error.kind() {
        ValidationErrorKind::Enum { options } => {
            let mut options: Vec<&str> =
                options.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            if error.instance_path().to_string() == TYPE_OF_TASK && options.contains(&TaskType::Sts.as_str())
            {
                options.extend(declared_types().into_iter().map(|declared| declared.name));
            }
            let near = hint(error.instance().as_str().unwrap_or_default(), options.iter().copied(), "");
            format!("expected one of {}; found: {found}{near}", some(options))
        }
        ValidationErrorKind::OneOfNotValid { context } if error.instance().is_string() => {
            // Words of a list of which each has a description of its own.
            let word = |error: &'_ ValidationError<'static>| match error.kind() {
                ValidationErrorKind::Constant { expected_value } => {
                    expected_value.as_str().map(str::to_owned)
                }
                _ => None,
            };
            let words: Vec<String> = context.iter().flatten().filter_map(word).collect();
            let words = || words.iter().map(String::as_str);
            let near = hint(error.instance().as_str().unwrap_or_default(), words(), "");
            format!("expected one of {}; found: {found}{near}", some(words()))
        }
        ValidationErrorKind::AnyOf { context } if let Some(words) = words_beside_a_form(context) => {
            let near = hint(error.instance().as_str().unwrap_or_default(), words.iter().copied(), "");
            format!("expected one of {}, or {OF_PACKS}; found: {found}{near}", some(words))
        }
        ValidationErrorKind::Type { kind } => {
            format!("expected {}, found {}: {found}", types(&[kind]), type_of(error.instance()))
        }
        ValidationErrorKind::AnyOf { context } => {
            let of_type = |error: &'_ ValidationError<'static>| match error.kind() {
                ValidationErrorKind::Type { kind } => Some(types(&[kind])),
                _ => None,
            };
            let mut expected: Vec<String> = context.iter().flatten().filter_map(of_type).collect();
            expected.retain(|types| !types.is_empty());
            expected.dedup();
            let expected = expected.join(" or ");
            format!("expected {expected}, found {}: {found}", type_of(error.instance()))
        }
        ValidationErrorKind::Minimum { limit } => {
            format!("expected a number of at least {}, found: {found}", format_value(limit))
        }
        ValidationErrorKind::Maximum { limit } => {
            format!("expected a number of at most {}, found: {found}", format_value(limit))
        }
        ValidationErrorKind::MinItems { limit } => {
            format!("expected at least {limit} in the list, found {}", items(error.instance()))
        }
        ValidationErrorKind::MaxItems { limit } => {
            format!("expected at most {limit} in the list, found {}", items(error.instance()))
        }
        _ => error.to_string(),
    }
}

/// The words that may stand where else a name of a form of its own stands.
fn words_beside_a_form<'a>(context: &'a [Vec<ValidationError<'static>>]) -> Option<Vec<&'a str>> {
    let errors = || context.iter().flatten().map(ValidationError::kind);
    errors().find(|kind| matches!(kind, ValidationErrorKind::Pattern { .. }))?;
    errors().find_map(|kind| match kind {
        ValidationErrorKind::Enum { options } => {
            Some(options.as_array().into_iter().flatten().filter_map(Value::as_str).collect())
        }
        _ => None,
    })
}

fn items(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

/// A value as a message repeats it: long ones are cut, and what stands before an `@` may be a password.
fn format_value(value: &Value) -> String {
    let text = value.to_string();
    if text.contains('@') {
        return NOT_SHOWN.to_owned();
    }
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}

/// The types of TOML that a schema names; that a key may be left out is no type.
fn types(kinds: &[&TypeKind]) -> String {
    let all = kinds.iter().flat_map(|kind| match kind {
        TypeKind::Single(kind) => vec![*kind],
        TypeKind::Multiple(kinds) => kinds.iter().collect(),
    });
    let names = all.filter_map(|kind| match kind {
        JsonType::Array => Some("a list"),
        JsonType::Boolean => Some("`true` or `false`"),
        JsonType::Integer => Some("an integer"),
        JsonType::Number => Some("a number"),
        JsonType::Object => Some("a table"),
        JsonType::String => Some("a string"),
        JsonType::Null => None,
    });
    names.collect::<Vec<_>>().join(" or ")
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a number",
        Value::Number(_) => "an integer",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a table",
    }
}

/// What is said of the word at the byte `at` of `text`, where a value without quotes begins or goes on; `None` if none does.
pub fn without_quotes(text: &str, at: usize) -> Option<String> {
    let at = text.floor_char_boundary(at);
    let begin = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[begin..].lines().next()?;
    let column = at - begin;
    let value = line.get(..column)?.rfind(['=', ',', '[', '{'])? + 1;
    let rest = line[value..].trim_start();
    let offset = line.len() - rest.len();
    let word = rest.split([',', ']', '}', '#', '=', '"', '\'']).next()?.trim_end();
    let is_at = (offset..=offset + word.len()).contains(&column);
    let is_key = rest[word.len()..].trim_start().starts_with('=');
    if !is_at
        || is_key
        || !word.starts_with(char::is_alphabetic)
        || matches!(word, "true" | "false" | "inf" | "nan")
    {
        return None;
    }
    // A password or a key may stand there by mistake.
    let is_secret = ["url", "key_env"].iter().any(|key| line.trim_start().starts_with(key));
    if is_secret || word.contains('@') {
        return Some("expected a string in quotes, found one without; it is not shown here".to_owned());
    }
    Some(match word.to_lowercase().as_str() {
        small @ ("true" | "false") => format!("expected `{small}` in small letters, found: {word}"),
        _ => format!("expected a string in quotes, `\"{word}\"`, found one without: {word}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Option<String> {
        let error = toml::from_str::<toml::Table>(text).unwrap_err();
        without_quotes(text, error.span().unwrap().start)
    }

    #[test]
    fn a_password_or_key_without_quotes_is_not_shown() {
        for text in ["url = https", "a = me:hunter2@host", "key_env = hunter2"] {
            let said = said(text).unwrap();
            assert!(said.ends_with("it is not shown here"), "{text}: {said}");
        }
    }

    #[test]
    fn a_word_without_quotes_is_shown_with_them() {
        for text in [
            "a = 1\nlanguages = ind-Latn # a\nb = 2",
            "languages = [ind-Latn]",
            "a = { languages = ind-Latn }",
        ] {
            let found = said(text).unwrap();
            assert_eq!(
                found, "expected a string in quotes, `\"ind-Latn\"`, found one without: ind-Latn",
                "{text}"
            );
        }
        assert_eq!(said("a = False").unwrap(), "expected `false` in small letters, found: False");
    }

    #[test]
    fn other_faults_are_none_of_quotes() {
        for text in [
            "a = 1\na = 2",
            "a = \"b",
            "a b = 1",
            "a = 1.2.3",
            "a = [1 2]",
            "a = true b = 2",
            "a = [\n1\nb = 2",
        ] {
            assert_eq!(said(text), None, "{text}");
        }
    }
}
