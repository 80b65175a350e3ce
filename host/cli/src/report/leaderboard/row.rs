//! A model as a row: the score of every task, and what is missing of it.

use super::column::{Column, UnitScore};
use super::folder::ModelFolder;
use mteb_measures::aggregate::task_score;

/// One model, revision and experiment.
#[derive(Clone, Debug)]
pub struct Row {
    /// Name of the model.
    pub model: String,
    /// Its revision.
    pub revision: String,
    /// The experiment, if it is one.
    pub experiment: Option<String>,
    /// One cell a column.
    pub cells: Vec<Cell>,
}

/// A model on a task.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// Mean over all units; absent if one is missing.
    pub complete: Option<f64>,
    /// Mean over the units that are there, as the Borda count of the reference takes it.
    pub partial: Option<f64>,
    /// Units without a score, and all units.
    pub missing: usize,
    pub units: usize,
    /// Why scores were left out or may not be comparable, each once.
    pub notes: Vec<String>,
    /// True if a score counts although its data may be others.
    pub is_marked: bool,
}

impl Row {
    /// The row of `folder`.
    pub fn new(folder: &ModelFolder, columns: &[Column], warnings: &mut Vec<String>) -> Self {
        let cells: Vec<Cell> = columns.iter().map(|column| cell(folder, column, warnings)).collect();
        let ModelFolder { model, revision, experiment, .. } = folder.clone();
        Self { model, revision, experiment, cells }
    }

    /// True if it has a score of any of the tasks.
    pub fn has_score(&self) -> bool {
        self.cells.iter().any(|cell| cell.partial.is_some())
    }

    /// True if no task is missing.
    pub fn is_complete(&self) -> bool {
        self.cells.iter().all(|cell| cell.complete.is_some())
    }

    /// The score of every task that is complete.
    pub fn scores(&self) -> Vec<Option<f64>> {
        self.cells.iter().map(|cell| cell.complete).collect()
    }

    /// The mean of what is there of every task.
    pub fn partial_scores(&self) -> Vec<Option<f64>> {
        self.cells.iter().map(|cell| cell.partial).collect()
    }
}

fn cell(folder: &ModelFolder, column: &Column, warnings: &mut Vec<String>) -> Cell {
    let mut cell = Cell { units: column.units.len(), missing: column.units.len(), ..Cell::default() };
    let Some(file) = folder.files.get(&column.task) else { return cell };
    let mut scores = Vec::new();
    for unit in &column.units {
        match column.score(file, unit) {
            Ok(UnitScore::Score { score, mark }) => {
                scores.push(score);
                cell.is_marked |= mark.is_some();
                note(&mut cell.notes, mark);
            }
            Ok(UnitScore::Missing) => {}
            Ok(UnitScore::Foreign(why)) => note(&mut cell.notes, Some(why)),
            Err(fault) => {
                let place = format!("{}, {}", folder.model, column.task);
                warnings.push(format!("{place}, split {}, subset {}: left out: {fault}", unit.0, unit.1));
            }
        }
    }
    cell.missing = cell.units - scores.len();
    cell.partial = (!scores.is_empty()).then(|| task_score(&scores));
    cell.complete = cell.partial.filter(|_| cell.missing == 0);
    cell
}

fn note(notes: &mut Vec<String>, note: Option<String>) {
    notes.extend(note.filter(|note| !notes.contains(note)));
}
