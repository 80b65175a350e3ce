//! Where the rows of a table came from: file and row or line.

use std::sync::Arc;

/// How the rows of a file are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Record by record, starting at 1.
    Row,
    /// By the line of the file on which the record starts, starting at 1.
    Line,
}

/// Where one row came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// File, or the name of a part that a plugin gave.
    pub file: &'a str,
    /// What `number` counts.
    pub counting: Counting,
    /// Row or line in the file, starting at 1.
    pub number: usize,
}

/// The places of consecutive rows, one entry a run of consecutive places.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Places {
    runs: Vec<Run>,
}

#[derive(Clone, Debug, PartialEq)]
struct Run {
    /// Row of the table at which the run starts.
    first: usize,
    file: Arc<str>,
    counting: Counting,
    /// Number of that row in the file.
    number: usize,
}

impl Places {
    /// Consecutive places of `file` that start at `number`.
    pub fn new(file: &str, counting: Counting, number: usize) -> Self {
        Self { runs: vec![Run { first: 0, file: Arc::from(file), counting, number }] }
    }

    /// Row `row` and those after it are at `number` and on in the file of the row before.
    pub fn jump(&mut self, row: usize, number: usize) {
        let Some(last) = self.runs.last_mut() else { return };
        if row == last.first {
            last.number = number;
        } else if last.number + (row - last.first) != number {
            let run = Run { first: row, number, ..last.clone() };
            self.runs.push(run);
        }
    }

    /// The place of `row`; `None` if there are no places at all.
    pub fn get(&self, row: usize) -> Option<Place<'_>> {
        let run = self.run(row)?;
        Some(Place { file: &run.file, counting: run.counting, number: run.number + (row - run.first) })
    }

    /// The places of rows of one file in runs of first row and number in the file; `None` if they are not all of
    /// `file` or not all counted alike.
    pub fn runs_of(&self, file: &str) -> Option<(Counting, Vec<[u64; 2]>)> {
        let counting = self.runs.first()?.counting;
        let alike = self.runs.iter().all(|run| run.counting == counting && &*run.file == file);
        alike.then(|| (counting, self.runs.iter().map(|run| [run.first as u64, run.number as u64]).collect()))
    }

    /// The places that [`Self::runs_of`] gave as `runs`; `None` if the first is not of row 0, or they do not ascend.
    pub fn of_runs(file: &str, counting: Counting, runs: impl Iterator<Item = [u64; 2]>) -> Option<Self> {
        let file: Arc<str> = Arc::from(file);
        let runs: Vec<Run> = runs
            .map(|[first, number]| Run {
                first: first as usize,
                file: Arc::clone(&file),
                counting,
                number: number as usize,
            })
            .collect();
        let ascend = runs.windows(2).all(|pair| pair[0].first < pair[1].first);
        (ascend && runs.first()?.first == 0).then_some(Self { runs })
    }

    /// The places of `rows`, in that order.
    pub fn select(&self, rows: &[usize]) -> Self {
        let mut selected = Self { runs: Vec::new() };
        for (first, &row) in rows.iter().enumerate() {
            if let Some(run) = self.run(row) {
                selected.push(Run { first, number: run.number + (row - run.first), ..run.clone() });
            }
        }
        if rows.is_empty() {
            selected.runs.extend(self.runs.first().cloned());
        }
        selected
    }

    /// Leaves out the first `rows` rows.
    pub fn skip(&mut self, rows: usize) {
        let kept = self.runs.partition_point(|run| run.first <= rows).saturating_sub(1);
        self.runs.drain(..kept);
        for run in &mut self.runs {
            // The run in whose midst the first kept row lies starts with that row.
            run.number += rows.saturating_sub(run.first);
            run.first = run.first.saturating_sub(rows);
        }
    }

    /// Adds the places of another table behind the first `rows`.
    pub fn append(&mut self, rows: usize, other: Self) {
        for run in other.runs {
            self.push(Run { first: rows + run.first, ..run });
        }
    }

    fn push(&mut self, run: Run) {
        let continues = self.runs.last().is_some_and(|last| {
            last.counting == run.counting
                && last.number + (run.first - last.first) == run.number
                && last.file == run.file
        });
        if !continues {
            self.runs.push(run);
        }
    }

    fn run(&self, row: usize) -> Option<&Run> {
        let index = self.runs.partition_point(|run| run.first <= row);
        self.runs.get(index.checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_their_places_through_selection_and_joining() {
        let mut places = Places::new("a.csv", Counting::Line, 2);
        places.jump(2, 7);
        let mut chosen = places.select(&[2, 3, 0]);
        chosen.append(3, Places::new("b.parquet", Counting::Row, 1));
        let shown = |place: Place| format!("{} {}", place.file, place.number);
        let found: Vec<String> = (0..5).map(|row| shown(chosen.get(row).unwrap())).collect();
        assert_eq!(found, ["a.csv 7", "a.csv 8", "a.csv 2", "b.parquet 1", "b.parquet 2"]);
        assert_eq!(chosen.runs.len(), 3);
    }

    #[test]
    fn an_empty_table_knows_its_file() {
        assert_eq!(Places::new("a.csv", Counting::Line, 2).select(&[]).get(0).unwrap().file, "a.csv");
    }
}
