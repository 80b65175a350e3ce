//! Models beside each other: means, means by task type, Borda rank (protocol 8).

mod column;
mod folder;
mod json;
mod markdown;
mod rank;
mod row;
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use column::Column;
use folder::read_folders;
use mteb_engine::registry::Selected;
use row::Row;

/// The scores of every model on the tasks.
#[derive(Clone, Debug, Default)]
pub struct Leaderboard {
    columns: Vec<Column>,
    rows: Vec<Row>,
    /// What was left out or may not be comparable, a line each.
    pub warnings: Vec<String>,
}

/// Which tasks are columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tasks {
    /// All that were selected.
    Selected,
    /// Those that have results, whether a registry knows them or not.
    WithResults,
}

impl Leaderboard {
    /// Reads the results below `folders`.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn read(folders: &[PathBuf], selected: &[Selected], tasks: Tasks) -> io::Result<Self> {
        let names: BTreeSet<&str> = selected.iter().map(|task| task.entry.card.name.as_str()).collect();
        let wanted = |task: &str| tasks == Tasks::WithResults || names.contains(task);
        let (mut warnings, mut found) = (Vec::new(), Vec::new());
        for folder in folders {
            found.extend(read_folders(folder, &wanted, &mut warnings)?);
        }
        let with_results: BTreeSet<&str> =
            found.iter().flat_map(|folder| folder.files.keys().map(String::as_str)).collect();
        let is_column = |task: &&Selected| {
            tasks == Tasks::Selected || with_results.contains(task.entry.card.name.as_str())
        };
        let known = selected.iter().filter(is_column).map(|task| Column::of_card(task, &found));
        let unknown = with_results.iter().filter(|task| !names.contains(**task));
        let columns: Vec<Column> =
            known.chain(unknown.map(|task| Column::of_results(task, &found))).collect();
        let rows: Vec<Row> = found.iter().map(|folder| Row::new(folder, &columns, &mut warnings)).collect();
        let mut board = Self { columns, rows, warnings };
        board.name_apart();
        board.warn_of_others();
        board.rows.retain(Row::has_score);
        Ok(board)
    }

    /// True if no model has a score.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Rows of one model get names that differ: by experiment, and by revision where it has several.
    fn name_apart(&mut self) {
        let names: Vec<String> = self.rows.iter().map(|row| row.model.clone()).collect();
        let revisions = |name: &str| {
            let rows = self.rows.iter().zip(&names).filter(|(_, other)| *other == name);
            rows.map(|(row, _)| row.revision.as_str()).collect::<BTreeSet<_>>().len()
        };
        let several: Vec<bool> = names.iter().map(|name| revisions(name) > 1).collect();
        for (row, several) in self.rows.iter_mut().zip(several) {
            if several {
                row.model = format!("{} at {}", row.model, row.revision);
            }
            if let Some(experiment) = &row.experiment {
                row.model = format!("{}, experiment {experiment}", row.model);
            }
        }
    }

    fn warn_of_others(&mut self) {
        for row in &self.rows {
            for (cell, column) in row.cells.iter().zip(&self.columns) {
                let what = if cell.is_marked { "marked" } else { "not counted" };
                let notes = cell.notes.iter();
                self.warnings
                    .extend(notes.map(|note| format!("{}, {}: {what}: {note}", row.model, column.task)));
            }
        }
    }
}
