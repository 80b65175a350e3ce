//! Tables 12 to 14 of the MTEB paper: scores by language, of bitext mining, classification and STS.
//! Source: Muennighoff et al. 2023, tables 12 to 14.

use std::collections::BTreeSet;

use crate::grid::{Grid, Value};
use crate::table::{Board, Column, Row};

/// What stands for the languages of an average over several.
const MIX: &str = "mix";

/// One row each subset of the tasks of a type that have several, and one column a model; at last the average over these rows, whose
/// language is a mix. A model that lacks a row has no average.
pub fn language_table(board: &Board, task_type: &str, models: &[&Row]) -> Grid {
    let titles = ["Dataset", "Language"].into_iter().chain(models.iter().map(|row| row.name.as_str()));
    let mut grid = Grid::new(titles).compared_by_row();
    let mut scores: Vec<Vec<Option<f64>>> = vec![Vec::new(); models.len()];
    for number in board.tasks_of(task_type) {
        let column = &board.columns[number];
        for subset in subsets(column) {
            let cells = models.iter().zip(&mut scores).map(|(row, all)| {
                let score = of_subset(column, row, number, subset);
                all.push(score);
                Value::share(score)
            });
            let head = [Value::from(column.task.name.as_str()), Value::from(subset)];
            grid.rows.push(head.into_iter().chain(cells).collect());
        }
    }
    if grid.rows.is_empty() {
        return grid;
    }
    let average = |all: &Vec<Option<f64>>| {
        let sum: Option<f64> = all.iter().copied().sum();
        Value::share(sum.map(|sum| sum / all.len() as f64))
    };
    let head = [Value::from("Average"), Value::from(MIX)];
    grid.rows.push(head.into_iter().chain(scores.iter().map(average)).collect());
    grid
}

/// The subsets of a task that has several.
fn subsets(column: &Column) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let subsets =
        column.units.iter().map(|(_, subset)| subset.as_str()).filter(|subset| seen.insert(*subset));
    let subsets: Vec<&str> = subsets.collect();
    if subsets.len() > 1 { subsets } else { Vec::new() }
}

/// The mean over the splits of a subset; nothing where one is missing.
fn of_subset(column: &Column, row: &Row, number: usize, subset: &str) -> Option<f64> {
    let units = column.units.iter().zip(&row.cells[number].units).filter(|((_, name), _)| name == subset);
    let scores: Vec<Option<f64>> = units.map(|(_, score)| *score).collect();
    let sum: f64 = scores.iter().copied().sum::<Option<f64>>()?;
    Some(sum / scores.len() as f64)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::benchmark::{Subset, Task, TaskSet};
    use crate::facts::{KnownModels, SimilarTasks};
    use crate::reading::{Checks, Collection, Entry, ResultsFolder, Summary};
    use crate::table::Tasks;

    fn board(scores: &[(&str, f64)]) -> Board {
        let subset = |name: &str| Subset { name: name.to_owned(), languages: Vec::new() };
        let task = |name: &str, subsets: &[&str]| Task {
            name: name.to_owned(),
            task_type: "STS".to_owned(),
            splits: vec!["test".to_owned()],
            subsets: subsets.iter().map(|name| subset(name)).collect(),
            units: Some(subsets.iter().map(|name| ("test".to_owned(), (*name).to_owned())).collect()),
            ..Task::default()
        };
        let tasks = vec![task("STS17", &["en-de", "ko-ko"]), task("STS12", &["default"])];
        let entry = |(subset, score): &(&str, f64)| Entry {
            split: "test".to_owned(),
            subset: (*subset).to_owned(),
            main_score: Some(*score),
            ..Entry::default()
        };
        let file = Summary {
            task: "STS17".to_owned(),
            entries: scores.iter().map(entry).collect(),
            ..Summary::default()
        };
        let folder =
            ResultsFolder { model: "m".to_owned(), files: vec![Arc::new(file)], ..ResultsFolder::default() };
        let collection = Collection { folders: vec![folder], ..Collection::default() };
        let benchmark = TaskSet { tasks, ..TaskSet::default() };
        let (known, similar) = (KnownModels::default(), SimilarTasks::default());
        Board::new(&benchmark, Tasks::Selected, &collection, &known, &similar, Checks::Nothing)
    }

    #[test]
    fn languages_stand_one_by_one_and_their_average_is_a_mix() {
        let board = board(&[("en-de", 0.25), ("ko-ko", 0.75)]);
        let grid = language_table(&board, "STS", &[&board.rows[0]]);
        let rows: Vec<Vec<String>> =
            grid.rows.iter().map(|row| row.iter().map(Value::shown).collect()).collect();
        assert_eq!(
            rows,
            [["STS17", "en-de", "25.00"], ["STS17", "ko-ko", "75.00"], ["Average", "mix", "50.00"]]
        );
    }

    #[test]
    fn an_average_lacks_nothing() {
        let board = board(&[("en-de", 0.25)]);
        let grid = language_table(&board, "STS", &[&board.rows[0]]);
        assert_eq!(grid.rows[1][2], Value::None);
        assert_eq!(grid.rows[2][2], Value::None);
        assert!(language_table(&board, "Retrieval", &[]).rows.is_empty());
    }
}
