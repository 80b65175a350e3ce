//! `mteb-host validate --data`: the gate of data.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::filter::FilterArgs;
use crate::exit::Exit;
use crate::output;
use crate::plugins::Catalog;
use crate::quality::{DataFault, Examination, examine};
use crate::registry::{Filter, Registries, Selected, TaskEntry, select};
use crate::report::quality_text;
use crate::settings::Settings;
use crate::source::{DataSources, SourceError};

/// Faults of one kind that are said of a task; JSON has them all.
const SHOWN: usize = 20;

/// Examines the data of what is named: registries, cards, folders of cards, tasks.
pub fn validate_data(names: &[String], settings: Settings, as_json: bool) -> Exit {
    let catalog = Catalog::discover(&settings);
    let tasks = match tasks(names, &catalog) {
        Ok(tasks) => tasks,
        Err(exit) => return exit,
    };
    let mut gate = Gate { sources: DataSources::new(settings, &catalog), exit: Exit::Done };
    let mut examined = Vec::new();
    for task in &tasks {
        if let Some(reason) = &task.entry.card.unsupported {
            output::warn(format!("{} is left out: {reason}", task.entry.card.name));
            continue;
        }
        examined.push((task.entry.card.name.clone(), gate.examine(task)));
    }
    let printed = if as_json {
        output::print_json(&as_value(&tasks, &examined))
    } else {
        output::print(&quality_text(&examined))
    };
    let faults: Vec<&DataFault> =
        examined.iter().flat_map(|(_, examinations)| examinations).flat_map(|one| &one.faults).collect();
    if !as_json {
        say(&faults, examined.len());
    }
    if !faults.is_empty() {
        gate.worse(Exit::Usage);
    }
    gate.worse(printed);
    gate.exit
}

struct Gate {
    sources: DataSources,
    exit: Exit,
}

impl Gate {
    /// Examines the subsets of a task. The splits of a subset are compared with each other, but for ranking tasks, whose
    /// splits may share a corpus.
    fn examine(&mut self, task: &Selected) -> Vec<Examination> {
        let card = &task.entry.card;
        let mut examinations = Vec::new();
        for subset in &task.subsets {
            let mut units = Vec::new();
            for (split, _) in task.units().filter(|(_, of)| of == subset) {
                match self.sources.unit(&task.entry, split, subset) {
                    Ok(unit) => units.push(unit),
                    Err(error) => {
                        self.fail(&format!("{}, split {split}, subset {subset}", card.name), &error)
                    }
                }
            }
            let at_once = if card.task_type.is_ranking() { 1 } else { units.len().max(1) };
            for units in units.chunks(at_once) {
                match examine(card, subset, units) {
                    Ok(examination) => examinations.push(examination),
                    Err(error) => self.fail(&format!("{}, subset {subset}", card.name), &error.into()),
                }
            }
        }
        examinations
    }

    /// Data that cannot be read is a fault of the data if it is there, else a failure that may pass.
    fn fail(&mut self, place: &str, error: &SourceError) {
        output::error(format!("{place}: {error}"));
        let is_fault = matches!(
            error,
            SourceError::Data(_)
                | SourceError::Transform(_)
                | SourceError::NoPath(_)
                | SourceError::Changed { .. }
        );
        self.worse(if is_fault { Exit::Usage } else { Exit::Failed });
    }

    fn worse(&mut self, exit: Exit) {
        if self.exit == Exit::Done {
            self.exit = exit;
        }
    }
}

/// The tasks that `names` stand for, each once. The name of a registry or task goes before a folder of the same name,
/// which can be named as `./NAME`.
fn tasks(names: &[String], catalog: &Catalog) -> Result<Vec<Selected>, Exit> {
    let mut all: Vec<Selected> = Vec::new();
    let known = FilterArgs::default().registries(catalog)?;
    for name in names {
        let found = match cards_of(name) {
            Some(cards) if !is_known(name, &known) => from_files(cards, catalog)?,
            _ => named(name, &known)?,
        };
        for task in found.iter().flat_map(Selected::with_data) {
            if !all.iter().any(|other| other.entry.card.name == task.entry.card.name) {
                all.push(task);
            }
        }
    }
    Ok(all)
}

fn is_known(name: &str, known: &Registries) -> bool {
    let has_task = |tasks: &[Arc<TaskEntry>]| tasks.iter().any(|task| task.card.name == name);
    known.loaded.iter().any(|loaded| loaded.registry.name == name || has_task(&loaded.tasks))
}

fn from_files(files: Vec<String>, catalog: &Catalog) -> Result<Vec<Selected>, Exit> {
    let filter = FilterArgs { registry: files, ..FilterArgs::default() };
    filter.registries(catalog).and_then(|registries| filter.select(&registries))
}

/// The tasks of the registry `name`, or the task `name`.
fn named(name: &str, known: &Registries) -> Result<Vec<Selected>, Exit> {
    let registry = known.loaded.iter().find(|loaded| loaded.registry.name == name);
    let (registries, tasks) = match registry {
        Some(registry) => (Registries { loaded: vec![registry.clone()], faults: Vec::new() }, Vec::new()),
        None => (known.clone(), vec![name.to_owned()]),
    };
    select(&registries, &Filter { tasks, ..Filter::default() }).map_err(|error| {
        output::error(error);
        Exit::Usage
    })
}

/// The cards of a folder in order, or the file; `None` if `name` is neither.
fn cards_of(name: &str) -> Option<Vec<String>> {
    if name.ends_with(".toml") || (name.contains('/') && !Path::new(name).is_dir()) {
        return Some(vec![name.to_owned()]);
    }
    let entries = fs::read_dir(name).ok()?;
    let mut cards: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    cards.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    cards.sort();
    Some(cards.into_iter().map(|path| path.to_string_lossy().into_owned()).collect())
}

fn as_value(tasks: &[Selected], examined: &[(String, Vec<Examination>)]) -> Value {
    let card = |name: &str| tasks.iter().map(|task| &task.entry.card).find(|card| card.name == name);
    let task = |(name, examinations): &(String, Vec<Examination>)| {
        json!({
            "task": name,
            "type": card(name).map(|card| card.task_type),
            "revision": card(name).map(|card| card.revision()),
            "examined": examinations,
        })
    };
    let faults: usize = examined.iter().flat_map(|(_, all)| all).map(|one| one.faults.len()).sum();
    json!({ "tasks": examined.iter().map(task).collect::<Vec<_>>(), "faults": faults })
}

/// Says the faults, of those of one kind in one task only the first ones.
fn say(faults: &[&DataFault], tasks: usize) {
    let of_kind =
        |fault: &DataFault, other: &DataFault| (&fault.task, fault.check) == (&other.task, other.check);
    for (index, fault) in faults.iter().enumerate() {
        let before = faults[..index].iter().filter(|other| of_kind(fault, other)).count();
        if before < SHOWN {
            output::error(fault);
        } else if !faults[index + 1..].iter().any(|other| of_kind(fault, other)) {
            let more = before + 1 - SHOWN;
            output::error(format!("{}: {more} more faults of {}; `--json` has all", fault.task, fault.check));
        }
    }
    if !faults.is_empty() {
        let (faults, tasks) = (output::count(faults.len(), "fault"), output::count(tasks, "task"));
        output::error(format!("{faults} in the data of {tasks}"));
    }
}
