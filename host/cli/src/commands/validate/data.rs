//! `mteb-host validate --data`: the gate of data.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use mteb_card::TaskCard;
use mteb_engine::Observer;
use mteb_inspect::quality::{CHECK, DataFault, Examination, examine};
use mteb_models::model::Listener;
use mteb_registry::{Registries, Selected, TaskEntry, cards_below};
use mteb_report::grid::Grid;
use mteb_report::output::rows_grid;
use mteb_source::{About, DataSources, Note, SourceError};
use mteb_tasks::Unit;
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;
use serde_json::{Value, json};

use crate::commands::arguments::{FilterArgs, FormatArgs};
use crate::commands::contamination::{Contamination, Evaluated};
use crate::commands::discover::discover;
use crate::exit::Exit;
use crate::output;
use crate::view::say_failed;
use crate::view::{Progress, notes_of_task, quality_text};

/// Faults of one kind that are said of a task; JSON has them all.
const SHOWN: usize = 20;

/// Examines the data of what is named, registries, cards, folders of cards or tasks, as far as `filter` asks for it; looks for its texts
/// in the datasets of the hub cache, if `is_compared`.
pub fn validate_data(
    names: &[String],
    filter: &FilterArgs,
    settings: Settings,
    (format, is_compared): (FormatArgs, bool),
) -> Exit {
    let catalog = discover(&settings);
    let tasks = match tasks(names, filter, &catalog) {
        Ok(tasks) => tasks,
        Err(exit) => return exit,
    };
    let progress = Progress::new(!format.is_for_people(), false);
    let hub_cache = settings.hub_access().cache;
    let sources = DataSources::new(settings, &catalog).with_report(progress.downloads());
    let evaluated = is_compared.then(Evaluated::default);
    let mut gate = Gate { sources, exit: Exit::Done, said: HashSet::new(), evaluated };
    let mut examined = Vec::new();
    progress.begin_run(tasks.iter().map(|task| task.units().count()).sum());
    for task in &tasks {
        let name = &task.entry.card.name;
        progress.begin_task(name);
        match &task.entry.card.unsupported {
            Some(reason) => progress.say(&format!("warning: {name} is left out: {reason}")),
            None => examined.push((name.clone(), gate.examine(task))),
        }
        task.units().for_each(|_| progress.unit_done());
    }
    progress.end_run();
    let compared = gate.evaluated.take().map(|evaluated| evaluated.compare(&hub_cache));
    let answer = || {
        let mut answer = as_value(&tasks, &examined);
        if let Some((found, datasets)) = &compared {
            answer["contamination"] = found.iter().map(Contamination::value).collect();
            answer["compared_datasets"] = (*datasets).into();
        }
        answer
    };
    let printed =
        format.print(answer, faults_grid).unwrap_or_else(|| output::print(&quality_text(&examined)));
    let faults: Vec<&DataFault> =
        examined.iter().flat_map(|(_, examinations)| examinations).flat_map(|one| &one.faults).collect();
    if !format.has_all() {
        for (task, examinations) in &examined {
            notes_of_task(task, examinations.iter().flat_map(notes)).iter().for_each(output::warn);
        }
    }
    if format.is_for_people() {
        if let Some((found, datasets)) = &compared {
            found.iter().for_each(|one| output::warn(one.line()));
            let datasets = output::count(*datasets, "dataset");
            output::say(format!("evaluation texts compared with {datasets} in {}", hub_cache.display()));
        }
        say(&faults, examined.len());
    }
    gate.sources.take_lock_warnings().iter().for_each(output::warn);
    if !faults.is_empty() {
        gate.note_exit(Exit::Failed);
    }
    gate.note_exit(printed);
    gate.exit
}

struct Gate {
    sources: DataSources,
    exit: Exit,
    /// What was said of a task, which is said once.
    said: HashSet<(String, String)>,
    /// The texts that were examined, if they are looked for elsewhere.
    evaluated: Option<Evaluated>,
}

impl Gate {
    /// Examines the subsets of a task. The splits of a subset are compared with each other, but for ranking tasks, whose
    /// splits may share a corpus.
    fn examine(&mut self, task: &Selected) -> Vec<Examination> {
        let card = &task.entry.card;
        let (mut examinations, mut failed) = (Vec::new(), Vec::new());
        for subset in &task.subset_names() {
            let mut units = Vec::new();
            for (split, _) in task.units().filter(|(_, of)| of == subset) {
                let mut unit = self.sources.read_whole(&task.entry, split, subset);
                if let Err(error @ SourceError::Changed { .. }) = &unit
                    && card.dataset.is_own()
                {
                    // What a run refuses is said, and the rows as they are now are examined nevertheless.
                    examinations.extend(examine_unread(card, (split, subset), error, &mut failed));
                    unit = self.sources.read_whole_despite_lock(&task.entry, split, subset);
                }
                let notes = self.sources.take_notes();
                match unit {
                    Ok(unit) => {
                        if let Some(evaluated) = &mut self.evaluated {
                            evaluated.add(card, &unit);
                        }
                        let of_folder = self.sources.take_folder_notes().into_iter().map(Note::of_folder);
                        units.push((unit, of_folder.chain(notes).collect()));
                    }
                    Err(error) => {
                        examinations.extend(examine_unread(card, (split, subset), &error, &mut failed))
                    }
                }
            }
            let at_once = if card.task_type.is_ranking() { 1 } else { units.len().max(1) };
            while !units.is_empty() {
                let rest = units.split_off(at_once.min(units.len()));
                let (examined, notes): (Vec<_>, Vec<_>) =
                    std::mem::replace(&mut units, rest).into_iter().unzip();
                match examine(card, subset, &examined) {
                    Ok(mut examination) => {
                        let is_said = |note: &Note| note.about == About::Training;
                        if notes.iter().flatten().any(is_said) {
                            let overlap = std::mem::take(&mut examination.overlap);
                            examination.notes.retain(|note| !overlap.contains(note));
                        }
                        let of_unit = |(unit, notes): (&Unit, Vec<Note>)| {
                            let place = format!("split {}, subset {subset}", unit.split);
                            notes.into_iter().map(move |note| format!("{place}: {}", note.text))
                        };
                        let notes: Vec<String> = examined.iter().zip(notes).flat_map(of_unit).collect();
                        examination.notes.splice(0..0, notes);
                        examinations.push(examination);
                    }
                    Err(error) => {
                        let split = &examined[0].split;
                        examinations.extend(examine_unread(
                            card,
                            (split, subset),
                            &error.into(),
                            &mut failed,
                        ));
                    }
                }
            }
        }
        for examination in &mut examinations {
            let task = &card.name;
            examination.faults.retain(|fault| {
                fault.check != CHECK || self.said.insert((task.clone(), fault.message.clone()))
            });
        }
        self.note_exit(say_failed(&card.name, &failed));
        examinations
    }

    fn note_exit(&mut self, exit: Exit) {
        if self.exit == Exit::Done {
            self.exit = exit;
        }
    }
}

/// Data that cannot be read is at fault if it is there, else a failure that may pass, which is added to `failed` as split, subset and
/// reason.
fn examine_unread(
    card: &TaskCard,
    (split, subset): (&str, &str),
    error: &SourceError,
    failed: &mut Vec<(String, String, String)>,
) -> Option<Examination> {
    let is_fault = matches!(
        error,
        SourceError::Data(_)
            | SourceError::Transform(_)
            | SourceError::NoPath(_)
            | SourceError::Card(_)
            | SourceError::Changed { .. }
    );
    if is_fault {
        return Some(Examination::unread(card, split, subset, error.to_string()));
    }
    failed.push((split.to_owned(), subset.to_owned(), error.to_string()));
    None
}

/// The tasks that `names` stand for, each once. The name of a registry or task goes before a folder of the same name,
/// which can be named as `./NAME`.
fn tasks(names: &[String], filter: &FilterArgs, catalog: &Catalog) -> Result<Vec<Selected>, Exit> {
    let mut all: Vec<Selected> = Vec::new();
    let known = filter.registries(catalog)?;
    let mut found = if names.is_empty() { vec![filter.select(&known)?] } else { Vec::new() };
    for name in names {
        found.push(match cards_of(name)? {
            Some(cards) if !is_known(name, &known) => tasks_of_files(cards, filter, catalog)?,
            _ => tasks_called(name, filter, &known)?,
        });
    }
    for found in found {
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

fn tasks_of_files(files: Vec<String>, filter: &FilterArgs, catalog: &Catalog) -> Result<Vec<Selected>, Exit> {
    let filter = FilterArgs { registry: files, ..filter.clone() };
    filter.registries(catalog).and_then(|registries| filter.select(&registries))
}

/// The tasks of the registry `name`, or the task `name`.
fn tasks_called(name: &str, filter: &FilterArgs, known: &Registries) -> Result<Vec<Selected>, Exit> {
    let registry = known.loaded.iter().find(|loaded| loaded.registry.name == name);
    match registry {
        Some(registry) => filter.select(&known.only(registry)),
        None => FilterArgs { task: vec![name.to_owned()], ..filter.clone() }.select(known),
    }
}

/// The registries and cards of a folder and of those in it, or the file; `None` if `name` is neither.
///
/// # Errors
/// If the folder holds none, which is said: no name of a registry would stand for all that are known.
fn cards_of(name: &str) -> Result<Option<Vec<String>>, Exit> {
    if name.ends_with(".toml") || (name.contains('/') && !Path::new(name).is_dir()) {
        return Ok(Some(vec![name.to_owned()]));
    }
    if !Path::new(name).is_dir() {
        return Ok(None);
    }
    let fault = |message: String| output::usage(format!("{name}: {message}"));
    let below =
        cards_below(Path::new(name)).map_err(|error| fault(format!("cannot read the folder: {error}")))?;
    below.faults.iter().for_each(output::error);
    if !below.faults.is_empty() {
        return Err(Exit::Usage);
    }
    let cards: Vec<String> = below.of_tasks().map(|path| path.to_string_lossy().into_owned()).collect();
    if cards.is_empty() {
        return Err(fault("expected a card or a registry in the folder or below, found none".to_owned()));
    }
    Ok(Some(cards))
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

/// The notes on a subset, each as the split and the subset that it begins with, and the rest.
fn notes(examination: &Examination) -> impl Iterator<Item = (&str, &str, &str)> {
    let end = format!(", subset {}: ", examination.subset);
    examination.notes.iter().map(move |note| {
        let of_unit = note.strip_prefix("split ").and_then(|note| note.split_once(&end));
        of_unit.map_or(("", "", note.as_str()), |(split, text)| (split, examination.subset.as_str(), text))
    })
}

/// A row a fault.
fn faults_grid(answer: &Value) -> Grid {
    let tasks = answer["tasks"].as_array().into_iter().flatten();
    let examined = tasks.flat_map(|task| task["examined"].as_array().into_iter().flatten());
    let faults = examined.flat_map(|one| one["faults"].as_array().into_iter().flatten());
    rows_grid(&["task", "split", "subset", "check", "rows", "message", "advice"], &faults.cloned().collect())
}

/// Says the faults, of those of one kind in one task only the first ones; what a run says of several units at once is one line here,
/// too.
fn say(faults: &[&DataFault], tasks: usize) {
    for of_task in faults.chunk_by(|one, other| one.task == other.task) {
        let lines = lines_of_task(of_task);
        for (index, (check, line)) in lines.iter().enumerate() {
            let is_same = |other: &&(&str, String)| other.0 == *check;
            let before = lines[..index].iter().filter(is_same).count();
            if before < SHOWN {
                output::error(line);
            } else if !lines[index + 1..].iter().any(|other| is_same(&other)) {
                let (task, more) = (&of_task[0].task, output::count(before + 1 - SHOWN, "more fault"));
                output::error(format!("{task}: {more} of {check}; `--json` has all"));
            }
        }
    }
    if !faults.is_empty() {
        let (faults, tasks) = (output::count(faults.len(), "fault"), output::count(tasks, "task"));
        output::error(format!("{faults} in the data of {tasks}"));
    }
}

/// What is said of the faults of a task, each line with the check that found them.
fn lines_of_task<'a>(faults: &[&'a DataFault]) -> Vec<(&'a str, String)> {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for fault in faults {
        if fault.check != CHECK {
            lines.push((fault.check, fault.to_string()));
        } else if lines.iter().all(|(check, _)| *check != CHECK) {
            let all = faults.iter().filter(|fault| fault.check == CHECK);
            let all = all.map(|fault| (fault.split.as_str(), fault.subset.as_str(), fault.message.as_str()));
            lines.extend(notes_of_task(&fault.task, all).into_iter().map(|line| (CHECK, line)));
        }
    }
    lines
}
