//! `mteb-host new task-type`: a plugin with a type of task of its own.

use std::path::PathBuf;

use clap::Args;

use super::names::names;
use super::plugin_crate::{CrateArgs, PluginCrate, registry};
use super::template::rename;
use crate::exit::Exit;
use crate::output::usage;

const CODE: &str = include_str!("../../../templates/task-type/lib.rs");
const DECLARATION: &str = include_str!("../../../templates/task-type/type.toml");
const CARD: &str = include_str!("../../../templates/task-type/CapitalAnalogies.toml");
const ROWS: &str = include_str!("../../../templates/task-type/test.jsonl");

/// Arguments of `new task-type`.
#[derive(Args, Debug)]
pub struct TaskTypeArgs {
    /// Name of the task type, e.g. `Analogy`.
    name: String,
    /// Folder in which to create the crate.
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    #[command(flatten)]
    of_crate: CrateArgs,
}

impl TaskTypeArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Exit, Exit> {
        let given = names(&self.name).map_err(usage)?;
        let own = names(&given.pascal).map_err(usage)?;
        let (task, evaluator) = (format!("My{}", own.pascal), format!("{}Type", own.pascal));
        let code = |text: &str| {
            rename(
                text,
                &[
                    ("CapitalAnalogies", &task),
                    ("\"analogies\"", &format!("\"{}\"", own.kebab)),
                    ("Analogies", &evaluator),
                    ("type = \"Analogy\"", &format!("type = \"{}\"", own.pascal)),
                    ("struct Analogy ", "struct Row "),
                    ("Analogy {", "Row {"),
                    ("[Analogy]", "[Row]"),
                    ("<Analogy>", "<Row>"),
                    ("Apache-2.0", &self.of_crate.licence),
                ],
            )
        };
        PluginCrate {
            names: &own,
            about: "A task pack with its own task type: a separate workspace with three dependencies.",
            description: "A type of task: analogies, until you replace them.",
            dependencies: "serde = { version = \"1\", features = [\"derive\"] }\ntoml = \"1\"\n",
            run: format!("mteb-host run --plugin-dir plugins --registry {}.toml", own.kebab),
            notes: "\n`data/type.toml` declares columns, scores and options; `plan` in `src/lib.rs` says which texts are encoded, `score` computes the scores.\n",
            files: vec![
                ("src/lib.rs".to_owned(), code(CODE)),
                ("data/type.toml".to_owned(), DECLARATION.to_owned()),
                (format!("data/{task}.toml"), code(CARD)),
                ("data/test.jsonl".to_owned(), ROWS.to_owned()),
                registry(&own),
            ],
        }
        .write(&self.output, &self.of_crate)
    }
}
