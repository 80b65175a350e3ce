//! A task pack whose rows lack a column, whose card has a key that no card has, or that answers what it should not or does not
//! answer what it should, as `MTEB_PLUGIN_FAULT` says. With `search` it is sound: a search in which one document may not be found.

use mteb_plugin_api::v1::{PluginError, Task, TaskPack};
use mteb_plugin_api::{Manifest, PluginKind, export_task_pack};

struct Pack;

struct Narrow;

impl TaskPack for Pack {
    fn task(&self, _: &str) -> Result<Box<dyn Task>, PluginError> {
        Ok(Box::new(Narrow))
    }
}

impl Task for Narrow {
    fn card(&self) -> Result<String, PluginError> {
        let key = if fault() == "card" { "langages" } else { "languages" };
        let task_type = if fault() == "search" { "Retrieval" } else { "STS" };
        Ok(format!(
            "schema = 1\nname = \"Narrow\"\ntype = \"{task_type}\"\ndescription = \"For tests.\"\n{key} = [\"ind-Latn\"]\n\
             [dataset]\nplugin = \"narrow-pack\"\n"
        ))
    }

    fn rows(&self, _: &str, part: &str, _: &str) -> Result<String, PluginError> {
        if fault() == "search" {
            return search(part);
        }
        if part != "rows" {
            return Err(PluginError::not_found(format!("no part {part}")));
        }
        let column = if fault() == "column" { "sentence_2" } else { "sentence2" };
        let row =
            |score: u8| format!("{{\"sentence1\": \"satu\", \"{column}\": \"dua\", \"score\": {score}}}\n");
        Ok((1..4).map(row).collect())
    }

    fn score(&self, json: &str) -> Result<String, PluginError> {
        if fault() == "score" { Ok(json.to_owned()) } else { Err(PluginError::unsupported("score")) }
    }

    fn call(&self, method: &str, json: &str) -> Result<String, PluginError> {
        match fault().as_str() {
            "any-method" => Ok(json.to_owned()),
            "method" => Err(PluginError::unsupported(method)),
            _ if method == "echo" => Ok(json.to_owned()),
            _ => Err(PluginError::unsupported(method)),
        }
    }
}

/// The parts of a search for `satu`, whose nearest document may not be found.
fn search(part: &str) -> Result<String, PluginError> {
    let rows = match part {
        "corpus" => "{\"_id\": \"d1\", \"text\": \"satu\"}\n{\"_id\": \"d2\", \"text\": \"dua\"}\n",
        "queries" => "{\"_id\": \"q1\", \"text\": \"satu\"}\n",
        "qrels" => "{\"query-id\": \"q1\", \"corpus-id\": \"d2\", \"score\": 1}\n",
        "excluded" => "{\"query-id\": \"q1\", \"corpus-ids\": [\"d1\"]}\n",
        _ => return Err(PluginError::not_found(format!("no part {part}"))),
    };
    Ok(rows.to_owned())
}

fn fault() -> String {
    std::env::var("MTEB_PLUGIN_FAULT").unwrap_or_default()
}

export_task_pack! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::TaskPack,
        name: "narrow-pack".to_owned(),
        version: "1.0.0".to_owned(),
        features: vec!["echo".to_owned(), "env:NARROW_KEY=api.example.org".to_owned()],
        licence: "Apache-2.0".to_owned(),
        description: "Lacks a column.".to_owned(),
        models: Vec::new(),
        tasks: vec!["Narrow".to_owned()],
    },
    pack: Pack,
}
