//! `mteb-host show task`: the card of a task, or examples of its data.

use clap::Args;
use mteb_engine::registry::{Origin, Selected, TaskEntry};
use mteb_engine::source::{DataSources, SourceError};
use mteb_inspect::samples::{Sample, samples};
use mteb_report::output::{fields_grid, rows_grid};
use serde_json::{Value, json};

use super::discover::{discover, or_refused, say_refusals};
use super::filter::FilterArgs;
use super::format_args::FormatArgs;
use super::locks::check_locks;
use super::place_args::PlaceArgs;
use crate::exit::Exit;
use crate::output;

/// Arguments of `show task`.
#[derive(Args, Debug)]
pub struct TaskArgs {
    /// Name of the task, narrowed to subsets if some are named.
    #[arg(value_name = "NAME[:subset,subset]")]
    name: String,
    /// Registry by name, or a registry or card file [default: all known].
    #[arg(long, value_name = "NAME|FILE")]
    registry: Vec<String>,
    /// Show N examples of the data of each split and subset in place of the card.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    samples: Option<u64>,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl TaskArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let settings = self.place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let task = vec![self.name.clone()];
        let filter = FilterArgs { registry: self.registry.clone(), task, ..FilterArgs::default() };
        let selected = filter.registries(&catalog).and_then(|registries| filter.select(&registries));
        let exit = match (selected, self.samples) {
            (Err(exit), _) => exit,
            (Ok(selected), None) => selected.first().map_or(Exit::Usage, |task| self.card(&task.entry)),
            (Ok(selected), Some(count)) => {
                let mut sources = DataSources::new(settings, &catalog);
                self.examples(&selected, usize::try_from(count).unwrap_or(usize::MAX), &mut sources)
            }
        };
        or_refused(exit, &catalog)
    }

    fn card(&self, entry: &TaskEntry) -> Exit {
        let answer = || {
            let origin = match &entry.origin {
                Origin::Pack(pack) => json!({ "pack": pack }),
                Origin::File(path) => json!({ "file": path.to_string_lossy() }),
                Origin::Embedded(name) => json!({ "embedded": name }),
            };
            json!({ "card": &*entry.card, "registry": entry.registry, "origin": origin })
        };
        if let Some(exit) = self.format.print(answer, fields_grid) {
            return exit;
        }
        match toml::to_string_pretty(&*entry.card) {
            Ok(text) => output::print(&format!("# registry {}\n{}", entry.registry, text.trim_end())),
            Err(error) => {
                output::error(format!("the card cannot be written as TOML: {error}"));
                Exit::Failed
            }
        }
    }

    fn examples(&self, selected: &[Selected], count: usize, sources: &mut DataSources) -> Exit {
        if let Err(exit) = check_locks(selected, false) {
            return exit;
        }
        let (mut found, mut exit) = (Vec::new(), Exit::Done);
        for task in selected.iter().flat_map(Selected::with_data) {
            for (split, subset) in task.units() {
                match of_unit(&task.entry, split, subset, count, sources) {
                    Ok(samples) => found.push(json!({
                        "task": task.entry.card.name, "split": split, "subset": subset, "samples": samples,
                    })),
                    Err(error) => {
                        let name = &task.entry.card.name;
                        output::error(format!("{name}, split {split}, subset {subset}: {error}"));
                        exit = Exit::Failed;
                    }
                }
            }
        }
        let found = Value::Array(found);
        let printed = self
            .format
            .print(|| found.clone(), |found| rows_grid(&[], &rows(found)))
            .unwrap_or_else(|| output::print(&text(&found)));
        if exit == Exit::Done { printed } else { exit }
    }
}

fn of_unit(
    entry: &TaskEntry,
    split: &str,
    subset: &str,
    count: usize,
    sources: &mut DataSources,
) -> Result<Vec<Sample>, SourceError> {
    Ok(samples(&sources.unit(entry, split, subset)?, count)?)
}

/// A row an example, the columns of its data after the name of its unit.
fn rows(found: &Value) -> Value {
    let mut rows = Vec::new();
    for unit in found.as_array().into_iter().flatten() {
        for sample in unit["samples"].as_array().into_iter().flatten() {
            let mut row = json!({ "task": unit["task"], "split": unit["split"], "subset": unit["subset"] });
            for (name, value) in sample.as_object().into_iter().flatten() {
                row[name] = value.clone();
            }
            rows.push(row);
        }
    }
    rows.into()
}

/// A paragraph an example, a line a column.
fn text(found: &Value) -> String {
    let mut paragraphs = Vec::new();
    for unit in found.as_array().into_iter().flatten() {
        let named = |key: &str| unit[key].as_str().unwrap_or_default();
        paragraphs.push(format!("{}, split {}, subset {}", named("task"), named("split"), named("subset")));
        for sample in unit["samples"].as_array().into_iter().flatten() {
            let line = |(name, value): (&String, &Value)| match value {
                Value::String(text) => format!("  {name}: {text}"),
                other => format!("  {name}: {other}"),
            };
            let lines: Vec<String> = sample.as_object().into_iter().flatten().map(line).collect();
            paragraphs.push(lines.join("\n"));
        }
    }
    paragraphs.join("\n\n")
}
