//! The keys that a table of a card or registry may have, and what is said of others.

use mteb_base::suggest::{near, some};
use mteb_card::TaskType;
use mteb_tasks::facts;
use serde_json::Value;

/// The keys of the table that `path` leads to in the file whose content is `root`: of a card's protocol those that its
/// task type has.
pub fn keys<'a>(schema: &'a Value, path: &[&str], root: &Value) -> Vec<&'a str> {
    let Some(table) = path.iter().try_fold(schema, |at, step| step_into(schema, at, step)) else {
        return Vec::new();
    };
    let properties =
        properties(schema, table).and_then(|table| table.get("properties")).and_then(Value::as_object);
    let mut keys: Vec<&str> =
        properties.into_iter().flat_map(|table| table.keys()).map(String::as_str).collect();
    let named = root.get("type").and_then(Value::as_str);
    let task_type = named.and_then(TaskType::named);
    if let (["protocol"], Some(task_type)) = (path, task_type) {
        let fitting = facts(task_type).options;
        keys.retain(|key| fitting.contains(key));
    }
    keys
}

fn step_into<'a>(schema: &'a Value, at: &'a Value, step: &str) -> Option<&'a Value> {
    if let Some(items) = resolve(schema, at).get("items") {
        return Some(items);
    }
    let table = properties(schema, at)?;
    table.get("properties").and_then(|known| known.get(step)).or_else(|| table.get("additionalProperties"))
}

/// The schema of a table: where several are allowed, the one that has keys.
fn properties<'a>(schema: &'a Value, at: &'a Value) -> Option<&'a Value> {
    let at = resolve(schema, at);
    let has_keys = |at: &Value| at.get("properties").is_some() || at.get("additionalProperties").is_some();
    if has_keys(at) {
        return Some(at);
    }
    let branches = at.get("anyOf").or_else(|| at.get("oneOf")).and_then(Value::as_array)?;
    branches.iter().find_map(|branch| properties(schema, branch))
}

fn resolve<'a>(schema: &'a Value, at: &'a Value) -> &'a Value {
    let target = at.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix('#'));
    target.and_then(|pointer| schema.pointer(pointer)).unwrap_or(at)
}

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
