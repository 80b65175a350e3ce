//! The keys that a table of a card or registry may have.

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
    if let Some(items) = resolved(schema, at).get("items") {
        return Some(items);
    }
    let table = properties(schema, at)?;
    table.get("properties").and_then(|known| known.get(step)).or_else(|| table.get("additionalProperties"))
}

/// The schema of a table: where several are allowed, the one that has keys.
fn properties<'a>(schema: &'a Value, at: &'a Value) -> Option<&'a Value> {
    let at = resolved(schema, at);
    let has_keys = |at: &Value| at.get("properties").is_some() || at.get("additionalProperties").is_some();
    if has_keys(at) {
        return Some(at);
    }
    let branches = at.get("anyOf").or_else(|| at.get("oneOf")).and_then(Value::as_array)?;
    branches.iter().find_map(|branch| properties(schema, branch))
}

fn resolved<'a>(schema: &'a Value, at: &'a Value) -> &'a Value {
    let target = at.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix('#'));
    target.and_then(|pointer| schema.pointer(pointer)).unwrap_or(at)
}
