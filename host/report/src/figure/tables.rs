//! The tables of the MTEB paper. Source: Muennighoff et al. 2023, tables 1, 2 and 11 to 14.

use super::families::family;
use super::training::Training;
use crate::grid::{Grid, Value};
use crate::table::{Board, Row};

/// Table 1: the mean of each task type and over all tasks, number of datasets in the head. Models stand in the groups of the paper,
/// self-supervised and supervised, and in these by family; those of which nobody says how they were trained come last.
pub fn table_1(board: &Board) -> Grid {
    let mut grid = Grid::new(["Training", "Family", "Model"]);
    for name in &board.types {
        grid.titles.push(format!("{name} ({})", board.tasks_of(name).len()));
    }
    grid.titles.push(format!("Average ({})", board.columns.len()));
    let mut rows: Vec<&Row> = board.rows.iter().filter(|row| row.types.iter().any(Option::is_some)).collect();
    rows.sort_by_cached_key(|row| (Training::of(row), family(&row.model)));
    for row in rows {
        let training = Training::of(row).name().into();
        let mut cells = vec![training, family(&row.model).as_str().into(), row.name.as_str().into()];
        cells.extend(row.types.iter().map(|mean| Value::share(*mean)));
        cells.push(Value::share(row.mean));
        grid.rows.push(cells);
    }
    grid
}

/// Texts of a split: how many, and how long they are on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SplitSize {
    /// Texts; a document is one, its title included.
    pub texts: u64,
    /// Characters of all of them.
    pub characters: u64,
}

impl SplitSize {
    /// Characters of a text on average; 0 without texts, as the paper has it.
    pub fn mean(self) -> f64 {
        if self.texts == 0 { 0.0 } else { self.characters as f64 / self.texts as f64 }
    }
}

impl std::ops::AddAssign for SplitSize {
    fn add_assign(&mut self, other: Self) {
        self.texts += other.texts;
        self.characters += other.characters;
    }
}

/// A task in table 2.
#[derive(Clone, Debug, Default)]
pub struct DataRow {
    /// Name of the task, or what its rows are that are counted.
    pub name: String,
    /// Its type.
    pub task_type: String,
    /// S2S, P2P or S2P.
    pub category: String,
    /// Number of languages.
    pub languages: usize,
    /// Training, development and test texts.
    pub splits: [SplitSize; 3],
}

/// Table 2: how many texts each split of a task has, and how long they are.
pub fn table_2(rows: &[DataRow]) -> Grid {
    let mut grid = Grid::new([
        "Name",
        "Type",
        "Categ.",
        "#Lang.",
        "Train samples",
        "Dev samples",
        "Test samples",
        "Train avg. chars",
        "Dev avg. chars",
        "Test avg. chars",
    ]);
    for row in rows {
        let mut cells: Vec<Value> =
            [&row.name, &row.task_type, &row.category].map(|text| text.as_str().into()).into();
        cells.push(row.languages.into());
        cells.extend(row.splits.map(|split| i64::try_from(split.texts).map_or(Value::None, Value::Whole)));
        cells.extend(row.splits.map(|split| Value::Number((10.0 * split.mean()).round() / 10.0)));
        grid.rows.push(cells);
    }
    grid
}

/// Tables 11 to 14: one row a task and one column a model, the tasks of each type followed by their average.
pub fn table_11(board: &Board, models: &[&Row]) -> Grid {
    let titles = std::iter::once("Dataset").chain(models.iter().map(|row| row.name.as_str()));
    let mut grid = Grid::new(titles).compared_by_row();
    for (number, name) in board.types.iter().enumerate() {
        for task in board.tasks_of(name) {
            let cells = models.iter().map(|row| Value::share(row.cells[task].complete));
            grid.rows
                .push(std::iter::once(board.columns[task].task.name.as_str().into()).chain(cells).collect());
        }
        let cells = models.iter().map(|row| Value::share(row.types[number]));
        grid.rows.push(std::iter::once(format!("Average ({name})").as_str().into()).chain(cells).collect());
    }
    let cells = models.iter().map(|row| Value::share(row.mean));
    grid.rows.push(std::iter::once("Average".into()).chain(cells).collect());
    grid
}
