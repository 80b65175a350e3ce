//! The JSON Schemas under `registries/schemas`, made from the Rust types, and the page of their fields.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use mteb_graded::judge::card_schema;
use mteb_plugin_api::schema;
use serde_json::Value;

use crate::command::root;
use crate::fields;

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
        (root().join("docs/fields.md"), fields::page(&titles)),
        file("task-card.json", task.clone()),
        file("registry.json", registry.clone()),
        file("plugin-manifest.json", schema::plugin_manifest()),
        file("model-info.json", schema::model_info()),
        file("model-card.json", model.clone()),
        file("judge-card.json", card_schema()),
        file("shard-plan.json", mteb_shards::schema()),
    ]
}
