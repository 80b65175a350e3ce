//! A task pack with one sound task and several that misbehave.

#![allow(clippy::panic, reason = "misbehaving is what this plugin is for")]

use mteb_plugin_api::v1::{PluginError, Task, TaskPack};
use mteb_plugin_api::{Manifest, PluginKind, export_task_pack};

struct Pack;

struct FaultyTask {
    name: String,
}

impl TaskPack for Pack {
    fn task(&self, name: &str) -> Result<Box<dyn Task>, PluginError> {
        Ok(Box::new(FaultyTask { name: name.to_owned() }))
    }
}

impl Task for FaultyTask {
    fn card(&self) -> Result<String, PluginError> {
        Ok(format!(
            "schema = 1\nname = \"{}\"\ntype = \"STS\"\ndescription = \"For tests.\"\nlanguages = [\"ind-Latn\"]\n\
             [dataset]\nplugin = \"faulty-pack\"\n",
            self.name
        ))
    }

    fn rows(&self, _: &str, part: &str, _: &str) -> Result<String, PluginError> {
        if part != "rows" {
            return Err(PluginError::not_found(format!("no part {part}")));
        }
        let row = |left: &str, right: &str, score: &str| {
            format!("{{\"sentence1\": \"{left}\", \"sentence2\": \"{right}\", \"score\": {score}}}\n")
        };
        match self.name.as_str() {
            "PanickingTask" => panic!("no rows today"),
            "DyingTask" => std::process::abort(),
            "TornTask" => Ok(row("satu", "dua", "1") + "{\"sentence1\": \"tig"),
            "NarrowTask" => Ok("{\"sentence1\": \"satu\", \"score\": 1}\n".repeat(3)),
            "DamagedTask" => Ok(row("satu", "dua", "1") + &row("tiga", "empat", "\"lima\"")),
            _ => Ok(row("satu", "dua", "1") + &row("tiga", "empat lima", "4.5") + &row("a", "b c", "2")),
        }
    }

    fn score(&self, json: &str) -> Result<String, PluginError> {
        match self.name.as_str() {
            "PanickingTask" => panic!("no score today"),
            _ => Ok(format!("{{\"columns\": {json}}}")),
        }
    }

    fn call(&self, method: &str, json: &str) -> Result<String, PluginError> {
        match method {
            "echo" => Ok(json.to_owned()),
            _ => Err(PluginError::unsupported(method)),
        }
    }
}

export_task_pack! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::TaskPack,
        name: "faulty-pack".to_owned(),
        version: "1.0.0".to_owned(),
        features: Vec::new(),
        licence: "Apache-2.0".to_owned(),
        description: "Misbehaves on purpose.".to_owned(),
        models: Vec::new(),
        tasks: ["SoundTask", "DamagedTask", "DyingTask", "NarrowTask", "PanickingTask", "TornTask"].map(str::to_owned).to_vec(),
    },
    pack: Pack,
}
