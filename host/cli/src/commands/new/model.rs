//! `mteb-host new model`: a Python file or a plugin in Rust.

use std::path::PathBuf;

use clap::Args;

use super::names::{Names, read_name};
use super::plugin::{CrateArgs, PluginCrate};
use super::template::{Files, check_printed, fill, rename};
use crate::exit::Exit;
use crate::output::{self, usage};

const PYTHON: &str = include_str!("../../../templates/model/model.py");
const RUST: &str = include_str!("../../../templates/model/lib.rs");

/// Arguments of `new model`.
#[derive(Args, Debug)]
pub struct ModelArgs {
    /// Name of the model, e.g. `my-model` or `organisation/my-model`.
    name: String,
    /// Create a plugin in Rust instead of a Python file.
    #[arg(long)]
    rust: bool,
    /// Folder in which to create the file or crate.
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    #[command(flatten)]
    of_crate: CrateArgs,
}

impl ModelArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Exit, Exit> {
        let (organisation, name) = self.name.split_once('/').unwrap_or(("local", &self.name));
        let names = read_name(name).map_err(usage)?;
        super::names::read_name(organisation).map_err(usage)?;
        if self.rust { self.rust(organisation, &names) } else { self.python(organisation, &names) }
    }

    fn python(&self, organisation: &str, names: &Names) -> Result<Exit, Exit> {
        let values = [
            ("name", self.name.as_str()),
            ("organisation", organisation),
            ("kebab", &names.kebab),
            ("pascal", &names.pascal),
        ];
        let file = format!("{}.py", names.snake);
        let mut files = Files::default();
        files.add(&file, fill(PYTHON, &values));
        files.write(&self.output)?;
        let path = self.output.join(&file);
        check_printed(output::print(&format!(
            "score it: mteb-host run --registry indonesia --model python:{}:{}",
            path.strip_prefix(".").unwrap_or(&path).display(),
            names.pascal
        )))?;
        Ok(Exit::Done)
    }

    fn rust(&self, organisation: &str, names: &Names) -> Result<Exit, Exit> {
        let full = format!("{organisation}/{}", names.kebab);
        let code = rename(
            RUST,
            &[
                ("template/letter-counts", &full),
                ("template-model", &names.kebab),
                ("letter-counts", &names.kebab),
                ("LetterCounts", &names.pascal),
                ("Apache-2.0", &self.of_crate.licence),
                (
                    "//! A model plugin to start from: it counts letters.",
                    "//! A model plugin: it counts letters.",
                ),
            ],
        );
        PluginCrate {
            names,
            about: "A model plugin: a separate workspace with one dependency.",
            description: "Counts letters: replace it with your model.",
            dependencies: "",
            run: format!("mteb-host run --plugin-dir plugins --model {} --registry indonesia", names.kebab),
            notes: "",
            files: vec![("src/lib.rs".to_owned(), code)],
        }
        .write(&self.output, &self.of_crate)
    }
}
