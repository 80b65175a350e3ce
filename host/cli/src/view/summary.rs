//! The table at the end of a run, the same as JSON, and scores by the size of embeddings.

use std::collections::HashSet;

use mteb_engine::run::{RunReport, TaskReport, UnitOutcome};
use mteb_measures::aggregate::{mean_of_tasks, task_type_means};
use mteb_models::encode::{Occupation, WorkerSpeed};
use mteb_registry::Selected;
use mteb_report::grid::{Grid, Value as Cell};
use mteb_report::output::rows_grid;
use mteb_report::percent_or_dash;
use mteb_report::statistics::{Interval, interval_of_types, mean_interval};
use mteb_results::bounds;
use mteb_results::footprint::Counters;
use serde_json::{Value, json};

use super::progress_lines::workers_line;
use super::table::{cell, names_text_by, right, table, text};
use crate::output;

/// The field with the score of a task.
const SCORE: &str = "main_score";

/// A benchmark that a run holds whole beside other tasks: the means of the run are its means, those of the others say nothing.
#[derive(Clone, Debug)]
pub struct BenchmarkWithin {
    name: String,
    tasks: Vec<Selected>,
}

impl BenchmarkWithin {
    /// The benchmark `name` of these `tasks`.
    pub fn new((name, tasks): (String, Vec<Selected>)) -> Self {
        Self { name, tasks }
    }

    /// Its tasks and units of the run alone.
    fn narrow(&self, report: &RunReport) -> RunReport {
        let mut own = report.clone();
        own.tasks.retain_mut(|task| {
            let Some(selected) = self.tasks.iter().find(|own| own.entry.card.name == task.task) else {
                return false;
            };
            let units: HashSet<(&str, &str)> = selected.units().collect();
            task.units.retain(|unit| units.contains(&(unit.split.as_str(), unit.subset.as_str())));
            true
        });
        own
    }
}

/// The table of a run with its means, or those of a benchmark within it, ready to print.
pub fn summary_table(report: &RunReport, within: Option<&BenchmarkWithin>) -> String {
    let titles = ["Task", "Type", "Main score", "", "Texts/s", "Time"];
    let mut rows: Vec<Vec<String>> = vec![titles.map(str::to_owned).into()];
    for task in &report.tasks {
        let names = [task.task.clone(), task.task_type.clone(), task.main_score.clone()];
        rows.push([&names[..], &[percent_or_dash(task.score()), speed(task), time(task)]].concat());
    }
    let means = means(&within.map_or_else(|| report.clone(), |within| within.narrow(report)));
    let none = String::new;
    if let Some(within) = within {
        let tasks = format!("{} of {}", within.tasks.len(), output::count(report.tasks.len(), "task"));
        rows.push(vec![within.name.clone(), tasks, none(), none(), none(), none()]);
    }
    for (name, Mean { mean, interval }) in [("Mean(Task)", means.task), ("Mean(TaskType)", means.task_type)] {
        let interval = interval.map_or_else(none, |interval| range(&interval));
        rows.push(vec![name.to_owned(), none(), interval, percent_or_dash(mean), none(), none()]);
    }
    // The score first, then what it is, then what it took.
    let table = names_text_by(&[3, 2, 1, 5, 4], &rows, &[false, false, false, true, true, true]);
    let texts = format!("{}{}", texts_line(report.counters()), idle(report.occupation));
    let workers = workers_line(&report.workers).map(|line| format!("\n{}", output::wrap_prose(&line)));
    format!("{table}\n{}{}", output::wrap_prose(&texts), workers.unwrap_or_default())
}

/// How many texts the model had to encode.
fn texts_line(counters: Counters) -> String {
    let Counters { texts, encoded, from_cache, failed, .. } = counters;
    let repeated = counters.repeated();
    let failed = if failed > 0 {
        format!(", {failed} without an embedding because their unit failed")
    } else {
        String::new()
    };
    format!(
        "Texts: {texts} in total, {encoded} encoded, {from_cache} from the cache, {}{failed}",
        output::count(repeated as usize, "duplicate")
    )
}

/// How long the model waited for texts, if it was asked at all.
fn idle(occupation: Occupation) -> String {
    let share = occupation.idle_share();
    share.map_or_else(String::new, |share| format!("; the model was idle {:.0} % of the time", 100.0 * share))
}

/// What a worker has encoded.
fn worker_json(worker: &WorkerSpeed) -> Value {
    json!({
        "device": worker.device,
        "texts": worker.texts,
        "texts_per_second": worker.texts_per_second(),
    })
}

/// The report of a run as JSON.
pub fn summary_json(report: &RunReport, within: Option<&BenchmarkWithin>) -> Value {
    let means_of_run = means(report);
    let benchmark = within.map(|within| {
        let Means { task, task_type } = means(&within.narrow(report));
        json!({
            "name": within.name,
            "tasks": within.tasks.len(),
            "mean_task": task.mean,
            "mean_task_interval": ends(task.interval),
            "mean_task_type": task_type.mean,
            "mean_task_type_interval": ends(task_type.interval),
        })
    });
    json!({
        "model": report.model,
        "revision": report.revision,
        "results_folder": report.folder.to_string_lossy(),
        "mean_task": means_of_run.task.mean,
        "mean_task_interval": ends(means_of_run.task.interval),
        "mean_task_type": means_of_run.task_type.mean,
        "mean_task_type_interval": ends(means_of_run.task_type.interval),
        "benchmark": benchmark,
        "texts": texts_json(report.counters()),
        "encoding": {
            "busy_seconds": report.occupation.busy().as_secs_f64(),
            "idle_share": report.occupation.idle_share(),
            "workers": report.workers.iter().map(worker_json).collect::<Vec<_>>(),
        },
        "tasks": report.tasks.iter().map(task_json).collect::<Vec<_>>(),
    })
}

/// The report as a table, of its JSON: a row a task; of several sizes of embeddings a row a task and size.
pub fn summary_grid(answer: &Value) -> Grid {
    let runs = answer.as_array().map_or_else(|| std::slice::from_ref(answer), Vec::as_slice);
    let rows = runs.iter().flat_map(|run| {
        let tasks = run["tasks"].as_array().into_iter().flatten();
        tasks.map(|task| {
            let mut row = json!({ "model": run["model"], "revision": run["revision"] });
            if let Some(dimension) = run.get("dimension") {
                row["dimension"] = dimension.clone();
            }
            for (name, value) in task.as_object().into_iter().flatten().filter(|(name, _)| *name != "units") {
                row[name] = value.clone();
            }
            row
        })
    });
    let mut grid = rows_grid(&[], &rows.collect());
    let scores = grid.titles.iter().position(|title| title == SCORE);
    for row in &mut grid.rows {
        let Some(cell) = scores.and_then(|column| row.get_mut(column)) else { continue };
        if let Cell::Measured(score) = *cell {
            *cell = Cell::Share(score);
        }
    }
    grid
}

fn task_json(task: &TaskReport) -> Value {
    let units: Vec<Value> = task
        .units
        .iter()
        .map(|unit| {
            let (state, score, reason) = match &unit.outcome {
                UnitOutcome::Scored(score) => ("scored", Some(*score), None),
                UnitOutcome::Found(score) => ("found", Some(*score), None),
                UnitOutcome::Searched => ("searched", None, None),
                UnitOutcome::Failed(reason) => ("failed", None, Some(reason)),
            };
            json!({
                "split": unit.split,
                "subset": unit.subset,
                "state": state,
                "main_score": score.filter(|score| score.is_finite()),
                "reason": reason,
                "warnings": unit.warnings,
            })
        })
        .collect();
    json!({
        "task": task.task,
        "type": task.task_type,
        "main_score_name": task.main_score,
        (SCORE): task.score().filter(|score| score.is_finite()),
        "texts": texts_json(task.counters),
        "texts_per_second": texts_per_second(task),
        "seconds": task.seconds,
        "units": units,
    })
}

/// A mean with its 95 % interval over tasks, if it has one.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    mean: Option<f64>,
    interval: Option<Interval>,
}

/// Mean(Task) and Mean(TaskType) (protocol 8.2): absent if a task has no score, there is none, or the run was interrupted.
#[derive(Clone, Copy, Debug, Default)]
struct Means {
    task: Mean,
    task_type: Mean,
}

/// The means of a run, with the intervals that a leaderboard gives them.
fn means(report: &RunReport) -> Means {
    if report.interrupted || report.tasks.is_empty() {
        return Means::default();
    }
    let scores: Vec<Option<f64>> = report.tasks.iter().map(TaskReport::score).collect();
    let types: Vec<&str> = report.tasks.iter().map(|task| task.task_type.as_str()).collect();
    let typed: Vec<(&str, Option<f64>)> = types.iter().copied().zip(scores.iter().copied()).collect();
    let (mean, of_types) = (mean_of_tasks(&scores), task_type_means(&typed).mean);
    let all: Option<Vec<f64>> = scores.iter().copied().collect();
    let interval = mean.and_then(|_| mean_interval(&all?));
    let mut names: Vec<&str> = Vec::new();
    types.iter().for_each(|name| {
        if !names.contains(name) {
            names.push(name)
        }
    });
    let of_type =
        |name: &&str| typed.iter().filter(|(own, _)| own == name).map(|(_, score)| *score).collect();
    let by_type: Vec<Option<Vec<f64>>> = names.iter().map(of_type).collect();
    let bounds_of: Vec<(&str, (f64, f64))> =
        report.tasks.iter().map(|task| (task.task_type.as_str(), bounds(&task.main_score))).collect();
    let within = |(low, high): (f64, f64)| move |interval: Interval| interval.within(low, high);
    let whole = mean_of_bounds(bounds_of.iter().map(|(_, bounds)| *bounds));
    let of_each = names.iter().map(|name| {
        mean_of_bounds(bounds_of.iter().filter(|(own, _)| own == name).map(|(_, bounds)| *bounds))
    });
    let typewise = mean_of_bounds(of_each);
    Means {
        task: Mean { mean, interval: interval.map(within(whole)) },
        task_type: Mean {
            mean: of_types,
            interval: of_types.and_then(|mean| interval_of_types(mean, &by_type)).map(within(typewise)),
        },
    }
}

fn mean_of_bounds(bounds: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    let (low, high, count) =
        bounds.fold((0.0, 0.0, 0.0), |(low, high, count), of| (low + of.0, high + of.1, count + 1.0));
    (low / count, high / count)
}

fn ends(interval: Option<Interval>) -> Option<[f64; 2]> {
    interval.map(|interval| [interval.low, interval.high])
}

/// An interval in percent, for a table.
fn range(interval: &Interval) -> String {
    format!("95 %: {:.2} to {:.2}", 100.0 * interval.low, 100.0 * interval.high)
}

fn texts_json(counters: Counters) -> Value {
    let Counters { texts, encoded, from_cache, failed, .. } = counters;
    let mut found = json!({ "asked": texts, "encoded": encoded, "from_cache": from_cache });
    if failed > 0 {
        found["failed"] = failed.into();
    }
    found
}

fn texts_per_second(task: &TaskReport) -> Option<f64> {
    let Counters { texts, busy, .. } = task.counters;
    (texts > 0 && !busy.is_zero()).then(|| texts as f64 / busy.as_secs_f64())
}

fn speed(task: &TaskReport) -> String {
    texts_per_second(task).map_or_else(String::new, |speed| format!("{speed:.0}"))
}

/// How long a task took, or why it has no score.
fn time(task: &TaskReport) -> String {
    match task.failures().count() {
        0 if task.was_complete() => "done before".to_owned(),
        0 => format!("{:.1} s", task.seconds),
        failed if failed == task.units.len() => "failed".to_owned(),
        failed => format!("{failed} of {} failed", output::count(task.units.len(), "unit")),
    }
}

/// A run with embeddings of one size.
pub struct Size {
    /// Numbers an embedding.
    pub dimension: u32,
    /// Bytes an embedding.
    pub bytes: u32,
    /// What became of it.
    pub report: RunReport,
}

/// A row a task, a column a size, main scores in per cent.
pub fn size_table(sizes: &[Size]) -> String {
    let heads = sizes.iter().map(|size| format!("{} ({} B)", size.dimension, size.bytes));
    let mut table = table(["Task".to_owned()].into_iter().chain(heads));
    let tasks = sizes.first().map(|size| size.report.tasks.as_slice()).unwrap_or_default();
    for (place, task) in tasks.iter().enumerate() {
        let score = |size: &Size| {
            let found = size.report.tasks.get(place).and_then(TaskReport::score);
            right(found.map_or_else(|| "–".to_owned(), |score| format!("{:.2}", 100.0 * score)))
        };
        table.add_row([cell(&task.task)].into_iter().chain(sizes.iter().map(score)));
    }
    text(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_unit_that_failed_are_told_from_duplicates() {
        let scored = Counters { texts: 10, encoded: 5, from_cache: 3, ..Counters::default() };
        let line = "Texts: 10 in total, 5 encoded, 3 from the cache, 2 duplicates";
        assert_eq!(texts_line(scored), line);
        let failed = Counters { texts: 20, encoded: 4, ..Counters::default() }.of_failed();
        let line = "Texts: 30 in total, 9 encoded, 3 from the cache, 2 duplicates, 16 without an embedding because their unit failed";
        assert_eq!(texts_line(scored + failed), line);
    }
}
