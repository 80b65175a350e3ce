//! `mteb-host export`: the data of tasks as folders that `datasets.load_dataset` and the reference load as they are.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use mteb_card::TaskCard;
use mteb_data::Table;
use mteb_inspect::samples::cells;
use mteb_registry::Selected;
use mteb_source::{DataSources, SourceError};
use mteb_tasks::{Part, Unit};
use serde_json::{Value, json};

use super::arguments::{FilterArgs, PlaceArgs};
use super::discover::{discover, say_refusals};
use super::selected::check_locks;
use crate::exit::Exit;
use crate::output;
use crate::view::say_failed;

/// The module with which the reference takes the tasks.
const TASKS: &str = include_str!("export_tasks.py");

/// Arguments of `export`.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// Folder to create: one subfolder per task, and `tasks.py`, with which the Python package mteb
    /// loads them.
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Files of data by configuration and split, as the hub's metadata names them.
type Configs = BTreeMap<String, Config>;

/// A configuration: the file of each split, and the version that its content gives it.
#[derive(Default)]
struct Config {
    files: BTreeMap<String, String>,
    version: [u16; 3],
}

impl ExportArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        self.try_run().unwrap_or_else(|exit| exit)
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        let is_narrow = !self.filter.task.is_empty() || self.filter.benchmark.is_some();
        if self.filter.has_all_registries() && !is_narrow {
            return Err(output::usage(
                "expected tasks to export, found no filter; name a registry (such as `--registry indonesia`) or \
                 a task",
            ));
        }
        if fs::read_dir(&self.to).is_ok_and(|mut entries| entries.next().is_some()) {
            let message = "expected an empty or new folder, found files in it; choose another one";
            return Err(output::usage(format!("{}: {message}", self.to.display())));
        }
        let settings = self.place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let registries = self.filter.registries(&catalog)?;
        let tasks = self.filter.select(&registries)?;
        check_locks(&tasks, None)?;
        let mut sources = DataSources::new(settings, &catalog);
        let mut exit = Exit::Done;
        for task in tasks.iter().flat_map(Selected::with_data) {
            if self.export(&task, &mut sources)? == Exit::Failed {
                exit = Exit::Failed;
            }
        }
        write(&self.to.join("tasks.py"), TASKS)?;
        let printed =
            output::print(&format!("{}: {}", self.to.display(), output::count(tasks.len(), "task")));
        Ok(if exit == Exit::Done { printed } else { exit })
    }

    fn export(&self, task: &Selected, sources: &mut DataSources) -> Result<Exit, Exit> {
        let card = &task.entry.card;
        let folder = self.to.join(&card.name);
        let (mut configs, mut failed) = (Configs::new(), Vec::new());
        for (split, subset) in task.units() {
            let unit = sources
                .read_whole(&task.entry, split, subset)
                .map_err(|error: SourceError| error.to_string());
            match unit {
                Ok(unit) => write_unit(&folder, &unit, (split, subset), &mut configs)?,
                Err(error) => failed.push((split, subset, error)),
            }
        }
        write(&folder.join("README.md"), &readme(card, &configs))?;
        write(&folder.join("task.json"), &format!("{:#}\n", description(task)))?;
        Ok(say_failed(&card.name, &failed))
    }
}

/// Writes the parts of a unit.
fn write_unit(folder: &Path, unit: &Unit, of: (&str, &str), configs: &mut Configs) -> Result<(), Exit> {
    let (split, subset) = of;
    for part in Part::ALL {
        let Some(table) = unit.get(*part) else { continue };
        let (config, split) = match part {
            Part::Rows => (subset.to_owned(), split),
            Part::Train => (subset.to_owned(), "train"),
            Part::Qrels if subset == "default" => ("default".to_owned(), split),
            _ if subset == "default" => (part.as_str().to_owned(), split),
            _ => (format!("{subset}-{part}"), split),
        };
        let file = format!("{config}/{split}.jsonl");
        let rows = lines(table);
        write(&folder.join(&file), &rows)?;
        let config = configs.entry(config).or_default();
        config.count_in(&rows)?;
        config.files.insert(split.to_owned(), file);
    }
    Ok(())
}

impl Config {
    /// Makes the version depend on `rows`. The library `datasets` keeps what it has read under the names of folder and configuration and
    /// this version, and would give the rows of an earlier export.
    fn count_in(&mut self, rows: &str) -> Result<(), Exit> {
        let digest = mteb_files::sha256(rows.as_bytes()).map_err(output::failed)?;
        for (number, digits) in self.version.iter_mut().zip(digest.as_bytes().chunks(4)) {
            let digits = std::str::from_utf8(digits).unwrap_or_default();
            *number =
                number.wrapping_mul(31).wrapping_add(u16::from_str_radix(digits, 16).unwrap_or_default());
        }
        Ok(())
    }
}

/// The rows of a table as JSON, a line each.
fn lines(table: &Table) -> String {
    (0..table.rows()).map(|row| Value::Object(cells(table, row)).to_string() + "\n").collect()
}

/// A card that says which file is of which configuration and split.
fn readme(card: &TaskCard, configs: &Configs) -> String {
    let mut text = format!("---\ndataset_name: {}\n", card.dataset.name.as_deref().unwrap_or(&card.name));
    if let Some(license) = &card.license {
        let _ = writeln!(text, "license: {}", json!(license));
    }
    text.push_str("configs:\n");
    for (config, Config { files, version: [major, minor, patch] }) in configs {
        let _ = writeln!(text, "- config_name: {}\n  version: \"{major}.{minor}.{patch}\"", json!(config));
        text.push_str("  data_files:\n");
        for (split, file) in files {
            let _ = writeln!(text, "  - split: {}\n    path: {}", json!(split), json!(file));
        }
    }
    let badge = card.badge().map(|badge| format!("\n{badge}\n")).unwrap_or_default();
    let reference =
        card.reference.as_ref().map(|place| format!("\nDescribed at {place}.\n")).unwrap_or_default();
    format!("{text}---\n\n# {}\n\n{}\n{badge}{reference}", card.name, card.description)
}

/// What the reference needs to know of a task.
fn description(task: &Selected) -> Value {
    let card = &task.entry.card;
    let by_subset: BTreeMap<&str, &[String]> = card.languages_by_subset().into_iter().collect();
    let languages = if card.subsets.is_empty() { json!(card.languages) } else { json!(by_subset) };
    let category = serde_json::to_value(card.category).unwrap_or_default();
    json!({
        "revision": card.revision(),
        "protocol": serde_json::to_value(&card.protocol).unwrap_or_default(),
        "metadata": {
            "name": card.name,
            "type": card.task_type,
            "description": card.description,
            "reference": card.reference,
            "category": if category.is_null() { json!("t2t") } else { category },
            "modalities": ["text"],
            "eval_splits": task.splits,
            "eval_langs": languages,
            "main_score": card.main_score(),
            "date": card.date,
            "domains": card.domains,
            "task_subtypes": card.subtypes,
            "license": card.license,
            "annotations_creators": card.annotations,
            "dialect": card.dialect,
            "sample_creation": card.sample_creation,
            "bibtex_citation": card.citation.clone().unwrap_or_default(),
        },
    })
}

fn write(path: &Path, text: &str) -> Result<(), Exit> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    made.map_err(|error| {
        output::failed(format!(
            "{}: cannot write it: {error}; choose a writable folder with `--to`",
            path.display()
        ))
    })
}
