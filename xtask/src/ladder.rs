//! The ladder of models on the Indonesian pack: every set measured in one go, as one table of docs/indonesia.md.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::build::WITHOUT_TORCH;
use crate::command::{root, run_cargo, target_folder};
use crate::document::put_table;
use crate::python::environment;

/// The document whose table is written.
const DOCUMENT: &str = "docs/indonesia.md";

/// Task types that rank documents, which a model of words alone can do.
const RANKED: [&str; 3] = ["Retrieval", "Reranking", "InstructionReranking"];

/// A rung: how it is called in the table, and the model as the host takes it.
struct Rung {
    head: &'static str,
    model: &'static str,
    only_ranks: bool,
}

const RUNGS: [Rung; 6] = [
    Rung { head: "random", model: "random", only_ranks: false },
    Rung { head: "hashing", model: "hashing", only_ranks: false },
    Rung { head: "TF-IDF", model: "python:xtask/python/ladder_models.py:TfIdf", only_ranks: false },
    Rung { head: "bm25", model: "bm25", only_ranks: true },
    Rung { head: "MiniLM", model: "python:xtask/python/ladder_models.py:MiniLM", only_ranks: false },
    Rung { head: "e5 (4 bit)", model: "python:xtask/python/ladder_models.py:E5", only_ranks: false },
];

/// Main scores by task.
type Scores = BTreeMap<String, f64>;

/// Measures every rung on every set and writes the table. A rung that was measured before on the same data is not measured again.
pub fn ladder() -> Result<ExitCode, String> {
    run_cargo(&[&["build", "--quiet"], &WITHOUT_TORCH[..], &["--lib", "--bins"]].concat())?;
    let tasks = host_json(&["list", "tasks", "--registry", "indonesia", "--json"])?;
    let mut columns = Vec::new();
    for rung in &RUNGS {
        println!("{}", rung.head);
        columns.push(measure(rung)?);
    }
    put_table(&root().join(DOCUMENT), "ladder", &table(&tasks, &columns, &version()?))?;
    Ok(ExitCode::SUCCESS)
}

fn measure(rung: &Rung) -> Result<Scores, String> {
    let folder = target_folder().join("ladder");
    let folder = folder.to_string_lossy().into_owned();
    let mut arguments = vec!["run", "--registry", "indonesia", "--json", "--quiet", "--model", rung.model];
    arguments.extend(["--output-folder", &folder]);
    let ranked = RANKED.iter().flat_map(|kind| ["--task-type", *kind]);
    arguments.extend(ranked.filter(|_| rung.only_ranks));
    let python = if rung.model.starts_with("python:") { Some(environment()?) } else { None };
    let python = python.map(|path| path.to_string_lossy().into_owned());
    arguments.extend(python.iter().flat_map(|path| ["--python", path.as_str()]));
    Ok(scores(&host_json(&arguments)?))
}

/// The main scores of what a run tells; a task that failed has none.
fn scores(told: &Value) -> Scores {
    let tasks = told["tasks"].as_array().into_iter().flatten();
    tasks.filter_map(|task| Some((task["task"].as_str()?.to_owned(), task["main_score"].as_f64()?))).collect()
}

/// A Markdown table of scores in percent, one line per task.
fn table(tasks: &Value, columns: &[Scores], version: &str) -> String {
    let heads: Vec<&str> = RUNGS.iter().map(|rung| rung.head).collect();
    let mut lines = vec![
        format!(
            "Version {version} of the pack, all sets and models in one go (`cargo xtask ladder`); main scores in percent.\n"
        ),
        format!("| Task | Type | {} |", heads.join(" | ")),
        format!("|---|---|{}", "---:|".repeat(heads.len())),
    ];
    for task in tasks.as_array().into_iter().flatten() {
        let text = |key: &str| task[key].as_str().unwrap_or_default();
        let name = text("name");
        let cell = |scores: &Scores| {
            scores.get(name).map_or("–".to_owned(), |score| format!("{:.1}", 100.0 * score))
        };
        let cells: Vec<String> = columns.iter().map(cell).collect();
        lines.push(format!("| {name} | {} | {} |", text("type"), cells.join(" | ")));
    }
    lines.join("\n") + "\n"
}

/// The version of the pack.
fn version() -> Result<String, String> {
    let path = root().join("indonesia/Cargo.toml");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let version = text.lines().find_map(|line| line.strip_prefix("version = "));
    Ok(version.ok_or_else(|| format!("{}: expected a version", path.display()))?.trim_matches('"').to_owned())
}

/// What the host answers, also where some task failed.
fn host_json(arguments: &[&str]) -> Result<Value, String> {
    let mut command = Command::new(target_folder().join("debug/mteb-host"));
    command.current_dir(root()).args(arguments);
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !said.is_empty() {
        eprint!("{said}");
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("{command:?}: no JSON: {error}: {said}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_line_has_the_scores_of_all_rungs_and_a_dash_where_one_has_none() {
        let tasks = json!([{"name": "A", "type": "STS"}]);
        let told = json!({"tasks": [{"task": "A", "main_score": 0.4567}, {"task": "B", "main_score": null}]});
        let columns: Vec<Scores> =
            RUNGS.iter().map(|rung| if rung.only_ranks { Scores::new() } else { scores(&told) }).collect();
        let table = table(&tasks, &columns, "3.0.0");
        assert_eq!(table.lines().last(), Some("| A | STS | 45.7 | 45.7 | 45.7 | – | 45.7 | 45.7 |"));
        assert!(table.starts_with("Version 3.0.0"), "{table}");
    }
}
