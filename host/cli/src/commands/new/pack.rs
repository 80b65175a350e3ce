//! `mteb-host new pack`: a plugin that brings tasks with their rows.

use std::path::PathBuf;

use clap::Args;

use super::names::names;
use super::plugin_crate::{CrateArgs, PluginCrate, registry};
use super::template::rename;
use crate::exit::Exit;
use crate::output::usage;

const CODE: &str = include_str!("../../../templates/pack/lib.rs");
const CARD: &str = include_str!("../../../templates/pack/TemplateSTS.toml");
const ROWS: &str = include_str!("../../../templates/pack/test.jsonl");

/// Arguments of `new pack`.
#[derive(Args, Debug)]
pub struct PackArgs {
    /// Name of the task pack, e.g. `my-tasks`.
    name: String,
    /// Name of its first task [default: from the pack's name].
    #[arg(long, value_name = "NAME")]
    task: Option<String>,
    /// Folder in which to create the crate.
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    #[command(flatten)]
    of_crate: CrateArgs,
}

impl PackArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Exit, Exit> {
        let pack = names(&self.name).map_err(usage)?;
        let task = names(&self.task.unwrap_or_else(|| format!("{}STS", pack.pascal))).map_err(usage)?;
        let code = |text: &str| {
            rename(
                text,
                &[
                    ("TemplateSTS", &task.given),
                    ("template-task", &pack.kebab),
                    ("TemplatePack", &format!("{}Pack", pack.pascal)),
                    ("TemplateTask", &format!("{}Task", pack.pascal)),
                    ("Apache-2.0", &self.of_crate.licence),
                    ("//! A task pack to start from: one task,", "//! A task pack: one task,"),
                ],
            )
        };
        PluginCrate {
            names: &pack,
            about: "A task pack: a separate workspace with one dependency.",
            description: "A pack with one task of sample rows: replace them with yours.",
            dependencies: "",
            run: format!("mteb-host run --plugin-dir plugins --registry {}.toml", pack.kebab),
            notes: "\nTo add a task, add a card and its rows under `data/`, an arm in `task`, and its name in \
                    `tasks` of the manifest.\n",
            files: vec![
                ("src/lib.rs".to_owned(), code(CODE)),
                (format!("data/{}.toml", task.given), code(CARD)),
                ("data/test.jsonl".to_owned(), ROWS.to_owned()),
                registry(&pack),
            ],
        }
        .write(&self.output, &self.of_crate)
    }
}
