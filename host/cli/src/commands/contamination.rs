//! `mteb-host validate --data --contamination`: which evaluation texts stand in datasets of the hub cache.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use mteb_card::TaskCard;
use mteb_data::{Column, DataError, OpenRows, Wanted, is_readable};
use mteb_inspect::contamination::{Seen, Sought};
use mteb_tasks::{Part, Unit, beginning, text_columns};
use mteb_workers::parsing::WorkerParser;
use serde_json::{Value, json};

use crate::output;

/// Rows of a data file that are read at once.
const ROWS: usize = 20_000;

/// How the folder of a dataset begins in the hub's cache.
const DATASET: &str = "datasets--";

/// Folders within a snapshot that are looked into.
const DEEPEST: usize = 8;

/// The evaluation texts of all tasks.
#[derive(Debug, Default)]
pub struct Evaluated(Vec<EvaluatedText>);

#[derive(Debug)]
struct EvaluatedText {
    task: String,
    /// The dataset that the task is read from, which has them of course.
    dataset: String,
    place: String,
    text: String,
}

/// The texts of one task that are in one dataset.
#[derive(Debug)]
pub struct Contamination {
    task: String,
    dataset: String,
    found: usize,
    of: usize,
    first: String,
}

impl Evaluated {
    /// Takes the texts of a unit that a model is tested on: its rows or its queries. Documents are those that anybody may read.
    pub fn add(&mut self, card: &TaskCard, unit: &Unit) {
        for part in [Part::Rows, Part::Queries] {
            let Some(table) = unit.get(part) else { continue };
            for column in text_columns(card.task_type, part).iter().filter_map(|name| table.get(name)) {
                for row in 0..table.rows() {
                    let place = || {
                        let of =
                            if part == Part::Rows { String::new() } else { format!("{}, ", part.as_str()) };
                        format!(
                            "split {}, subset {}, {of}row {}",
                            unit.split,
                            unit.subset,
                            table.place(row).1
                        )
                    };
                    visit_texts(&column.value(row), &mut |text| {
                        let (task, dataset) =
                            (card.name.clone(), card.dataset.fetched().unwrap_or_default().to_owned());
                        self.0.push(EvaluatedText { task, dataset, place: place(), text: text.to_owned() });
                    });
                }
            }
        }
    }

    /// Looks for the texts in every dataset in the hub's cache `folder`; gives what is there and how many datasets were read.
    pub fn compare(&self, folder: &Path) -> (Vec<Contamination>, usize) {
        let sought = Sought::new(self.0.iter().map(|one| one.text.as_str()));
        let (mut all, datasets) = (Vec::new(), list_cached_datasets(folder));
        let opener = WorkerParser::default();
        for (name, files) in &datasets {
            let mut seen = sought.begin();
            for file in files {
                if let Err(error) = read_texts(&opener, file, &mut seen) {
                    output::warn(format!("{name}: a file is not compared: {error}"));
                }
            }
            all.extend(self.group_by_task(name, &seen.found()));
        }
        (all, datasets.len())
    }

    fn group_by_task(&self, dataset: &str, found: &[usize]) -> Vec<Contamination> {
        let mut by_task: BTreeMap<&str, Vec<&EvaluatedText>> = BTreeMap::new();
        for text in found.iter().map(|place| &self.0[*place]).filter(|text| text.dataset != dataset) {
            by_task.entry(&text.task).or_default().push(text);
        }
        let of_task = |(task, texts): (&str, Vec<&EvaluatedText>)| Contamination {
            task: task.to_owned(),
            dataset: dataset.to_owned(),
            found: texts.len(),
            of: self.0.iter().filter(|text| text.task == task).count(),
            first: format!("{}: {}", texts[0].place, beginning(&texts[0].text)),
        };
        by_task.into_iter().map(of_task).collect()
    }
}

impl Contamination {
    /// As a line.
    pub fn line(&self) -> String {
        let Self { task, dataset, found, of, first } = self;
        format!(
            "{task}: {found} of {of} evaluation texts are in the dataset {dataset} of the hub cache, the first: {first}"
        )
    }

    /// As JSON.
    pub fn value(&self) -> Value {
        let Self { task, dataset, found, of, first } = self;
        json!({ "task": task, "dataset": dataset, "found": found, "texts": of, "first": first })
    }
}

fn read_texts(opener: &WorkerParser, file: &Path, seen: &mut Seen) -> Result<(), DataError> {
    let mut rows = opener.open(file, &Wanted::All)?;
    loop {
        let table = rows.read_rows(ROWS)?;
        if table.rows() == 0 {
            return Ok(());
        }
        for column in table.names().filter_map(|name| table.get(name)) {
            match column {
                Column::Text(texts) => texts.iter().for_each(|text| seen.add(text)),
                Column::Any(cells) => {
                    cells.iter().for_each(|cell| visit_texts(cell, &mut |text| seen.add(text)))
                }
                _ => {}
            }
        }
    }
}

fn visit_texts(cell: &Value, take: &mut dyn FnMut(&str)) {
    match cell {
        Value::String(text) => take(text),
        Value::Array(cells) => cells.iter().for_each(|cell| visit_texts(cell, take)),
        Value::Object(cells) => cells.values().for_each(|cell| visit_texts(cell, take)),
        _ => {}
    }
}

/// The datasets of a hub's cache with their data files, those of all revisions.
fn list_cached_datasets(folder: &Path) -> BTreeMap<String, Vec<PathBuf>> {
    let mut datasets = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(name) = name.strip_prefix(DATASET) else { continue };
        let mut files = Vec::new();
        add_files(&entry.path().join("snapshots"), 0, &mut files);
        files.sort();
        if !files.is_empty() {
            datasets.insert(name.replacen("--", "/", 1), files);
        }
    }
    datasets
}

fn add_files(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < DEEPEST => add_files(&path, depth + 1, files),
            Ok(kind) if !kind.is_dir() && is_readable(&path.to_string_lossy()) => files.push(path),
            _ => {}
        }
    }
}
