//! `mteb-host compare A B`: what the difference of two models is worth.

use std::collections::HashMap;
use std::sync::Arc;

use clap::Args;
use mteb_base::suggest::{hint, some};
use mteb_registry::{Registries, TaskEntry};
use mteb_report::compare::{Comparison, Texts, compare, comparison_json, comparison_markdown};
use mteb_report::outcomes::OutcomeFiles;
use mteb_report::output::{Form, missing_tasks, rows_grid};
use mteb_report::table::{Board, BoardWarning, NotedScore, Row};
use mteb_source::{DataSources, query_texts, row_texts};
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;

use super::arguments::{BoardArgs, Format, FormatArgs, print_grid};
use crate::exit::Exit;
use crate::output;
use crate::view::{Scores, markdown_text};

/// Arguments of `compare`.
#[derive(Args, Debug)]
pub struct CompareArgs {
    /// First model, named as in `leaderboard`; may also be a revision or an experiment.
    first: String,
    /// Second model; differences are its scores minus those of the first.
    second: String,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl CompareArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let scores = match self.board.read_with_means() {
            Ok(scores) => scores,
            Err(exit) => return exit,
        };
        let board = scores.board();
        let row = |name| find_row_of(&scores, &board, name);
        let rows = row(&self.first).and_then(|first| Ok((first, row(&self.second)?)));
        let (first, second) = match rows {
            Ok(rows) => rows,
            Err(exit) => return exit,
        };
        if std::ptr::eq(first, second) {
            return output::usage(format!("expected two models, found one twice: {}", first.name));
        }
        let left_out = board.left_out_of_rows(&[first, second]);
        left_out.iter().for_each(output::warn);
        let outcomes = OutcomeFiles::new(first, second);
        let Some(mut comparison) = compare(&board, first, second, &outcomes) else {
            list_uncounted(&board, [first, second]).iter().for_each(output::warn);
            return output::usage(format!(
                "expected a task that both {} and {} have, found none: {}",
                first.name,
                second.name,
                describe_gaps(&board, [first, second])
            ));
        };
        let are_meant = |row: &Row| [&first.name, &second.name].contains(&&row.name);
        let compared = comparison.tasks.len();
        let beyond = board.beyond.iter().filter(|beyond| compared > beyond.of_benchmark);
        comparison.warnings.splice(0..0, beyond.map(|beyond| beyond.line(compared)));
        comparison.warnings.extend(scores.name_unchecked(&board, are_meant));
        add_item_texts(&mut comparison, &board, &self.board.filter.registry, self.board.place.settings());
        let left_out = left_out.iter().map(ToString::to_string);
        match self.format.or_as_fits() {
            // What was said on standard error stands in what is kept, too.
            Format::Json => {
                comparison.warnings.splice(0..0, left_out);
                output::print_json(&comparison_json(&comparison))
            }
            Format::As(Form::Markdown) => {
                comparison.warnings.splice(0..0, left_out);
                output::print(comparison_markdown(&comparison).trim_end())
            }
            Format::Table => output::print(&markdown_text(&comparison_markdown(&comparison))),
            // These have no place for them.
            format => {
                comparison.warnings.iter().for_each(output::warn);
                print_grid(&rows_grid(&[], &comparison_json(&comparison)["tasks"]), format)
            }
        }
    }
}

/// What each of the two lacks of the tasks, and what to do about it.
fn describe_gaps(board: &Board, rows: [&Row; 2]) -> String {
    let line = |row: &Row| {
        let missing = missing_tasks(board, row, |name| output::visible_line(name).into_owned());
        (!missing.is_empty()).then(|| format!("{} lacks {missing}", output::visible_line(&row.name)))
    };
    let mut said: Vec<String> = rows.into_iter().filter_map(line).collect();
    let is_of_results = board.columns.iter().any(|column| column.task.units.is_none());
    said.push(if is_of_results {
        "without the task card, every unit that any model has counts: pass the card with `--registry FILE`, or \
         score the missing units with `run`".to_owned()
    } else {
        "score it with `run`".to_owned()
    });
    said.join("; ")
}

/// Why scores of the two do not count.
fn list_uncounted(board: &Board, rows: [&Row; 2]) -> Vec<NotedScore> {
    let columns = || board.columns.iter().enumerate();
    let of_row = |row: &Row| -> Vec<NotedScore> {
        columns().flat_map(|(number, column)| row.notes_on(column, &row.cells[number])).collect()
    };
    rows.into_iter().flat_map(of_row).collect()
}

/// The model of which it holds for the name behind the organisation, if it holds for one alone.
fn find_only(board: &Board, holds: impl Fn(&str) -> bool) -> Option<&str> {
    let named = |row: &&Row| row.model.rsplit_once('/').is_some_and(|(_, short)| holds(short));
    let mut models = board.rows.iter().filter(named).map(|row| row.model.as_str());
    let model = models.next()?;
    models.all(|other| other == model).then_some(model)
}

/// The model that is called so where it is run: `hashing` for `mteb-host/hashing`, else `random` for `mteb/baseline-random-encoder`.
fn find_by_short_name<'a>(board: &'a Board, name: &str) -> Option<&'a str> {
    let has_word = |short: &str| short.split(['-', '_']).any(|word| word == name);
    find_only(board, |short| short == name).or_else(|| find_only(board, has_word))
}

/// The row of a model on a board of which nobody has said yet what was left out.
///
/// # Errors
/// The exit code, after it was said which models there are, or which files of this one are left out.
pub fn find_row_of<'a>(scores: &Scores, board: &'a Board, name: &str) -> Result<&'a Row, Exit> {
    let left_out = scores.left_out_of(name);
    if left_out.is_empty() || !board.rows_of(name).is_empty() || find_by_short_name(board, name).is_some() {
        return find_row(board, name);
    }
    left_out.iter().for_each(output::warn);
    Err(output::failed(format!(
        "expected results of {name}, found only ones that were skipped, each named above"
    )))
}

/// The row of a model.
///
/// # Errors
/// The exit code, after it was said which models there are.
pub fn find_row<'a>(board: &'a Board, name: &str) -> Result<&'a Row, Exit> {
    let others: Vec<&str> = board.rows_of(name).iter().map(|row| row.name.as_str()).collect();
    if others.len() > 1 {
        let rows = others.join("`, `");
        return Err(output::usage(format!(
            "expected the name of one row, found: {name}, which matches `{rows}`"
        )));
    }
    if others.is_empty()
        && let Some(model) = find_by_short_name(board, name)
    {
        return find_row(board, model);
    }
    board.row(name).ok_or_else(|| {
        // `hashing` for `mteb-host/hashing`, here too.
        let is_called =
            |model: &str| model == name || model.rsplit_once('/').is_some_and(|(_, short)| short == name);
        let is_its = |warning: &&BoardWarning| match warning {
            BoardWarning::UnknownUnits(units) => units.of_models(is_called).is_some(),
            other => other.model().is_some_and(is_called),
        };
        let left_out: Vec<&BoardWarning> = board.warnings.iter().filter(is_its).collect();
        if !left_out.is_empty() {
            left_out.into_iter().for_each(output::warn);
            return output::usage(format!(
                "expected a model with results that can be compared with the others, found: {name}, whose \
                 results are left out; score it again"
            ));
        }
        let names: Vec<&str> = board.rows.iter().map(|row| row.name.as_str()).collect();
        let brief = || names.iter().flat_map(|name| name.split(['/', '-', '_']));
        let brief: Vec<&str> = brief().filter(|word| find_by_short_name(board, word).is_some()).collect();
        let all = some(names.iter().copied());
        let otherwise = if all.is_empty() { String::new() } else { format!("known: {all}") };
        let hint = hint(name, names.iter().chain(&brief).copied(), &otherwise);
        output::usage(format!("expected a model with results, found: {name}{hint}"))
    })
}

/// Gives the items of a comparison their texts. Those whose data is not at hand keep their ids alone, and so do those whose data is
/// not that of the results any more, of which the comparison says so.
fn add_item_texts(comparison: &mut Comparison, board: &Board, registry: &[String], settings: Settings) {
    if !comparison.tasks.iter().flat_map(|task| &task.units).any(|unit| unit.items.is_some()) {
        return;
    }
    let catalog = Catalog::discover(&settings);
    let registries = Registries::load(registry, &catalog);
    let tasks: HashMap<String, Arc<TaskEntry>> =
        registries.tasks().into_iter().map(|task| (task.card.name.clone(), task)).collect();
    let mut sources = DataSources::new(Settings { offline: true, ..settings }, &catalog);
    let made_from = |task: &str, split: &str, subset: &str| {
        let column = board.columns.iter().find(|column| column.task.name == task)?;
        column.made_from(&(split.to_owned(), subset.to_owned()))
    };
    let mut changed: Vec<String> = Vec::new();
    comparison.add_texts(|task, split, subset, texts, ids| {
        let none = || vec![None; ids.len()];
        let Some(entry) = tasks.get(task) else { return none() };
        let change =
            made_from(task, split, subset).and_then(|of| sources.change_since(entry, (split, subset), of));
        if let Some(change) = change {
            let of_other_data = change.is_of_other_data();
            let (place, change) = (format!("{task}, split {split}, subset {subset}"), change.what());
            let why = if of_other_data {
                "the data is not that of the scores"
            } else {
                "the lock refuses the data"
            };
            changed.push(format!("{place}: texts are not shown, for {why} ({change})"));
            return none();
        }
        // A corpus is not read.
        let Ok((unit, _)) = sources.stream(entry, split, subset) else { return none() };
        match texts {
            Texts::Queries => query_texts(&unit, ids),
            Texts::Rows => row_texts(&entry.card, &unit, ids),
            Texts::Nowhere => none(),
        }
    });
    comparison.warnings.extend(changed);
}
