//! A task pack in its second edition: the data of one task was written anew, another has a new main score, the third is as it
//! was, the fourth is new. The first edition is still there.

use mteb_plugin_api::v1::{PluginError, Task, TaskPack};
use mteb_plugin_api::{Manifest, PluginKind, export_task_pack, name_and_edition};

struct Pack;

struct EditionTask {
    name: String,
    is_first: bool,
}

impl TaskPack for Pack {
    fn task(&self, name: &str) -> Result<Box<dyn Task>, PluginError> {
        let (task, edition) = name_and_edition(name);
        Ok(Box::new(EditionTask { name: task.to_owned(), is_first: edition == Some("1") }))
    }
}

impl Task for EditionTask {
    fn card(&self) -> Result<String, PluginError> {
        let name = &self.name;
        let revision = if name == "Rewritten" && !self.is_first { "2" } else { "1" };
        let score =
            if name == "Rescored" && !self.is_first { "main_score = \"cosine_pearson\"\n" } else { "" };
        Ok(format!(
            "schema = 1\nname = \"{name}\"\ntype = \"STS\"\n{score}description = \"For tests.\"\nlanguages = [\"ind-Latn\"]\n\
             [dataset]\nplugin = \"two-editions\"\nrevision = \"{revision}\"\n"
        ))
    }

    fn rows(&self, _: &str, part: &str, _: &str) -> Result<String, PluginError> {
        if part != "rows" {
            return Err(PluginError::not_found(format!("no part {part}")));
        }
        let third = if self.name == "Rewritten" && !self.is_first { "tujuh delapan" } else { "lima" };
        let row = |left: &str, right: &str, score: f64| {
            format!("{{\"sentence1\": \"{left}\", \"sentence2\": \"{right}\", \"score\": {score}}}\n")
        };
        Ok(row("satu", "dua satu", 4.0) + &row("tiga", "empat tiga", 2.5) + &row("lima enam", third, 1.0))
    }
}

export_task_pack! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::TaskPack,
        name: "two-editions".to_owned(),
        version: "2.0.0".to_owned(),
        features: Vec::new(),
        licence: "Apache-2.0".to_owned(),
        description: "Has an earlier edition.".to_owned(),
        models: Vec::new(),
        tasks: ["Fresh", "Kept", "Rescored", "Rewritten", "Kept@1", "Rescored@1", "Rewritten@1"].map(str::to_owned).to_vec(),
    },
    pack: Pack,
}
