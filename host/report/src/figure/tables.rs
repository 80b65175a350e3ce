//! The tables of the MTEB paper. Source: Muennighoff et al. 2023, tables 1, 2 and 11 to 14.

use std::collections::BTreeSet;

use super::paper::family;
use crate::grid::{Grid, Value};
use crate::table::{Board, Column, Row};

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
    let mut grid = Grid::new(titles).compare_by_row();
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

/// How a model was trained, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Training {
    /// On texts alone.
    SelfSupervised,
    /// On labelled pairs or sentences.
    Supervised,
    /// Nobody says.
    NotStated,
}

/// The models that the paper calls self-supervised. Source: Muennighoff et al. 2023, table 1.
const SELF_SUPERVISED: [&str; 5] = [
    "sentence-transformers/average_word_embeddings_glove.6B.300d",
    "sentence-transformers/average_word_embeddings_komninos",
    "bert-base-uncased",
    "google-bert/bert-base-uncased",
    "princeton-nlp/unsup-simcse-bert-base-uncased",
];

/// Those that it calls supervised and whose cards name no data that they were trained on; the begin of names counts.
const SUPERVISED: [&str; 18] = [
    "Muennighoff/SGPT-",
    "bigscience/sgpt-bloom-7b1-msmarco",
    "bigscience-data/sgpt-bloom-1b7-nli",
    "nthakur/contriever-base-msmarco",
    "openai/text-similarity-ada-001",
    "princeton-nlp/sup-simcse-bert-base-uncased",
    "sentence-transformers/LaBSE",
    "sentence-transformers/all-MiniLM-L12-v2",
    "sentence-transformers/all-MiniLM-L6-v2",
    "sentence-transformers/all-mpnet-base-v2",
    "sentence-transformers/allenai-specter",
    "sentence-transformers/gtr-t5-",
    "sentence-transformers/msmarco-bert-co-condensor",
    "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
    "sentence-transformers/paraphrase-multilingual-mpnet-base-v2",
    "sentence-transformers/sentence-t5-",
    "LASER2",
    "facebook/LASER2",
];

impl Training {
    /// How the model of a row was trained: as the paper has it, else by the data that its card names. A card that names none of the
    /// tasks' data says nothing of other data.
    pub fn of(row: &Row) -> Self {
        let model = row.model.as_str();
        let names_data = || row.facts.training_datasets.as_ref().is_some_and(|names| !names.is_empty());
        if SELF_SUPERVISED.contains(&model) {
            Self::SelfSupervised
        } else if SUPERVISED.iter().any(|begin| model.starts_with(begin)) || names_data() {
            Self::Supervised
        } else {
            Self::NotStated
        }
    }

    /// Its name in a table.
    pub fn name(self) -> &'static str {
        match self {
            Self::SelfSupervised => "self-supervised",
            Self::Supervised => "supervised",
            Self::NotStated => "not stated",
        }
    }
}

/// What stands for the languages of an average over several.
const MIX: &str = "mix";

/// One row each subset of the tasks of a type that have several, and one column a model; at last the average over these rows, whose
/// language is a mix. A model that lacks a row has no average.
pub fn language_table(board: &Board, task_type: &str, models: &[&Row]) -> Grid {
    let titles = ["Dataset", "Language"].into_iter().chain(models.iter().map(|row| row.name.as_str()));
    let mut grid = Grid::new(titles).compare_by_row();
    let mut scores: Vec<Vec<Option<f64>>> = vec![Vec::new(); models.len()];
    for number in board.tasks_of(task_type) {
        let column = &board.columns[number];
        for subset in subsets(column) {
            let cells = models.iter().zip(&mut scores).map(|(row, all)| {
                let score = average_subset(column, row, number, subset);
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
fn average_subset(column: &Column, row: &Row, number: usize, subset: &str) -> Option<f64> {
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
            grid.rows.iter().map(|row| row.iter().map(Value::to_text).collect()).collect();
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
