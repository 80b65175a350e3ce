//! The leaderboard: every model, including those without a card and those that lack a task; and its
//! scores by language.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::cell::Cell;
use super::column::{Column, task_of_results};
use super::note::LeftOutScore;
use super::row::Row;
use super::view::{BoardGroup, BoardLanguage};
use super::warning::{BoardWarning, UnknownUnits};
use crate::benchmark::{About, BeyondBenchmark, Part, TaskSet};
use crate::facts::{KnownModels, SimilarTasks, zero_shot_share};
use crate::join::{Model, join, join_own};
use crate::reading::{Checks, Collection, LeftOut, ResultsFolder, Summary, WithoutMeta};
use crate::statistics::{Interval, ItemErrors};

/// Which tasks are columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tasks {
    /// All of the benchmark.
    Selected,
    /// All tasks that have results, even if they are not in the benchmark.
    WithResults,
}

/// The source of variance that an interval, a tie group or a range of ranks covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Over {
    /// The choice of tasks.
    #[default]
    Tasks,
    /// The choice of items: queries, pairs, texts, experiments.
    Items,
}

impl Over {
    /// Its name in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tasks => "tasks",
            Self::Items => "items",
        }
    }
}

/// The scores of every model on the tasks.
#[derive(Clone, Debug, Default)]
pub struct Board {
    /// The name of the set of tasks.
    pub name: String,
    /// The part of the benchmark that the tasks are; `None` for the whole benchmark.
    pub part: Option<Part>,
    /// The benchmark that the tasks contain together with others, so that the means are not its
    /// means.
    pub beyond: Option<BeyondBenchmark>,
    /// The description of the benchmark.
    pub about: About,
    /// The time of the newest result, in Unix seconds; `None` if no result states its time.
    pub newest: Option<f64>,
    /// The tasks.
    pub columns: Vec<Column>,
    /// Types of the tasks, in the order in which they first occur.
    pub types: Vec<String>,
    /// Groups of tasks, as the benchmark lists them.
    pub groups: Vec<BoardGroup>,
    /// Languages that are shown one by one.
    pub languages: Vec<BoardLanguage>,
    /// The models, best first.
    pub rows: Vec<Row>,
    /// Numbers of the tasks that every model has.
    pub common: Vec<usize>,
    /// True if the tasks are too few to tell any two models apart.
    pub too_few: bool,
    /// What tie groups and ranges of ranks cover: items, if every ranked model has outcomes, else
    /// tasks.
    pub over: Over,
    /// The uncertainty over items of scores and differences on single tasks, if there are outcomes.
    pub item_errors: ItemErrors,
    /// Warnings about results that were skipped or may not be comparable.
    pub warnings: Vec<BoardWarning>,
}

impl Board {
    /// The board of `benchmark` over `collection`.
    pub fn new(
        benchmark: &TaskSet,
        tasks: Tasks,
        collection: &Collection,
        facts: &KnownModels,
        similar: &SimilarTasks,
        checks: Checks,
    ) -> Self {
        let mut warnings: Vec<BoardWarning> =
            collection.left_out.iter().cloned().map(BoardWarning::File).collect();
        let mut left_out = Vec::new();
        let models = models(collection, facts, checks);
        let columns = columns(benchmark, tasks, &models, checks);
        let mut types: Vec<String> = Vec::new();
        for column in &columns {
            if !types.contains(&column.task.task_type) {
                types.push(column.task.task_type.clone());
            }
        }
        let rows = models.iter().map(|model| {
            let cells =
                columns.iter().map(|column| Cell::new(model, column, checks, &mut left_out)).collect();
            row(model, cells, &columns, facts, similar)
        });
        let rows: Vec<Row> = rows.collect();
        warnings.extend(left_out.into_iter().map(BoardWarning::Score));
        let groups = benchmark.groups.iter().filter_map(|group| BoardGroup::new(group, &columns)).collect();
        let languages = BoardLanguage::all(&benchmark.languages, &columns);
        let dates = collection.folders.iter().flat_map(|folder| &folder.files).filter_map(|file| file.date);
        let mut board = Self {
            name: benchmark.name.clone(),
            part: benchmark.part.clone(),
            beyond: benchmark.beyond.clone(),
            about: benchmark.about.clone(),
            newest: dates.reduce(f64::max),
            columns,
            types,
            groups,
            languages,
            rows,
            warnings,
            ..Self::default()
        };
        board.name_apart();
        board.warn_of_others();
        board.rows.retain(Row::has_score);
        if board.is_empty() && board.warnings.is_empty() {
            board.warnings = warn_of_unselected(collection);
        } else {
            let units = UnknownUnits::of_board(&board.columns, &models);
            board.warnings.extend(units.map(BoardWarning::UnknownUnits));
        }
        let is_shown =
            |folder: &ResultsFolder| board.rows.iter().any(|row| row.places.contains(&folder.path));
        let without_meta = WithoutMeta::of(collection, is_shown);
        board.warnings.extend(without_meta.map(BoardWarning::WithoutMeta));
        board.compute_means_and_ranks();
        board
    }

    /// True if no model has a score.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Names of the tasks that no model has completely, if therefore no model has a mean over all
    /// tasks: they explain why the table has no means. A task that is known only from results is
    /// complete for some model.
    pub fn tasks_that_nobody_has(&self) -> Vec<&str> {
        if self.rows.is_empty()
            || self.rows.iter().any(|row| row.cells.iter().all(|cell| cell.complete.is_some()))
        {
            return Vec::new();
        }
        let is_missing = |number: usize| self.rows.iter().all(|row| row.cells[number].complete.is_none());
        let columns = self.columns.iter().enumerate().filter(|(number, _)| is_missing(*number));
        columns.map(|(_, column)| column.task.name.as_str()).collect()
    }

    /// Keeps only these rows. Ranks and their uncertainty are computed again, over tasks, among the
    /// remaining rows.
    pub fn retain(&mut self, keep: impl Fn(&Row) -> bool) {
        self.rows.retain(keep);
        for row in &mut self.rows {
            (row.rank, row.ranks, row.group) = (None, None, None);
            (row.interval, row.item_interval) = (None, None);
        }
        self.over = Over::Tasks;
        self.item_errors = ItemErrors::default();
        self.compute_means_and_ranks();
    }

    /// The interval of a row's mean, over the same source of variance as its tie group.
    pub fn interval(&self, row: &Row) -> Option<Interval> {
        match self.over {
            Over::Tasks => row.interval,
            Over::Items => row.item_interval,
        }
    }

    /// The row called `name`, or that of the model of this name; `None` if there is none, or
    /// several.
    pub fn row(&self, name: &str) -> Option<&Row> {
        match self.rows_of(name)[..] {
            [row] => Some(row),
            _ => None,
        }
    }

    /// The row called `name`, else all of the model of this name.
    pub fn rows_of(&self, name: &str) -> Vec<&Row> {
        match self.rows.iter().find(|row| row.name == name) {
            Some(row) => vec![row],
            None => self.rows.iter().filter(|row| row.model == name).collect(),
        }
    }

    /// The scores of a row that were left out because they cannot be right.
    pub fn left_out_of<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = &'a LeftOutScore> {
        self.warnings.iter().filter_map(move |warning| match warning {
            BoardWarning::Score(score) if row.has_lost(score) => Some(score),
            _ => None,
        })
    }

    /// Files, or entries of files, that could not be used when results were read.
    pub fn left_out_when_read(&self) -> impl Iterator<Item = &LeftOut> {
        self.warnings.iter().filter_map(|warning| match warning {
            BoardWarning::File(left) => Some(left),
            _ => None,
        })
    }

    /// Warnings about results of these rows that do not count: files and scores that cannot be
    /// right, and results for units that their tasks do not have.
    pub fn left_out_of_rows(&self, rows: &[&Row]) -> Vec<BoardWarning> {
        let mut found: Vec<BoardWarning> = Vec::new();
        for warning in self.warnings.iter().filter_map(|warning| warning.left_out_of(rows)) {
            if !found.contains(&warning) {
                found.push(warning);
            }
        }
        found
    }

    /// Rows of one model get names that differ: by experiment, by revision where it has several,
    /// and by folder where the same model has other scores in another folder.
    fn name_apart(&mut self) {
        let models: Vec<(String, Vec<String>)> =
            self.rows.iter().map(|row| (row.model.clone(), row.revisions.clone())).collect();
        for row in &mut self.rows {
            let others = models.iter().filter(|(model, _)| *model == row.model);
            let states: BTreeSet<&Vec<String>> = others.map(|(_, revisions)| revisions).collect();
            row.name = row.model.clone();
            if states.len() > 1 {
                row.name = format!("{} at {}", row.name, row.revisions.join(", "));
            }
            if let Some(experiment) = &row.experiment {
                row.name = format!("{}, experiment {experiment}", row.name);
            }
        }
        let names: Vec<String> = self.rows.iter().map(|row| row.name.clone()).collect();
        for row in &mut self.rows {
            if names.iter().filter(|name| **name == row.name).count() > 1 {
                let places: Vec<String> =
                    row.places.iter().map(|place| place.display().to_string()).collect();
                row.name = format!("{} in {}", row.name, places.join(", "));
            }
        }
    }

    fn warn_of_others(&mut self) {
        for row in &self.rows {
            for (cell, column) in row.cells.iter().zip(&self.columns) {
                self.warnings.extend(row.notes_on(column, cell).map(BoardWarning::Noted));
            }
        }
    }
}

/// A warning for each file, if no file has a score that counts: its results are for units that the
/// selected tasks do not have.
fn warn_of_unselected(collection: &Collection) -> Vec<BoardWarning> {
    let files =
        collection.folders.iter().flat_map(|folder| folder.files.iter().map(move |file| (folder, file)));
    let unselected = |(folder, file): (&ResultsFolder, &Arc<Summary>)| {
        let units: Vec<String> = file
            .entries
            .iter()
            .map(|entry| format!("split {}, subset {}", entry.split, entry.subset))
            .collect();
        let found = match units.as_slice() {
            [] => "no score".to_owned(),
            [one] => one.clone(),
            [one, ..] => format!("{one}, and {} more", units.len() - 1),
        };
        let path = folder.path.join(format!("{}.json", file.stem));
        BoardWarning::Unselected { path, model: folder.model.clone(), found }
    };
    files.map(unselected).collect()
}

/// Joins the revisions of a model in third-party results. Results of this host record their inputs,
/// so different states of a model stay separate.
fn models(collection: &Collection, facts: &KnownModels, checks: Checks) -> Vec<Model> {
    let is_ours = |folder: &&ResultsFolder| folder.files.iter().any(|file| file.is_ours);
    let ours: BTreeSet<&str> =
        collection.folders.iter().filter(is_ours).map(|folder| folder.model.as_str()).collect();
    let (apart, joined): (Vec<&ResultsFolder>, Vec<&ResultsFolder>) =
        collection.folders.iter().partition(|folder| ours.contains(folder.model.as_str()));
    let mut models = join(joined, facts);
    models.extend(join_own(apart, facts, checks));
    models
}

fn columns(benchmark: &TaskSet, tasks: Tasks, models: &[Model], checks: Checks) -> Vec<Column> {
    let with_results: BTreeSet<&str> =
        models.iter().flat_map(|model| model.files.keys().map(String::as_str)).collect();
    let known = benchmark.tasks.iter();
    let known = known.filter(|task| tasks == Tasks::Selected || with_results.contains(task.name.as_str()));
    let mut columns: Vec<Column> = known.map(|task| Column::new(task.clone(), models, checks)).collect();
    let is_asked =
        |task: &str| tasks == Tasks::WithResults || benchmark.of_results.iter().any(|asked| asked == task);
    let unknown = with_results.iter().filter(|task| benchmark.task(task).is_none() && is_asked(task));
    columns.extend(unknown.map(|task| Column::new(task_of_results(task, models), models, checks)));
    columns
}

fn row(
    model: &Model,
    cells: Vec<Cell>,
    columns: &[Column],
    facts: &KnownModels,
    similar: &SimilarTasks,
) -> Row {
    let trained_on = similar.find_training_tasks(facts, &model.name);
    let tasks = columns.iter().map(|column| column.task.name.as_str());
    Row {
        model: model.name.clone(),
        revisions: model.revisions.clone(),
        experiment: model.experiment.clone(),
        places: model.places.clone(),
        facts: facts.of(&model.name, model.meta.as_ref()),
        is_known: facts.models.contains_key(&model.name),
        zero_shot: trained_on.and_then(|trained_on| zero_shot_share(&trained_on, tasks)),
        cells,
        ..Row::default()
    }
}

/// Computes a row's mean score for each language over all splits and subsets in it, as the
/// reference does.
pub fn average_by_language(board: &Board, row: &Row) -> BTreeMap<String, f64> {
    let mut sums: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    for (column, cell) in board.columns.iter().zip(&row.cells) {
        let languages = column.task.languages();
        for ((_, subset), score) in column.units.iter().zip(&cell.units) {
            let Some(score) = score else { continue };
            for language in languages.of(subset) {
                let sum = sums.entry(language).or_default();
                *sum = (sum.0 + score, sum.1 + 1);
            }
        }
    }
    sums.into_iter().map(|(language, (sum, count))| (language.to_owned(), sum / count as f64)).collect()
}

/// Lists the languages in which a row lacks a unit, so that its mean covers other tasks than the
/// means of other rows.
pub fn list_lacking_languages<'a>(board: &'a Board, row: &Row) -> BTreeSet<&'a str> {
    let mut lacking = BTreeSet::new();
    for (column, cell) in board.columns.iter().zip(&row.cells) {
        let languages = column.task.languages();
        for (place, (_, subset)) in column.units.iter().enumerate() {
            if cell.units.get(place).copied().flatten().is_none() {
                lacking.extend(languages.of(subset));
            }
        }
    }
    lacking
}
