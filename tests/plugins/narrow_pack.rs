//! A task pack whose rows lack a column, or whose card has a key that no card has, as `MTEB_PLUGIN_FAULT` says.

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
        Ok(format!(
            "schema = 1\nname = \"Narrow\"\ntype = \"STS\"\ndescription = \"For tests.\"\n{key} = [\"ind-Latn\"]\n\
             [dataset]\nplugin = \"narrow-pack\"\n"
        ))
    }

    fn rows(&self, _: &str, part: &str, _: &str) -> Result<String, PluginError> {
        if part != "rows" {
            return Err(PluginError::not_found(format!("no part {part}")));
        }
        let column = if fault() == "column" { "sentence_2" } else { "sentence2" };
        let row =
            |score: u8| format!("{{\"sentence1\": \"satu\", \"{column}\": \"dua\", \"score\": {score}}}\n");
        Ok((1..4).map(row).collect())
    }
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
        features: Vec::new(),
        licence: "Apache-2.0".to_owned(),
        description: "Lacks a column.".to_owned(),
        models: Vec::new(),
        tasks: vec!["Narrow".to_owned()],
    },
    pack: Pack,
}
