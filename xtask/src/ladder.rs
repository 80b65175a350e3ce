//! The ladder of models on the Indonesian pack: every set measured in one go, as tables of docs/indonesia.md.
//!
//! Results lie in `target/ladder`, so that a ladder that was stopped goes on where it was, and one on other
//! data measures what changed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::command::{root, run_cargo, target_folder};
use crate::document::{machine, put_table, today};
use crate::python::{environment, fill_environment};

/// The document whose tables are written.
const DOCUMENT: &str = "docs/indonesia.md";

/// Models in Python that are no part of the host.
const MODELS: &str = "xtask/python/ladder_models.py";

/// The packages of the model whose runtime the tests do not use.
const USE: &str = "xtask/python/use.txt";

/// Measures every rung on every set and writes the tables. What was measured before on the same data is not measured again.
pub fn ladder() -> Result<ExitCode, String> {
    run_cargo(&["build", "--quiet", "--release", "--package", "mteb-host"])?;
    let tasks = host_json(&["list", "tasks", "--registry", "indonesia", "--json"])?;
    let mut columns = Vec::new();
    for rung in &RUNGS {
        println!("{}", rung.head);
        let outcome = measure(rung);
        if let Err(fault) = &outcome {
            eprintln!("{}: not measured: {fault}", rung.head);
        }
        columns.push(outcome);
    }
    let heads: Vec<&str> = RUNGS.iter().map(|rung| rung.head).collect();
    let measured = format!("made on {} ({})", today()?, machine());
    let text = [
        score_table(&tasks, &heads, &columns, &format!("Version {} of the pack, {measured}", version()?)),
        difference_table(&tasks, &compare_models()),
    ];
    put_table(&root().join(DOCUMENT), "ladder", &text.join("\n"))?;
    let missing = list_missing(&tasks, &heads, &columns);
    missing.iter().for_each(|line| eprintln!("missing: {line}"));
    Ok(if missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The folder of results.
fn folder() -> String {
    target_folder().join("ladder").to_string_lossy().into_owned()
}

/// What a run of a rung tells.
fn measure(rung: &Rung) -> Outcome {
    let (model, python) = match rung.model {
        Model::Host(name) | Model::Ranks(name) => (name.to_owned(), None),
        Model::Tests(class) => (format!("python:{MODELS}:{class}"), Some(environment()?)),
        Model::Own(class) => (format!("python:{MODELS}:{class}"), Some(own_environment()?)),
    };
    let python = python.map(|path| path.to_string_lossy().into_owned());
    let folder = folder();
    let mut arguments =
        vec!["run", "--registry", "indonesia", "--json", "--quiet", "--offline", "--outcomes"];
    arguments.extend(["--model", &model, "--output-folder", &folder]);
    if matches!(rung.model, Model::Ranks(_)) {
        arguments.extend(RANKED.iter().flat_map(|kind| ["--task-type", *kind]));
    }
    arguments.extend(python.iter().flat_map(|path| ["--python", path.as_str()]));
    host_json(&arguments)
}

fn own_environment() -> Result<PathBuf, String> {
    fill_environment(&target_folder().join("use"), &root().join(USE), "100 MB")
}

/// The best model beside each of those below it.
fn compare_models() -> [Outcome; 3] {
    let name = |head: &str| RUNGS.iter().find(|rung| rung.head == head).map_or("", |rung| rung.name);
    let folder = folder();
    BELOW.map(|below| {
        let models = ["compare", name(below), name(BEST)];
        host_json(
            &[&models[..], &["--json", "--offline", "--registry", "indonesia", "--results", &folder]]
                .concat(),
        )
    })
}

/// The version of the pack.
fn version() -> Result<String, String> {
    let path = root().join("indonesia/Cargo.toml");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let version = text.lines().find_map(|line| line.strip_prefix("version = "));
    Ok(version.ok_or_else(|| format!("{}: expected a version", path.display()))?.trim_matches('"').to_owned())
}

/// What the host answers, also where some task failed.
fn host_json(arguments: &[&str]) -> Result<Value, String> {
    let mut command = Command::new(target_folder().join("release/mteb-host"));
    command.current_dir(root()).args(arguments);
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !said.is_empty() {
        eprint!("{said}");
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("{command:?}: no JSON: {error}: {said}"))
}

/// Task types that rank documents, which a model of words alone can do.
const RANKED: [&str; 3] = ["Retrieval", "Reranking", "InstructionReranking"];

/// A rung of the ladder.
struct Rung {
    /// How it is called in tables.
    pub head: &'static str,
    /// The model as the host takes it, or the class in Python.
    pub model: Model,
    /// How it is called in results.
    pub name: &'static str,
}

/// Where a model comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Model {
    /// A part of the host, for all tasks.
    Host(&'static str),
    /// A part of the host that ranks documents alone.
    Ranks(&'static str),
    /// A class that runs in the Python environment of the tests.
    Tests(&'static str),
    /// A class that runs in an environment of its own.
    Own(&'static str),
}

const RUNGS: [Rung; 7] = [
    Rung { head: "random", model: Model::Host("random"), name: "mteb/baseline-random-encoder" },
    Rung { head: "hashing", model: Model::Host("hashing"), name: "mteb-host/hashing" },
    Rung { head: "TF-IDF", model: Model::Tests("TfIdf"), name: "ladder/tfidf" },
    Rung { head: "bm25", model: Model::Ranks("bm25"), name: "mteb/baseline-bm25s" },
    Rung { head: "MiniLM", model: Model::Tests("MiniLM"), name: "ladder/all-MiniLM-L6-v2" },
    Rung { head: "e5 (4 bit)", model: Model::Tests("E5"), name: "ladder/multilingual-e5-small-4bit" },
    Rung { head: "USE", model: Model::Own("Use"), name: "ladder/use-multilingual" },
];

/// The model that ought to be above the others where a set tells better models from worse ones.
const BEST: &str = "e5 (4 bit)";

/// What it is compared with; the last one also for the smallest difference that a set can show.
const BELOW: [&str; 3] = ["random", "hashing", "MiniLM"];

/// What became of a rung: its scores, or why there are none.
type Outcome = Result<Value, String>;

/// Main scores by task.
type Scores = BTreeMap<String, f64>;

/// A Markdown table of main scores in percent, a line a task, after a line that says what of which data it is.
fn score_table(tasks: &Value, heads: &[&str], columns: &[Outcome], measured: &str) -> String {
    let mut lines = vec![
        format!(
            "{measured}: all sets and models by one command, `cargo xtask ladder`. Main scores in percent.\n"
        ),
        format!("| Task | Type | {} |", heads.join(" | ")),
        format!("|---|---|{}", "---:|".repeat(heads.len())),
    ];
    let columns: Vec<Scores> = columns.iter().map(scores).collect();
    for task in tasks.as_array().into_iter().flatten() {
        let (name, kind) = (text(task, "name"), text(task, "type"));
        let cell = |scores: &Scores| {
            scores.get(name).map_or("–".to_owned(), |score| format!("{:.1}", 100.0 * score))
        };
        let cells: Vec<String> = columns.iter().map(cell).collect();
        lines.push(format!("| {name} | {kind} | {} |", cells.join(" | ")));
    }
    lines.join("\n") + "\n"
}

/// What the ladder lacks, a line a rung: why it has no score, or the tasks without one.
fn list_missing(tasks: &Value, heads: &[&str], columns: &[Outcome]) -> Vec<String> {
    let mut lines = Vec::new();
    for ((head, column), rung) in heads.iter().zip(columns).zip(&RUNGS) {
        if let Err(fault) = column {
            lines.push(format!("{head}: {fault}"));
            continue;
        }
        let found = scores(column);
        let is_due =
            |task: &&Value| !matches!(rung.model, Model::Ranks(_)) || RANKED.contains(&text(task, "type"));
        let tasks = tasks.as_array().into_iter().flatten().filter(is_due).map(|task| text(task, "name"));
        let without: Vec<&str> = tasks.filter(|name| !found.contains_key(*name)).collect();
        if !without.is_empty() {
            lines.push(format!("{head}: no score of {}", without.join(", ")));
        }
    }
    lines
}

/// The main scores of what a run tells; a task that failed has none.
fn scores(told: &Outcome) -> Scores {
    let tasks = told.iter().filter_map(|told| told["tasks"].as_array()).flatten();
    tasks.filter_map(|task| Some((task["task"].as_str()?.to_owned(), task["main_score"].as_f64()?))).collect()
}

fn text<'a>(task: &'a Value, key: &str) -> &'a str {
    task[key].as_str().unwrap_or_default()
}

/// Half of a 95 % interval in standard errors.
const HALF: f64 = 1.96;

/// The smallest true difference, in standard errors, that a test at the 5 % level finds with a power of 80 %.
const SHOWN: f64 = 2.8;

/// A paired difference over the items of a set, in points.
struct Difference {
    points: f64,
    interval: [f64; 2],
}

impl Difference {
    /// That of a task in what `compare` tells, with what its items are.
    fn of<'a>(told: &'a Outcome, task: &str) -> Option<(Self, &'a Value)> {
        let tasks = told.as_ref().ok()?["tasks"].as_array()?;
        let units = tasks.iter().find(|found| found["task"] == task)?["units"].as_array()?;
        // A set of several parts has no items of its own.
        let [unit] = &units[..] else { return None };
        let items = &unit["items"];
        let end = |place: usize| Some(100.0 * items["interval"][place].as_f64()?);
        Some((Self { points: 100.0 * items["difference"].as_f64()?, interval: [end(0)?, end(1)?] }, items))
    }

    fn standard_error(&self) -> f64 {
        (self.interval[1] - self.interval[0]) / (2.0 * HALF)
    }
}

/// A Markdown table of the best model less each of those below it (`told`), and how often it is above all of them.
fn difference_table(tasks: &Value, told: &[Outcome; 3]) -> String {
    let heads: Vec<String> = BELOW.iter().map(|below| format!("{BEST} − {below}")).collect();
    let mut lines = vec![
        format!("| Task | Items | Measure | {} | Smallest difference |", heads.join(" | ")),
        format!("|---|---:|---|{}", "---:|".repeat(heads.len() + 1)),
    ];
    let (mut above, mut others) = (0, Vec::new());
    for name in tasks.as_array().into_iter().flatten().filter_map(|task| task["name"].as_str()) {
        let found: Vec<_> = told.iter().filter_map(|told| Difference::of(told, name)).collect();
        let [.., (last, items)] = &found[..] else { continue };
        if found.len() < told.len() {
            continue;
        }
        match found.iter().all(|(difference, _)| difference.interval[0] > 0.0) {
            true => above += 1,
            false => others.push(name),
        }
        let cell = |(difference, _): &(Difference, &Value)| {
            let [low, high] = difference.interval;
            format!("{:+.1} ({low:+.1} to {high:+.1})", difference.points)
        };
        let cells: Vec<String> = found.iter().map(cell).collect();
        let [kind, measure] = ["kind", "measure"].map(|key| items[key].as_str().unwrap_or_default());
        let smallest = SHOWN * last.standard_error();
        let cells = cells.join(" | ");
        lines.push(format!("| {name} | {} {kind} | {measure} | {cells} | {smallest:.1} |", items["items"]));
    }
    lines.join("\n") + &difference_summary(above, &others)
}

/// What the table says in a paragraph.
fn difference_summary(above: usize, others: &[&str]) -> String {
    let [first, second, last] = BELOW;
    let rest = match others {
        [] => String::new(),
        _ => format!(" The others are {}.", others.join(", ")),
    };
    format!(
        "\n\nIn **{above} of {} sets** {BEST} is above {first}, {second} and {last}, each by more than the 95 % interval of \
         `mteb-host compare` over the items of the set.{rest}\nThe smallest difference is what a set can show of two models: {SHOWN} \
         standard errors of {BEST} − {last}, 80 % power at the 5 % level.\n",
        above + others.len()
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn make_outcomes() -> (Value, Vec<&'static str>, Vec<Outcome>) {
        let tasks = json!([{"name": "A", "type": "STS"}, {"name": "B", "type": "Retrieval"}]);
        let all = json!({"tasks": [{"task": "A", "main_score": 0.4567}, {"task": "B", "main_score": 0.2}]});
        let ranked = json!({"tasks": [{"task": "B", "main_score": 0.25}]});
        let of = |rung: &Rung| Ok(if matches!(rung.model, Model::Ranks(_)) { &ranked } else { &all }.clone());
        (tasks, RUNGS.iter().map(|rung| rung.head).collect(), RUNGS.iter().map(of).collect())
    }

    #[test]
    fn a_line_has_the_scores_of_all_rungs_and_a_dash_where_one_has_none() {
        let (tasks, heads, columns) = make_outcomes();
        let table = score_table(&tasks, &heads, &columns, "Version 3.0.0 of the pack");
        assert!(table.contains("\n| A | STS | 45.7 | 45.7 | 45.7 | – | 45.7 | 45.7 | 45.7 |\n"), "{table}");
        assert!(table.starts_with("Version 3.0.0 of the pack: "), "{table}");
        assert_eq!(list_missing(&tasks, &heads, &columns), Vec::<String>::new());
    }

    #[test]
    fn what_could_not_be_measured_is_named() {
        let (tasks, heads, mut columns) = make_outcomes();
        columns[0] = Err("no Python".to_owned());
        columns[1] =
            Ok(json!({"tasks": [{"task": "A", "main_score": null}, {"task": "B", "main_score": 0.2}]}));
        assert_eq!(list_missing(&tasks, &heads, &columns), ["random: no Python", "hashing: no score of A"]);
        assert!(score_table(&tasks, &heads, &columns, "").contains("\n| A | STS | – | – | 45.7 |"));
    }

    fn told_difference(difference: f64, half: f64) -> Outcome {
        let items = json!({
            "kind": "pairs", "items": 800, "measure": "cosine_spearman", "difference": difference,
            "interval": [difference - half, difference + half],
        });
        Ok(json!({"tasks": [{"task": "A", "units": [{"items": items}]}]}))
    }

    #[test]
    fn the_smallest_difference_follows_from_the_interval_beside_the_last_model() {
        let tasks = json!([{"name": "A"}, {"name": "Unmeasured"}]);
        let table = difference_table(
            &tasks,
            &[told_difference(0.5, 0.1), told_difference(0.2, 0.1), told_difference(0.1, 0.07)],
        );
        let line = "| A | 800 pairs | cosine_spearman | +50.0 (+40.0 to +60.0) | +20.0 (+10.0 to +30.0) | +10.0 (+3.0 to +17.0) | 10.0 |";
        assert!(table.contains(line) && !table.contains("Unmeasured"), "{table}");
        assert!(
            table.contains("In **1 of 1 sets** e5 (4 bit) is above random, hashing and MiniLM"),
            "{table}"
        );
    }

    #[test]
    fn a_set_that_does_not_put_the_best_model_first_is_named() {
        let table = difference_table(
            &json!([{"name": "A"}]),
            &[told_difference(0.5, 0.1), told_difference(0.0, 0.1), told_difference(0.1, 0.07)],
        );
        assert!(table.contains("In **0 of 1 sets**") && table.contains("The others are A."), "{table}");
    }
}
