//! What is said of keys that a table of a card or registry does not have.

use mteb_base::suggest::{near, some};
use serde_json::Value;

use super::form_keys::keys;

/// Most unknown keys of one table that are named.
const MOST: usize = 20;

/// Words of other files, and how the same is called where that word is none.
const OTHERWISE: [(&str, &str); 2] = [("description", "title"), ("title", "description")];

/// What is said of each of the unknown keys of the table at `path`: of many, only of the first.
pub fn unknown_keys<'a>(
    unknown: &'a [String],
    path: &[&str],
    root: &Value,
    schema: &Value,
) -> Vec<(&'a str, String)> {
    let said = |key: &'a String| (key.as_str(), unknown_key(key, path, root, schema));
    let mut all: Vec<(&str, String)> = unknown.iter().take(MOST).map(said).collect();
    if let (more @ 1.., Some((_, last))) = (unknown.len().saturating_sub(MOST), all.last_mut()) {
        last.push_str(&format!("; and {more} more"));
    }
    all
}

/// First where the very key belongs, then what is near it: here, then in other tables.
fn unknown_key(key: &str, path: &[&str], root: &Value, schema: &Value) -> String {
    let known = keys(schema, path, root);
    let elsewhere = elsewhere(path, root, schema);
    let mut places = elsewhere.iter().filter(|(found, _)| *found == key);
    match (places.next(), places.next()) {
        (Some((_, place)), None) => return format!("unknown key `{key}`, which belongs {place}"),
        (None, _) if keys(schema, &["protocol"], &Value::Null).contains(&key) && path != ["protocol"] => {
            let task_type = root.get("type").and_then(Value::as_str).unwrap_or("this one");
            return format!(
                "unknown key `{key}`; it is an option under `[protocol]`, which tasks of type {task_type} do not have"
            );
        }
        _ => {}
    }
    let names = near(key, known.iter().copied());
    if !names.is_empty() {
        return format!("unknown key `{key}` (near it: {})", names.join(", "));
    }
    if let Some((_, here)) = OTHERWISE.iter().find(|(other, here)| *other == key && known.contains(here)) {
        return format!("unknown key `{key}`; here it is called `{here}`");
    }
    let meant = near(key, elsewhere.iter().map(|(found, _)| *found));
    let mut places = elsewhere.iter().filter(|(found, _)| meant.first() == Some(found));
    match (places.next(), places.next()) {
        (Some((found, place)), None) => {
            format!("unknown key `{key}` (near it: {found}, which belongs {place})")
        }
        _ => format!("unknown key `{key}`; expected one of {}", some(known.iter().copied())),
    }
}

/// The keys of the other tables, and those at the top of the file, each with its place; the top goes before tables.
fn elsewhere<'a>(path: &[&str], root: &Value, schema: &'a Value) -> Vec<(&'a str, String)> {
    let top = keys(schema, &[], root);
    let mut found = Vec::new();
    for table in top.iter().filter(|table| path != [**table]) {
        let of_table = keys(schema, &[table], root).into_iter();
        let of_table = of_table.filter(|key| path.is_empty() || !top.contains(key));
        found.extend(of_table.map(|key| (key, format!("under `[{table}]`"))));
    }
    if !path.is_empty() {
        let place = "at the top of the file, before the first table";
        found.extend(top.iter().map(|key| (*key, place.to_owned())));
    }
    found
}
