//! Scores of tasks by the languages of their subsets, so that a reader who chooses a language sees the scores in it alone.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::table::{Board, Column, Row};

/// What the scores by language may take of a page, in bytes: the page of 333 models has 1 MB without them, and stays below 1.5 MB.
const ROOM: usize = 400_000;
/// Digits of a score that tell two models apart, and more.
const DIGITS: f64 = 1e8;

/// The tasks of a board with subsets in several languages, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct LanguageParts(BTreeMap<usize, TaskParts>);

/// The parts of a task: subsets of the same languages are one.
#[derive(Clone, Debug)]
struct TaskParts {
    /// The languages of each part, and the places of its units in the column.
    parts: Vec<(Vec<String>, Vec<usize>)>,
    /// True if the page has the scores of its parts.
    has_room: bool,
}

impl LanguageParts {
    /// The parts of the tasks of a board. Those of the smallest tasks have room first.
    pub fn new(board: &Board) -> Self {
        Self::cut_to_room(board, ROOM)
    }

    fn cut_to_room(board: &Board, mut room: usize) -> Self {
        let tasks = board.columns.iter().enumerate();
        let mut tasks: Vec<(usize, TaskParts)> = tasks
            .map(|(number, column)| (number, TaskParts { parts: parts(column), has_room: false }))
            .filter(|(_, task)| task.parts.len() > 1)
            .collect();
        tasks.sort_by_key(|(number, task)| (task.parts.len(), *number));
        for (number, task) in &mut tasks {
            // No score takes less than two bytes: what is too large by far is not written to be measured.
            let is_large = 2 * task.parts.len() * board.rows.len() > room;
            let size = |row: &Row| Value::from(task.scores(row, *number)).to_string().len() + 8;
            let needed = if is_large { usize::MAX } else { board.rows.iter().map(size).sum() };
            task.has_room = needed <= room;
            room -= if task.has_room { needed } else { 0 };
        }
        Self(tasks.into_iter().collect())
    }

    /// True if the task of this number has subsets in several languages, of which some can be chosen.
    pub fn is_mixed(&self, task: usize) -> bool {
        self.0.contains_key(&task)
    }

    /// The parts of a task whose scores the page has: the places of their languages among `languages`, and how many units they have.
    pub fn of_task(&self, number: usize, languages: &BTreeSet<&str>) -> Value {
        let Some(task) = self.0.get(&number).filter(|task| task.has_room) else { return Value::Null };
        let place = |code: &String| languages.iter().position(|other| other == code);
        let part = |(codes, units): &(Vec<String>, Vec<usize>)| {
            json!([codes.iter().filter_map(place).collect::<Vec<_>>(), units.len()])
        };
        task.parts.iter().map(part).collect()
    }

    /// The scores of a row on the parts of tasks, by the number of the task; nothing where it has none.
    pub fn of_row(&self, row: &Row) -> Value {
        let tasks = self.0.iter().filter(|(_, task)| task.has_room);
        let scores = tasks.map(|(number, task)| (number.to_string(), task.scores(row, *number)));
        let found: Map<String, Value> = scores
            .filter(|(_, scores)| scores.iter().any(|score| !score.is_null()))
            .map(|(number, scores)| (number, scores.into()))
            .collect();
        if found.is_empty() { Value::Null } else { found.into() }
    }
}

impl TaskParts {
    /// The mean of a row over the units of each part; nothing where it lacks one.
    fn scores(&self, row: &Row, number: usize) -> Vec<Value> {
        let units = row.cells.get(number).map(|cell| cell.units.as_slice()).unwrap_or_default();
        let mean = |places: &[usize]| {
            let scores: Option<Vec<f64>> =
                places.iter().map(|place| units.get(*place).copied().flatten()).collect();
            let mean = scores.map(|scores| scores.iter().sum::<f64>() / scores.len() as f64);
            mean.map_or(Value::Null, |mean| json!((mean * DIGITS).round() / DIGITS))
        };
        self.parts.iter().map(|(_, places)| mean(places)).collect()
    }
}

/// The units of a column by their languages.
fn parts(column: &Column) -> Vec<(Vec<String>, Vec<usize>)> {
    let languages = column.task.languages();
    let mut parts: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    for (place, (_, subset)) in column.units.iter().enumerate() {
        let codes = languages.of(subset).into_iter().map(str::to_owned).collect();
        parts.entry(codes).or_default().push(place);
    }
    parts.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::{Subset, Task};
    use crate::table::Cell;

    /// A task with a subset of each of these lists of languages, called after them.
    fn column(subsets: &[&str]) -> Column {
        let subset = |name: &&str| Subset {
            name: (*name).to_owned(),
            languages: name.split('-').map(str::to_owned).collect(),
        };
        let mut column = Column::default();
        column.task = Task { subsets: subsets.iter().map(subset).collect(), ..Task::default() };
        column.units = subsets.iter().map(|name| ("test".to_owned(), (*name).to_owned())).collect();
        column
    }

    fn row(scores: &[&[Option<f64>]]) -> Row {
        let cells = scores.iter().map(|units| Cell { units: units.to_vec(), ..Cell::default() }).collect();
        Row { cells, ..Row::default() }
    }

    fn board() -> Board {
        let columns = vec![column(&["jav"]), column(&["ind", "ind-jav", "jav-ind"]), column(&["ind", "min"])];
        let rows = vec![row(&[&[Some(0.5)], &[Some(0.2), Some(0.4), Some(0.8)], &[Some(1.0 / 3.0), None]])];
        Board { columns, rows, ..Board::default() }
    }

    #[test]
    fn subsets_of_the_same_languages_are_one_part_and_have_a_mean() {
        let board = board();
        let parts = LanguageParts::new(&board);
        assert_eq!([0, 1, 2].map(|task| parts.is_mixed(task)), [false, true, true]);
        let languages = BTreeSet::from(["ind", "jav", "min"]);
        assert_eq!(parts.of_task(1, &languages), json!([[[0], 1], [[0, 1], 2]]));
        assert_eq!(parts.of_task(0, &languages), Value::Null);
        let expected = json!({ "1": [0.2, 0.6], "2": [0.333_333_33, null] });
        assert_eq!(parts.of_row(&board.rows[0]), expected);
    }

    #[test]
    fn a_task_whose_scores_have_no_room_is_known_to_be_mixed_and_has_none() {
        let board = board();
        let parts = LanguageParts::cut_to_room(&board, 18);
        assert!(parts.is_mixed(1) && parts.is_mixed(2));
        let languages = BTreeSet::from(["ind", "jav", "min"]);
        assert_ne!(parts.of_task(1, &languages), Value::Null, "`[0.2,0.6]` and its number have room");
        assert_eq!(parts.of_task(2, &languages), Value::Null);
        assert_eq!(parts.of_row(&board.rows[0]), json!({ "1": [0.2, 0.6] }));
    }
}
