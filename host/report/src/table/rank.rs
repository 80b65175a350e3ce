//! Computes the means and ranks of the rows and sorts them: complete models by Borda rank, then
//! models that lack a task, which have no rank.

use mteb_measures::aggregate::{borda_ranks, mean_of_tasks};

use super::board::Board;
use super::row::Row;
use crate::statistics::{Interval, interval_of_types, mean_interval, rank_intervals, tie_groups};

impl Board {
    /// Computes the means, ranks and intervals of every row from its scores, and sorts the rows.
    pub(super) fn compute_means_and_ranks(&mut self) {
        let of_type: Vec<Vec<usize>> = self.types.iter().map(|name| self.tasks_of(name)).collect();
        self.compute_means(&of_type);
        let complete = self.assign_ranks();
        self.add_statistics(&complete);
        self.bound_intervals(&of_type);
        self.sort_rows();
    }

    /// Computes the means of every row: over all tasks, types, groups, languages and common tasks.
    fn compute_means(&mut self, of_type: &[Vec<usize>]) {
        self.common = self.common_tasks();
        for row in &mut self.rows {
            set_means(row, of_type, &self.common);
            row.groups = self.groups.iter().map(|group| group.mean(row)).collect();
            row.languages = self.languages.iter().map(|language| language.mean(row)).collect();
        }
    }

    /// Assigns the Borda rank of the reference to every row, and a rank to every complete row.
    /// Returns the numbers of the complete rows.
    fn assign_ranks(&mut self) -> Vec<usize> {
        let scores = |rows: &[&Row]| rows.iter().map(|row| row.partial_scores()).collect::<Vec<_>>();
        let reference = borda_ranks(&scores(&self.rows.iter().collect::<Vec<_>>()));
        let complete: Vec<usize> = (0..self.rows.len()).filter(|row| self.rows[*row].is_complete()).collect();
        let ranks = borda_ranks(&scores(&complete.iter().map(|row| &self.rows[*row]).collect::<Vec<_>>()));
        for (row, rank) in self.rows.iter_mut().zip(reference) {
            row.reference_rank = rank;
        }
        for (row, rank) in complete.iter().zip(ranks) {
            self.rows[*row].rank = Some(rank);
        }
        complete
    }

    /// Keeps the intervals of means within the bounds of these means.
    fn bound_intervals(&mut self, of_type: &[Vec<usize>]) {
        let whole = self.bounds();
        let of_types: Vec<(f64, f64)> = of_type.iter().map(|numbers| self.bounds_of(numbers)).collect();
        let mean_of_types = mean_of_bounds(&of_types);
        for row in &mut self.rows {
            let within = |interval: &mut Option<Interval>, (low, high): (f64, f64)| {
                *interval = interval.map(|interval| interval.within(low, high));
            };
            within(&mut row.interval, whole);
            within(&mut row.interval_of_types, mean_of_types);
            let types = row.type_intervals.iter_mut().zip(&of_types);
            types.for_each(|(interval, bounds)| within(interval, *bounds));
        }
    }

    /// Sorts the rows, the best first.
    fn sort_rows(&mut self) {
        self.rows.sort_by(|left, right| {
            let key = |row: &Row| (row.rank.unwrap_or(usize::MAX), row.reference_rank);
            key(left).cmp(&key(right)).then_with(|| left.name.cmp(&right.name))
        });
    }

    /// Adds to complete rows how certain their means and ranks are, with tasks as units.
    fn add_statistics(&mut self, complete: &[usize]) {
        let scores: Vec<Vec<f64>> =
            complete.iter().map(|row| self.rows[*row].scores().into_iter().flatten().collect()).collect();
        let means: Vec<f64> = complete.iter().map(|row| self.rows[*row].mean.unwrap_or(0.0)).collect();
        let groups = tie_groups(&scores, &means);
        let ranks = rank_intervals(&scores);
        self.too_few = groups.too_few;
        for (place, row) in complete.iter().enumerate() {
            let row = &mut self.rows[*row];
            row.interval = mean_interval(&scores[place]);
            row.ranks = Some(ranks[place]);
            row.group = Some(groups.groups[place]);
        }
    }

    /// The lowest and the highest possible mean over all tasks. Intervals are kept within them,
    /// because an interval that assumes normal scores has no bounds.
    pub fn bounds(&self) -> (f64, f64) {
        self.bounds_of(&(0..self.columns.len()).collect::<Vec<_>>())
    }

    /// The lowest and the highest possible mean over the tasks with these numbers.
    fn bounds_of(&self, numbers: &[usize]) -> (f64, f64) {
        let all: Vec<Vec<Option<f64>>> = self.rows.iter().map(Row::scores).collect();
        let of_task = |number: &usize| {
            let scores = all.iter().filter_map(|scores| scores[*number]);
            // A third-party score beyond the bounds is shown nevertheless, so the bounds include it.
            scores.fold(self.columns[*number].bounds, |(low, high), score| (low.min(score), high.max(score)))
        };
        mean_of_bounds(&numbers.iter().map(of_task).collect::<Vec<_>>())
    }

    /// Numbers of the tasks on which every model has a score.
    fn common_tasks(&self) -> Vec<usize> {
        let has = |row: &Row, number: usize| row.cells[number].complete.is_some();
        (0..self.columns.len()).filter(|number| self.rows.iter().all(|row| has(row, *number))).collect()
    }

    /// Numbers of the tasks of a type.
    pub fn tasks_of(&self, name: &str) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        columns.filter(|(_, column)| column.task.task_type == name).map(|(number, _)| number).collect()
    }
}

fn set_means(row: &mut Row, of_type: &[Vec<usize>], common: &[usize]) {
    let scores = row.scores();
    let over = |numbers: &[usize]| {
        let scores: Vec<Option<f64>> = numbers.iter().map(|number| scores[*number]).collect();
        mean_of_tasks(&scores).filter(|_| !numbers.is_empty())
    };
    row.mean = mean_of_tasks(&scores);
    row.types = of_type.iter().map(|numbers| over(numbers)).collect();
    row.mean_of_types = mean_of_tasks(&row.types);
    let of_types: Vec<Option<Vec<f64>>> =
        of_type.iter().map(|numbers| numbers.iter().map(|number| scores[*number]).collect()).collect();
    row.type_intervals = of_types.iter().map(|scores| mean_interval(scores.as_ref()?)).collect();
    row.interval_of_types = row.mean_of_types.and_then(|mean| interval_of_types(mean, &of_types));
    row.common_mean = over(common);
}

fn mean_of_bounds(bounds: &[(f64, f64)]) -> (f64, f64) {
    let count = bounds.len().max(1) as f64;
    let (low, high) = bounds.iter().fold((0.0, 0.0), |(low, high), of| (low + of.0, high + of.1));
    (low / count, high / count)
}
