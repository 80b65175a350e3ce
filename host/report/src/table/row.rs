//! A model as a row: the score of every task, its means, its rank and what they are worth.

use std::path::PathBuf;

use super::cell::Cell;
use super::column::Column;
use super::note::NotedScore;
use super::score_fault::LeftOutScore;
use crate::facts::ModelFacts;
use crate::statistics::Interval;

/// One model, or one of its revisions or experiments.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// What the row is called: the model, and what sets it apart from other rows of the model.
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
    /// Share of the tasks in percent that it was not trained on; `None` where nobody says.
    pub zero_shot: Option<i64>,
    /// One cell a column.
    pub cells: Vec<Cell>,
    /// Borda rank among the models that have every task.
    pub rank: Option<usize>,
    /// Borda rank among all models, by which a task that is missing counts no points.
    pub reference_rank: usize,
    /// Mean(Task); absent if a task is missing.
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
    pub fn marked<'a>(&self, columns: &'a [Column]) -> Vec<&'a str> {
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

    /// The mean of what is there of every task.
    pub fn partial_scores(&self) -> Vec<Option<f64>> {
        self.cells.iter().map(|cell| cell.partial).collect()
    }
}
