//! A model as a row: its scores by task, its means and rank with their uncertainty, and the total
//! cost of its results.

use std::path::PathBuf;

use super::cell::Cell;
use super::column::Column;
use super::note::{LeftOutScore, NotedScore};
use crate::facts::ModelFacts;
use crate::reading::Footprint;
use crate::statistics::Interval;

/// One model, or one of its revisions or experiments.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The name of the row: the model, and what distinguishes it from other rows of the model.
    pub name: String,
    /// Name of the model.
    pub model: String,
    /// Revisions that the results are of.
    pub revisions: Vec<String>,
    /// The experiment, if it is one.
    pub experiment: Option<String>,
    /// The folders with its results.
    pub places: Vec<PathBuf>,
    /// What is known of the model.
    pub facts: ModelFacts,
    /// True if a model card describes it.
    pub is_known: bool,
    /// Percentage of the tasks that it was not trained on; `None` if its training data is unknown.
    pub zero_shot: Option<i64>,
    /// One cell a column.
    pub cells: Vec<Cell>,
    /// Borda rank among the models that have every task.
    pub rank: Option<usize>,
    /// Borda rank among all models, where missing tasks earn no points.
    pub reference_rank: usize,
    /// Mean(Task); absent if a task is missing. `rank.rs` computes it, with the ranks.
    pub mean: Option<f64>,
    /// Mean(TaskType); absent if a task is missing.
    pub mean_of_types: Option<f64>,
    /// The mean of each type; absent if a task of this type is missing.
    pub types: Vec<Option<f64>>,
    /// 95 % interval of Mean(TaskType) over the tasks of each type; absent if a type has one task alone.
    pub interval_of_types: Option<Interval>,
    /// 95 % interval of the mean of each type, over its tasks; absent for one task alone.
    pub type_intervals: Vec<Option<Interval>>,
    /// The mean of each group of tasks; absent if one of its scores is missing.
    pub groups: Vec<Option<f64>>,
    /// The mean of each language that is shown; absent if one of its scores is missing.
    pub languages: Vec<Option<f64>>,
    /// The mean over the tasks that every model has.
    pub common_mean: Option<f64>,
    /// 95 % interval of Mean(Task), over tasks.
    pub interval: Option<Interval>,
    /// 95 % interval of Mean(Task), over items; where outcomes of all of them are kept and were asked for.
    pub item_interval: Option<Interval>,
    /// Ranks by Mean(Task) that the model may have, all models together with a chance of 95 %.
    pub ranks: Option<(usize, usize)>,
    /// Number of its tie group, from 1.
    pub group: Option<usize>,
}

impl Row {
    /// True if it has a score of any of the tasks, be it an undefined one.
    pub fn has_score(&self) -> bool {
        self.cells.iter().any(|cell| cell.partial.is_some() || cell.undefined > 0)
    }

    /// Each reason why scores of a column were left out or may not be comparable.
    pub fn notes_on<'a>(
        &'a self,
        column: &'a Column,
        cell: &'a Cell,
    ) -> impl Iterator<Item = NotedScore> + 'a {
        cell.notes.iter().map(move |note| NotedScore {
            row: self.name.clone(),
            model: self.model.clone(),
            task: column.task.name.clone(),
            is_marked: cell.is_marked,
            note: note.clone(),
        })
    }

    /// True if a score is one of this row: of its name, or of its model where the name of its row is not known.
    pub fn has_lost(&self, score: &LeftOutScore) -> bool {
        self.model == score.model && (score.row == self.name || score.row == self.model)
    }

    /// The names of the tasks of the columns whose scores may be of other data.
    pub fn list_marked_tasks<'a>(&self, columns: &'a [Column]) -> Vec<&'a str> {
        let marked = self.cells.iter().zip(columns).filter(|(cell, _)| cell.is_marked);
        marked.map(|(_, column)| column.task.name.as_str()).collect()
    }

    /// True if no task is missing.
    pub fn is_complete(&self) -> bool {
        self.cells.iter().all(|cell| cell.complete.is_some())
    }

    /// The score of every task that is complete.
    pub fn scores(&self) -> Vec<Option<f64>> {
        self.cells.iter().map(|cell| cell.complete).collect()
    }

    /// The mean over the existing units of every task.
    pub fn partial_scores(&self) -> Vec<Option<f64>> {
        self.cells.iter().map(|cell| cell.partial).collect()
    }
}

/// What was measured while the results of a row were computed, on any machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowFootprint {
    /// Tasks of whose results this is.
    pub tasks: usize,
    /// Seconds of all tasks, where every result says them.
    pub seconds: Option<f64>,
    /// Texts a second while texts were encoded, over all tasks that encoded any.
    pub texts_per_second: Option<f64>,
    /// Peak resident memory in MB: of the model's worker, else of the host.
    pub memory_mb: Option<f64>,
    /// Most memory on the graphics card in MB.
    pub gpu_memory_mb: Option<f64>,
    /// Joules of all processors over all tasks, where every result says them of all its units.
    pub joules: Option<f64>,
    /// The same of the graphics card.
    pub gpu_joules: Option<f64>,
    /// What was computed on, each once.
    pub devices: Vec<String>,
}

impl Row {
    /// What its results have cost.
    pub fn footprint(&self) -> RowFootprint {
        let stated = || self.cells.iter().filter_map(|cell| cell.footprint.as_ref());
        let largest = |of: fn(&Footprint) -> Option<f64>| stated().filter_map(of).reduce(f64::max);
        // Part of the units of a task would pass for all of it.
        let sum = |of: fn(&Footprint) -> Option<f64>| -> Option<f64> {
            let whole = self.cells.iter().map(|cell| {
                cell.footprint.as_ref().filter(|found| found.units >= cell.units.len() as u64).and_then(of)
            });
            whole.sum::<Option<f64>>().filter(|_| !self.cells.is_empty())
        };
        let (texts, seconds) = stated()
            .filter_map(|found| Some((found.texts_encoded, found.texts_encoded / found.texts_per_second?)))
            .fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let mut devices: Vec<String> = stated().filter_map(|found| found.device.clone()).collect();
        devices.sort_unstable();
        devices.dedup();
        let all_seconds = self.cells.iter().map(|cell| cell.seconds.filter(|seconds| *seconds > 0.0));
        RowFootprint {
            tasks: stated().count(),
            seconds: all_seconds.sum::<Option<f64>>().filter(|seconds| *seconds > 0.0),
            texts_per_second: (seconds > 0.0).then_some(texts / seconds),
            memory_mb: largest(|found| found.memory_mb),
            gpu_memory_mb: largest(|found| found.gpu_memory_mb),
            joules: sum(|found| found.joules),
            gpu_joules: sum(|found| found.gpu_joules),
            devices,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Cell;

    fn cell(units: usize, of_units: u64, encoded: f64, speed: f64, joules: Option<f64>) -> Cell {
        Cell {
            units: vec![Some(0.5); units],
            seconds: Some(2.0),
            footprint: Some(Footprint {
                units: of_units,
                texts_encoded: encoded,
                texts_per_second: Some(speed),
                memory_mb: Some(speed),
                joules,
                device: Some("cpu".to_owned()),
                ..Footprint::default()
            }),
            ..Cell::default()
        }
    }

    #[test]
    fn speed_is_of_all_texts_together_and_energy_of_whole_tasks_alone() {
        let row = |cells: Vec<Cell>| Row { cells, ..Row::default() }.footprint();
        let found = row(vec![cell(1, 1, 100.0, 100.0, Some(5.0)), cell(2, 2, 100.0, 50.0, Some(7.0))]);
        // 200 texts in three seconds.
        assert_eq!((found.texts_per_second, found.memory_mb), (Some(200.0 / 3.0), Some(100.0)));
        assert_eq!((found.joules, found.seconds, found.tasks), (Some(12.0), Some(4.0), 2));
        assert_eq!(found.devices, ["cpu"]);
        let part = row(vec![cell(1, 1, 1.0, 1.0, Some(5.0)), cell(2, 1, 1.0, 1.0, Some(7.0))]);
        assert_eq!(part.joules, None);
        let silent = row(vec![cell(1, 1, 1.0, 1.0, Some(5.0)), Cell::default()]);
        assert_eq!((silent.joules, silent.seconds, silent.memory_mb), (None, None, Some(1.0)));
    }
}
