//! `mteb-host validate`: checks cards and registries, first by their schema, then by their meaning; with `--data` data.

use std::path::PathBuf;

use clap::Args;

use super::PlaceArgs;
use super::validate_data::validate_data;
use crate::exit::Exit;
use crate::output;
use crate::plugins::Catalog;
use crate::registry::{Validation, validate};

/// Arguments of `validate`.
#[derive(Args, Debug)]
pub struct ValidateArgs {
    /// Card, registry, folder of cards, or name of a registry; with `--data` also the name of a task.
    #[arg(required = true, value_name = "FILE|DIR|REGISTRY|TASK")]
    what: Vec<String>,
    /// Check the data: what is wrong for its task type, and what breaks with the table `quality` of its card.
    #[arg(long)]
    data: bool,
    #[command(flatten)]
    place: PlaceArgs,
    /// Print JSON on standard output.
    #[arg(long)]
    json: bool,
}

impl ValidateArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        if self.data {
            return validate_data(&self.what, self.place.settings(), self.json);
        }
        let catalog = Catalog::discover(&self.place.settings());
        let mut all = Validation::default();
        for what in &self.what {
            all.add(validate(what, PathBuf::from(what).is_dir(), &catalog));
        }
        if self.json {
            let exit =
                output::print_json(&serde_json::json!({ "checked": all.checked, "faults": all.faults }));
            return if all.faults.is_empty() { exit } else { Exit::Usage };
        }
        for fault in &all.faults {
            output::error(fault);
        }
        if all.faults.is_empty() {
            return output::print(&format!("{} checked, no fault", count(all.checked, "file")));
        }
        output::error(format!("{} in {}", count(all.faults.len(), "fault"), count(all.checked, "file")));
        Exit::Usage
    }
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
