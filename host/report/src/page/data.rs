//! What the script of the page works on: scores of tasks as they are, so that means of some of them
//! are exact; what is only shown as hundredths of a percent, so that a page stays small;
//! and what a page has beside these scores.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::graded::Graded;
use super::language_parts::LanguageParts;
use super::map::TextMap;
use super::notes::line_of_row;
use super::samples::Samples;
use super::texts::{PageLanguages, show_name, to_hundredths};
use crate::facts::is_baseline;
use crate::reading::LeftOutPart;
use crate::statistics::Interval;
use crate::table::{Board, BoardGroup, Column, Row, average_by_language, list_lacking_languages};
use crate::visible;

/// The data of the page, which opens in `language`.
pub fn data(board: &Board, parts: &PageParts, language: &str) -> Value {
    let languages: BTreeSet<&str> = board.columns.iter().flat_map(languages).collect();
    let by_language = LanguageParts::new(board);
    let rows = board.rows.iter().enumerate();
    let models = rows.map(|(number, row)| {
        let mut model = model(board, number, row);
        model["parts"] = by_language.of_row(row);
        model
    });
    let models: Vec<Value> = models.collect();
    let tasks = board.columns.iter().enumerate().map(|(number, column)| {
        let mut task = task(column, parts);
        task["mixed"] = by_language.is_mixed(number).into();
        task["parts"] = by_language.of_task(number, &languages);
        task
    });
    let tasks: Vec<Value> = tasks.collect();
    json!({
        "language": language,
        "name": board.name,
        "about": about(board),
        "over": board.over.name(),
        "types": board.types,
        "groups": board.groups.iter().map(BoardGroup::title).collect::<Vec<_>>(),
        "languages": languages,
        "tasks": tasks,
        "models": models,
        "paired": list_noise_of_pairs(board),
        "graded": parts.graded.as_ref().map(Graded::data),
        "maps": parts.maps.iter().map(TextMap::json).collect::<Vec<_>>(),
    })
}

/// What the head of the page and its exports say of the benchmark.
fn about(board: &Board) -> Value {
    let about = &board.about;
    json!({
        "citation": about.citation.as_deref().map(visible),
        "newest": board.newest,
    })
}

/// The languages of a task, each once.
pub fn languages(column: &Column) -> BTreeSet<&str> {
    let subsets: BTreeSet<&str> = column.units.iter().map(|(_, subset)| subset.as_str()).collect();
    let languages = column.task.languages();
    subsets.into_iter().flat_map(|subset| languages.of(subset)).collect()
}

fn task(column: &Column, parts: &PageParts) -> Value {
    let task = &column.task;
    let units: Vec<String> =
        column.units.iter().take(12).map(|(split, subset)| format!("{split}: {subset}")).collect();
    let more = if column.units.len() > units.len() { ", …" } else { "" };
    json!({
        "name": show_name(&task.name),
        "type": task.task_type,
        "domains": task.domains,
        "languages": languages(column),
        "bounds": bounds(column),
        "count": column.units.len(),
        "mainScore": task.main_score,
        "badge": task.badge,
        "annotations": task.annotations,
        "creation": task.sample_creation,
        "license": task.license.as_deref().map(show_name),
        "size": task.texts,
        "isCut": lacks_a_subset(column),
        "citation": task.citation.as_deref().map(visible),
        "description": visible(&task.description),
        "reference": task.reference,
        "dataset": task.dataset,
        "link": link(&task.dataset, task.revision.as_deref()),
        "samples": parts.samples.json(&task.name),
        "revision": task.revision,
        "units": format!("{}{more}", units.join(", ")),
    })
}

/// True if the card has subsets beside those that count: texts of all of them were counted
/// together.
fn lacks_a_subset(column: &Column) -> bool {
    let own = column.task.subset_names();
    column.task.other_units.iter().any(|(_, subset)| !own.contains(&subset.as_str()))
}

/// The bounds of the main score in hundredths of a percent; nothing where it has none.
fn bounds(column: &Column) -> [Option<f64>; 2] {
    let (low, high) = column.bounds;
    [low, high].map(|bound| Some(10_000.0 * bound).filter(|bound| bound.is_finite()))
}

/// Why scores of a row were left out, each with its task and unit: lines that stand on the page
/// without the row's own name.
fn left_out(board: &Board, row: &Row) -> Vec<String> {
    let when_read = board
        .left_out_when_read()
        .filter(|left| left.part() == LeftOutPart::Score && left.model == row.model);
    let of_row = board.left_out_of(row).map(|score| show_name(&score.of_row()));
    of_row.chain(when_read.map(|left| show_name(&line_of_row(left)))).collect()
}

/// Where a dataset of the hub is, at its revision.
fn link(dataset: &Option<String>, revision: Option<&str>) -> Value {
    let is_plain = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte))
            && !text.contains("..")
    };
    let Some(dataset) = dataset.as_deref().filter(|name| is_plain(name)) else { return Value::Null };
    let revision = revision.filter(|revision| !revision.is_empty() && is_plain(revision));
    let tree = revision.map_or_else(String::new, |revision| format!("/tree/{revision}"));
    format!("https://huggingface.co/datasets/{dataset}{tree}").into()
}

fn model(board: &Board, number: usize, row: &Row) -> Value {
    let spoken: Map<String, Value> = average_by_language(board, row)
        .into_iter()
        .map(|(code, score)| (code, to_hundredths(Some(score))))
        .collect();
    let all: BTreeSet<&str> = board.columns.iter().flat_map(languages).collect();
    let lacking = list_lacking_languages(board, row);
    // Places among the languages of the page: names would be long.
    let lacking: Vec<usize> = all
        .iter()
        .enumerate()
        .filter(|(_, code)| lacking.contains(**code) && spoken.contains_key(**code))
        .map(|(place, _)| place)
        .collect();
    let facts = &row.facts;
    let ends = |interval: Option<Interval>| {
        interval.map(|interval| [interval.low, interval.high].map(|end| to_hundredths(Some(end))))
    };
    json!({
        "name": show_name(&row.name),
        "rank": row.rank,
        "group": row.group,
        "mean": to_hundredths(row.mean),
        "low": to_hundredths(board.interval(row).map(|interval| interval.low)),
        "interval": ends(row.interval),
        "itemInterval": ends(row.item_interval),
        "intervalOfTypes": ends(row.interval_of_types),
        "typeIntervals": row.type_intervals.iter().map(|interval| ends(*interval)).collect::<Vec<_>>(),
        "ranks": row.ranks.map(|(best, worst)| [best, worst]),
        "meanType": to_hundredths(row.mean_of_types),
        "types": row.types.iter().map(|mean| to_hundredths(*mean)).collect::<Vec<_>>(),
        "groups": row.groups.iter().map(|mean| to_hundredths(*mean)).collect::<Vec<_>>(),
        "shares": row.scores(),
        "leftOut": left_out(board, row),
        "languages": spoken,
        "lacking": lacking,
        "parameters": facts.parameters,
        "dimension": facts.dimension,
        "tokens": facts.max_tokens,
        "memory": facts.memory_mb,
        "open": facts.open_weights,
        "instruct": facts.use_instructions,
        "zero": row.zero_shot,
        "release": facts.release_date,
        "license": facts.license.as_deref().map(show_name),
        "framework": facts.framework.iter().map(|name| show_name(name)).collect::<Vec<_>>(),
        "known": row.is_known,
        "marks": row.list_marked_tasks(&board.columns),
        "baseline": is_baseline(&row.model),
        "reference": facts.reference,
        "revision": row.revisions.join(", "),
        "noise": list_noise(board, number),
        "measured": describe_costs(row),
    })
}

/// 97.5 % of a normal distribution lie below so many standard errors: a score on a task has many
/// items.
const REACH: f64 = 1.959_964;

/// Half of the interval of the score of a row on each task, over items; nothing where no outcomes
/// are kept.
fn list_noise(board: &Board, row: usize) -> Value {
    let of_task = |task| to_hundredths(board.item_errors.of_score(task, row).map(|error| REACH * error));
    let all: Vec<Value> = (0..board.columns.len()).map(of_task).collect();
    if all.iter().all(Value::is_null) { Value::Null } else { all.into() }
}

/// The same of the difference of each two rows, by their numbers.
fn list_noise_of_pairs(board: &Board) -> Value {
    let rows = &board.item_errors.rows;
    let mut all = Map::new();
    for (place, one) in rows.iter().enumerate() {
        for other in &rows[place + 1..] {
            let of_task = |task| {
                to_hundredths(
                    board.item_errors.of_difference(task, (*one, *other)).map(|error| REACH * error),
                )
            };
            let tasks: Vec<Value> = (0..board.columns.len()).map(of_task).collect();
            if !tasks.iter().all(Value::is_null) {
                all.insert(format!("{one}-{other}"), tasks.into());
            }
        }
    }
    all.into()
}

/// What was measured while a model was scored: numbers with three digits, for more would be those
/// of one moment.
fn describe_costs(row: &Row) -> Value {
    let found = row.footprint();
    let known = [
        ("seconds", found.seconds),
        ("speed", found.texts_per_second),
        ("peakMemory", found.memory_mb),
        ("gpuMemory", found.gpu_memory_mb),
        ("energy", found.joules),
        ("gpuEnergy", found.gpu_joules),
    ];
    let known =
        known.into_iter().filter_map(|(key, number)| Some((key.to_owned(), round_to_three_digits(number?))));
    let mut known: Map<String, Value> = known.collect();
    if !found.devices.is_empty() {
        known.insert("device".to_owned(), show_name(&found.devices.join(", ")).into());
    }
    if found.tasks > 0 {
        known.insert("stated".to_owned(), found.tasks.into());
    }
    Value::Object(known)
}

fn round_to_three_digits(number: f64) -> Value {
    let unit = 10f64.powi(number.abs().max(f64::MIN_POSITIVE).log10().floor() as i32 - 2);
    let rounded = (number / unit).round() * unit;
    if unit >= 1.0 { Value::from(rounded as i64) } else { json!((rounded * 1e6).round() / 1e6) }
}

/// What a page has beside the scores of its board.
#[derive(Clone, Debug, Default)]
pub struct PageParts {
    /// A view of graded relevance.
    pub graded: Option<Graded>,
    /// Examples of the data of tasks.
    pub samples: Samples,
    /// Texts of tasks in two dimensions.
    pub maps: Vec<TextMap>,
    /// The languages that a reader can choose.
    pub languages: PageLanguages,
    /// Pages of other benchmarks in the same folder: what they are called, and their files.
    pub others: Vec<(String, String)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dataset_is_linked_at_its_revision_and_no_name_leads_elsewhere() {
        let link = |dataset: &str, revision| link(&Some(dataset.to_owned()), revision);
        assert_eq!(
            link("mteb/scifact", Some("0abc")),
            "https://huggingface.co/datasets/mteb/scifact/tree/0abc"
        );
        assert_eq!(link("mteb/scifact", None), "https://huggingface.co/datasets/mteb/scifact");
        assert_eq!(link("a/../../login?next=x", None), Value::Null);
    }
}
