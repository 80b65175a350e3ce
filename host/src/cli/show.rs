//! `mteb-host show task`: everything about one task.

use clap::{Args, Subcommand};
use serde_json::json;

use super::PlaceArgs;
use super::filter::FilterArgs;
use crate::exit::Exit;
use crate::output;
use crate::plugins::Catalog;
use crate::registry::{Origin, TaskEntry};

/// Arguments of `show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show a task's card.
    Task(TaskArgs),
}

#[derive(Args, Debug)]
struct TaskArgs {
    /// Name of the task.
    name: String,
    /// Registry by name, or a registry or card file [default: all known].
    #[arg(long, value_name = "NAME|FILE")]
    registry: Vec<String>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Print JSON on standard output.
    #[arg(long)]
    json: bool,
}

impl ShowArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let What::Task(args) = self.what;
        args.show()
    }
}

impl TaskArgs {
    fn show(&self) -> Exit {
        let catalog = Catalog::discover(&self.place.settings());
        let task = vec![self.name.clone()];
        let filter = FilterArgs { registry: self.registry.clone(), task, ..FilterArgs::default() };
        let selected = filter.registries(&catalog).and_then(|registries| filter.select(&registries));
        match selected {
            Ok(selected) => match selected.first() {
                Some(task) => self.print(&task.entry),
                None => Exit::Usage,
            },
            Err(exit) => exit,
        }
    }

    fn print(&self, entry: &TaskEntry) -> Exit {
        if self.json {
            let origin = match &entry.origin {
                Origin::Pack(pack) => json!({ "pack": pack }),
                Origin::File(path) => json!({ "file": path }),
                Origin::Embedded(name) => json!({ "embedded": name }),
            };
            return output::print_json(
                &json!({ "card": &*entry.card, "registry": entry.registry, "origin": origin }),
            );
        }
        match toml::to_string_pretty(&*entry.card) {
            Ok(text) => output::print(&format!("# registry {}\n{}", entry.registry, text.trim_end())),
            Err(error) => {
                output::error(format!("the card cannot be written as TOML: {error}"));
                Exit::Failed
            }
        }
    }
}
