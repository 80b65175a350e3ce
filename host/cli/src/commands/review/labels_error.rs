//! What can be wrong with the labels of an annotator.

use std::io;
use std::path::PathBuf;

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
