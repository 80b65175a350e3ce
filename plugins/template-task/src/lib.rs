//! A task pack to start from: one task, its card and its rows in `data/`. Replace them with yours.

use mteb_plugin_api::v1::{PluginError, Task, TaskPack};
use mteb_plugin_api::{Manifest, export_task_pack};

struct TemplatePack;

struct TemplateTask;

impl TaskPack for TemplatePack {
    fn task(&self, name: &str) -> Result<Box<dyn Task>, PluginError> {
        match name {
            "TemplateSTS" => Ok(Box::new(TemplateTask)),
            _ => Err(PluginError::not_found(format!("this pack has no task `{name}`"))),
        }
    }
}

impl Task for TemplateTask {
    fn card(&self) -> Result<String, PluginError> {
        Ok(include_str!("../data/TemplateSTS.toml").to_owned())
    }

    fn rows(&self, _subset: &str, part: &str, split: &str) -> Result<String, PluginError> {
        match (part, split) {
            ("rows", "test") => Ok(include_str!("../data/test.jsonl").to_owned()),
            _ => {
                Err(PluginError::not_found(format!("expected part rows, split test; found {part}, {split}")))
            }
        }
    }
}

export_task_pack! {
    manifest: Manifest {
        licence: "Apache-2.0".to_owned(),
        description: env!("CARGO_PKG_DESCRIPTION").to_owned(),
        ..Manifest::task_pack("template-task", env!("CARGO_PKG_VERSION"), &["TemplateSTS"])
    },
    pack: TemplatePack,
}
