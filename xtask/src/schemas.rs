//! The JSON Schemas under `registries/schemas`, made from the Rust types, and docs/fields.md, the page of
//! the fields of cards and registries.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use mteb_graded::judge::card_schema;
use mteb_plugin_api::schema;
use serde_json::{Map, Value};

use crate::command::root;

/// Writes every schema.
pub fn write() -> Result<ExitCode, String> {
    for (path, text) in files() {
        let folder = path.parent().unwrap_or(&path);
        let cannot = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
        fs::create_dir_all(folder).map_err(cannot)?;
        fs::write(&path, text).map_err(cannot)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Fails if a schema on the disk is not the one that the types give.
pub fn check() -> Result<(), String> {
    for (path, text) in files() {
        if fs::read_to_string(&path).unwrap_or_default() != text {
            return Err(format!("{} does not match the types; run `cargo xtask schemas`", path.display()));
        }
    }
    Ok(())
}

fn files() -> Vec<(PathBuf, String)> {
    let folder = root().join("registries").join("schemas");
    let file = |name: &str, schema: Value| (folder.join(name), format!("{schema:#}\n"));
    let (task, registry, model) = (schema::task_card(), schema::registry(), schema::model_card());
    let titles = [
        ("Task card", &task),
        ("Registry", &registry),
        ("Model card", &model),
        ("Plugin manifest", &schema::plugin_manifest()),
        ("Judge card", &card_schema()),
    ];
    vec![
        (root().join("docs/fields.md"), page(&titles)),
        file("task-card.json", task.clone()),
        file("registry.json", registry.clone()),
        file("plugin-manifest.json", schema::plugin_manifest()),
        file("model-info.json", schema::model_info()),
        file("model-card.json", model.clone()),
        file("judge-card.json", card_schema()),
        file("shard-plan.json", mteb_shards::schema()),
    ]
}

const HEAD: &str = "# Fields of cards and registries\n\nMade from the JSON Schemas by `cargo xtask schemas`; `mteb-host schema NAME` prints \
                    them.\n";

/// The page: a section for each schema (its title and itself), a table for each object in it.
fn page(schemas: &[(&str, &Value)]) -> String {
    let mut text = HEAD.to_owned();
    for (title, schema) in schemas {
        // Writing into a string cannot fail.
        let _ = write!(text, "\n## {title}\n");
        add_table(&mut text, schema);
        for (name, part) in schema["$defs"].as_object().into_iter().flatten() {
            if part["properties"].is_object() {
                let _ = write!(text, "\n### {title}: {name}\n");
                add_table(&mut text, part);
            }
        }
    }
    text
}

fn add_table(text: &mut String, object: &Value) {
    let empty = Map::new();
    if let Some(said) = object["description"].as_str() {
        let _ = write!(text, "\n{}\n", escape_cell(said));
    }
    let required: Vec<&str> =
        object["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    *text += "\n| field | type | meaning |\n|---|---|---|\n";
    for (name, field) in object["properties"].as_object().unwrap_or(&empty) {
        let mark = if required.contains(&name.as_str()) { " (required)" } else { "" };
        let meaning = field["description"].as_str().unwrap_or_default();
        let _ = writeln!(text, "| `{name}`{mark} | {} | {} |", kind(field), escape_cell(meaning));
    }
}

/// What a field holds, in a few words.
fn kind(field: &Value) -> String {
    if let Some(name) = field["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return name.to_owned();
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(kinds) = field[key].as_array() {
            let kinds: Vec<String> = kinds.iter().map(kind).filter(|kind| kind != "null").collect();
            return kinds.join(" or ");
        }
    }
    if let Some(values) = field["enum"].as_array() {
        let values: Vec<String> =
            values.iter().filter_map(Value::as_str).map(|value| format!("`{value}`")).collect();
        return values.join(", ");
    }
    let names: Vec<&str> = match &field["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => {
            names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect()
        }
        _ => Vec::new(),
    };
    match names.as_slice() {
        ["array"] => format!("list of {}", kind(&field["items"])),
        ["object"] if field["additionalProperties"].is_object() => {
            format!("table of {}", kind(&field["additionalProperties"]))
        }
        [] => "any value".to_owned(),
        names => names.join(" or ").replace("object", "table"),
    }
}

/// A text as one cell of a table.
fn escape_cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_object_of_a_schema_is_a_table_of_its_fields() {
        let schema = json!({
            "description": "A card.",
            "required": ["name"],
            "properties": {
                "name": {"type": "string", "description": "Its name,\none | word."},
                "tags": {"type": ["array", "null"], "items": {"type": "string"}},
                "data": {"anyOf": [{"$ref": "#/$defs/Data"}, {"type": "null"}]},
                "kind": {"enum": ["a", "b"]},
                "map": {"type": "object", "additionalProperties": {"type": "number"}}
            },
            "$defs": {"Data": {"properties": {"path": {}}}, "Word": {"type": "string"}}
        });
        let expected = "\n## Cards\n\nA card.\n\n| field | type | meaning |\n|---|---|---|\n\
                        | `name` (required) | string | Its name, one \\| word. |\n| `tags` | list of string |  |\n\
                        | `data` | Data |  |\n| `kind` | `a`, `b` |  |\n| `map` | table of number |  |\n\
                        \n### Cards: Data\n\n| field | type | meaning |\n|---|---|---|\n| `path` | any value |  |\n";
        assert_eq!(page(&[("Cards", &schema)]), HEAD.to_owned() + expected);
    }
}
