//! The labels of annotators: one file each, a line for each label as it is given, and what can be
//! wrong with them.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use mteb_inspect::agreement::Ratings;
use serde_json::{Value, json};

use super::items::Items;

/// Labels by the key of their row.
pub type Labels = BTreeMap<String, String>;

/// The folder with the labels of a task.
pub struct Store(PathBuf);

/// Labels of all annotators.
pub struct AllLabels {
    /// The annotators, in the order of names.
    pub annotators: Vec<String>,
    /// The label of each item by each annotator, as numbers.
    pub ratings: Ratings,
}

impl Store {
    /// The labels of `task` below `folder`.
    pub fn new(folder: &Path, task: &str) -> Self {
        Self(folder.join(mteb_files::folder_name(task)))
    }

    fn file(&self, annotator: &str) -> PathBuf {
        self.0.join(format!("{annotator}.jsonl"))
    }

    /// The labels of an annotator; of several for one row the last.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is no label.
    pub fn labels_of(&self, annotator: &str) -> Result<Labels, LabelsError> {
        read_labels(&self.file(annotator))
    }

    /// Adds a label; it is on the disk when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&self, annotator: &str, key: &str, label: &str) -> Result<(), LabelsError> {
        let path = self.file(annotator);
        let written = std::fs::create_dir_all(&self.0).and_then(|()| {
            let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
            file.write_all(format!("{}\n", json!({ "key": key, "label": label })).as_bytes())?;
            file.sync_data()
        });
        written.map_err(|source| LabelsError::Unwritable { path, source })
    }

    /// Takes in the labels of a file that a page gave.
    ///
    /// # Errors
    /// If it is of other rows, or holds what is no label.
    pub fn import(&self, annotator: &str, path: &Path, items: &Items) -> Result<usize, LabelsError> {
        if !path.is_file() {
            return Err(LabelsError::NoFile(path.to_owned()));
        }
        check_owner(path, annotator, &items.name)?;
        let labels = read_labels(path)?;
        let mut known = 0;
        for item in &items.all {
            let Some(label) = labels.get(&item.key) else { continue };
            if items.number(label).is_none() {
                return Err(LabelsError::NoLabel { path: path.to_owned(), found: label.clone() });
            }
            self.add(annotator, &item.key, label)?;
            known += 1;
        }
        if known == 0 {
            return Err(LabelsError::OtherRows(path.to_owned()));
        }
        Ok(known)
    }

    /// The labels of all annotators.
    ///
    /// # Errors
    /// If a file cannot be read, or there is none.
    pub fn read(&self, items: &Items) -> Result<AllLabels, LabelsError> {
        let files = std::fs::read_dir(&self.0).into_iter().flatten().flatten();
        let mut annotators: Vec<String> = files
            .filter_map(|file| file.file_name().to_string_lossy().strip_suffix(".jsonl").map(str::to_owned))
            .collect();
        annotators.sort();
        if annotators.is_empty() {
            return Err(LabelsError::Nobody(self.0.clone()));
        }
        let labels = annotators.iter().map(|name| self.labels_of(name)).collect::<Result<Vec<_>, _>>()?;
        let rating = |labels: &Labels, key: &str| labels.get(key).and_then(|label| items.number(label));
        let of_item = |item: &super::Item| labels.iter().map(|labels| rating(labels, &item.key)).collect();
        Ok(AllLabels { ratings: items.all.iter().map(of_item).collect(), annotators })
    }
}

/// Checks the name of an annotator, which is that of a file.
///
/// # Errors
/// What was expected.
pub fn check_annotator(name: &str) -> Result<(), AnnotatorError> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
    if !name.is_empty() && name.len() <= 100 && name.chars().all(is_part) {
        return Ok(());
    }
    let near: String = name
        .split_whitespace()
        .collect::<Vec<_>>()
        .join("-")
        .chars()
        .filter(|letter| is_part(*letter))
        .collect();
    Err(AnnotatorError { name: name.to_owned(), near })
}

/// Checks that the labels of a file are those of `annotator` for `task`, by what its page wrote into it; of a file without that by the name
/// that the page gave it.
fn check_owner(path: &Path, annotator: &str, task: &str) -> Result<(), LabelsError> {
    let text = std::fs::read_to_string(path).map_err(unreadable(path))?;
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut said = false;
    for line in lines {
        for (key, what, expected) in [("annotator", "annotator", annotator), ("task", "task", task)] {
            let Some(found) = line[key].as_str() else { continue };
            said = true;
            if found != expected {
                let (expected, found) = (expected.to_owned(), found.to_owned());
                return Err(LabelsError::OtherOwner { path: path.to_owned(), what, expected, found });
            }
        }
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // Browsers put a number behind the name of a file that is there already, as in `Task-budi (1)`.
    let name = name.split(" (").next().unwrap_or_default();
    match name.strip_prefix(&format!("{task}-")) {
        Some(other) if !said && other != annotator && check_annotator(other).is_ok() => {
            Err(LabelsError::OtherName {
                path: path.to_owned(),
                annotator: annotator.to_owned(),
                other: other.to_owned(),
            })
        }
        _ => Ok(()),
    }
}

fn unreadable(path: &Path) -> impl Fn(io::Error) -> LabelsError {
    move |source| LabelsError::Unreadable { path: path.to_owned(), source }
}

fn read_labels(path: &Path) -> Result<Labels, LabelsError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Labels::new()),
        Err(error) => return Err(unreadable(path)(error)),
    };
    let mut labels = Labels::new();
    let lines: Vec<&str> = text.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let read: Option<(String, String)> = serde_json::from_str::<Value>(line)
            .ok()
            .and_then(|value| Some((value["key"].as_str()?.to_owned(), value["label"].as_str()?.to_owned())));
        match read {
            Some((key, label)) => drop(labels.insert(key, label)),
            // A last line without its end is one that a power cut left.
            None if number + 1 == lines.len() && !text.ends_with('\n') => {}
            None => {
                return Err(LabelsError::NoLine { path: path.to_owned(), line: number + 1 });
            }
        }
    }
    Ok(labels)
}

/// Why labels are neither read nor written.
#[derive(Debug, thiserror::Error)]
pub enum LabelsError {
    /// A file cannot be read.
    #[error("{}: cannot be read: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("{}: cannot be written: {source}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A line is no label.
    #[error("{}, line {line}: expected an object with `key` and `label`, found something else", .path.display())]
    NoLine {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
    },
    /// The file to import does not exist.
    #[error("`--import`: expected a file of labels, found none: {}", .0.display())]
    NoFile(PathBuf),
    /// The file to import has a label that the task does not have.
    #[error("{}: expected a label of the task, found: {found}", .path.display())]
    NoLabel {
        /// The file.
        path: PathBuf,
        /// The label.
        found: String,
    },
    /// The file to import labels other rows.
    #[error("{}: expected labels of the rows that `--rows` and `--seed` draw, found none of them", .0.display())]
    OtherRows(PathBuf),
    /// The page whose labels are imported was that of somebody else, or of another task.
    #[error(
        "{}: expected the labels of the {what} {expected}, found those of {found}; name it, or import the right file",
        .path.display()
    )]
    OtherOwner {
        /// The file.
        path: PathBuf,
        /// `annotator` or `task`.
        what: &'static str,
        /// Its name.
        expected: String,
        /// What the file says.
        found: String,
    },
    /// The file to import has the name that the page of another annotator gives it.
    #[error(
        "{}: expected the labels of the annotator {annotator}, found a file that is named as those of {other}; rename it if \
         the labels are those of {annotator}",
        .path.display()
    )]
    OtherName {
        /// The file.
        path: PathBuf,
        /// The annotator.
        annotator: String,
        /// The one by the name of the file.
        other: String,
    },
    /// Nobody has labelled.
    #[error("expected labels in {}, found none; start with `--annotator NAME`", .0.display())]
    Nobody(PathBuf),
}

/// A name that no file of labels can have.
#[derive(Debug, thiserror::Error)]
#[error("`--annotator`: expected letters, digits, `-` and `_`, found: {name}{}", example(.near))]
pub struct AnnotatorError {
    /// The name.
    pub name: String,
    /// The same without what it may not have; empty if nothing else is in it.
    pub near: String,
}

fn example(near: &str) -> String {
    if near.is_empty() { String::new() } else { format!("; for example {near}") }
}
