//! The order of the rows: complete models by Borda rank, then those that lack a task, which have none.

use mteb_measures::aggregate::{TaskTypeMeans, borda_ranks, mean_of_tasks, task_type_means};

use super::Leaderboard;
use super::row::Row;

/// A row with its figures.
pub struct Ranked<'a> {
    pub row: &'a Row,
    /// Among the models that have every task: the reference's Borda rank of these models.
    pub rank: Option<usize>,
    /// Among all models by the reference's own rule, by which a task that is missing counts no points.
    pub reference_rank: usize,
    /// Mean(Task); absent if a task is missing.
    pub mean: Option<f64>,
    /// Mean(TaskType) and the means of the types; absent if a task is missing.
    pub types: TaskTypeMeans,
    /// The mean over the tasks that every model has.
    pub common_mean: Option<f64>,
}

impl Leaderboard {
    /// The rows, best first.
    pub(super) fn ranked(&self) -> Vec<Ranked<'_>> {
        let scores = |rows: &[&Row]| rows.iter().map(|row| row.partial_scores()).collect::<Vec<_>>();
        let all: Vec<&Row> = self.rows.iter().collect();
        let complete: Vec<&Row> = self.rows.iter().filter(|row| row.is_complete()).collect();
        let mut ranks = borda_ranks(&scores(&complete)).into_iter();
        let reference = borda_ranks(&scores(&all));
        let common = self.common();
        let ranked = all.into_iter().zip(reference).map(|(row, reference_rank)| {
            let rank = row.is_complete().then(|| ranks.next()).flatten();
            self.figures(row, rank, reference_rank, &common)
        });
        let mut ranked: Vec<Ranked> = ranked.collect();
        ranked.sort_by(|left, right| {
            let key = |ranked: &Ranked| (ranked.rank.unwrap_or(usize::MAX), ranked.reference_rank);
            key(left).cmp(&key(right)).then_with(|| left.row.model.cmp(&right.row.model))
        });
        ranked
    }

    /// Numbers of the tasks that every model has.
    pub(super) fn common(&self) -> Vec<usize> {
        let has = |row: &Row, number: usize| row.cells[number].complete.is_some();
        (0..self.columns.len()).filter(|number| self.rows.iter().all(|row| has(row, *number))).collect()
    }

    fn figures<'a>(
        &self,
        row: &'a Row,
        rank: Option<usize>,
        reference_rank: usize,
        common: &[usize],
    ) -> Ranked<'a> {
        let scores = row.scores();
        let types = self.columns.iter().map(|column| column.task_type.as_str());
        let typed: Vec<(&str, Option<f64>)> = types.zip(scores.iter().copied()).collect();
        let shared: Vec<Option<f64>> = common.iter().map(|number| scores[*number]).collect();
        Ranked {
            row,
            rank,
            reference_rank,
            mean: mean_of_tasks(&scores),
            types: task_type_means(&typed),
            common_mean: mean_of_tasks(&shared).filter(|_| !common.is_empty()),
        }
    }
}
