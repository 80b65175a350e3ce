//! `mteb-host list benchmarks`: how many tasks, task types and languages each has.

use std::collections::BTreeSet;

use mteb_registry::{Registries, Selected, benchmark_tasks};
use serde_json::{Value, json};

use crate::view;

/// Columns of the table where standard output is no terminal.
const WIDTH: u16 = 100;

/// The benchmarks of all registries, one a row; those that have one of the tasks that are `wanted`, where some are.
pub fn benchmarks(registries: &Registries, wanted: Option<&[Selected]>) -> Vec<Value> {
    let wanted: Option<BTreeSet<&str>> =
        wanted.map(|tasks| tasks.iter().map(|task| task.entry.card.name.as_str()).collect());
    let mut rows = Vec::new();
    for loaded in &registries.loaded {
        for benchmark in &loaded.registry.benchmarks {
            // What is wrong with a benchmark is said when its registry is checked.
            let selected =
                benchmark_tasks(benchmark, &loaded.registry.name, &loaded.tasks).unwrap_or_default();
            let is_wanted = |task: &Selected| {
                wanted.as_ref().is_none_or(|names| names.contains(task.entry.card.name.as_str()))
            };
            if wanted.is_some() && !selected.iter().any(is_wanted) {
                continue;
            }
            let types: BTreeSet<&str> =
                selected.iter().map(|task| task.entry.card.task_type.as_str()).collect();
            let languages = languages(&selected);
            let unsupported = selected.iter().filter(|task| task.entry.card.unsupported.is_some()).count();
            rows.push(json!({
                "name": benchmark.name,
                "title": benchmark.title,
                "registry": loaded.registry.name,
                "tasks": benchmark.tasks,
                "aliases": benchmark.aliases,
                "superseded_by": benchmark.superseded_by,
                "task_count": selected.len() + benchmark.absent.len(),
                "unsupported_count": unsupported + benchmark.absent.len(),
                "types": types,
                "language_count": languages.len(),
                "aggregations": benchmark.aggregations(),
            }));
        }
    }
    rows
}

/// The languages of the tasks, without their scripts.
fn languages(selected: &[Selected]) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for task in selected {
        found.extend(task.languages().into_iter().map(strip_script));
    }
    found
}

/// The language of a code: `ind` of `ind-Latn`.
pub fn strip_script(code: &str) -> &str {
    code.split('-').next().unwrap_or(code)
}

/// A table of them that is at most 100 columns wide, or as wide as the terminal.
pub fn benchmark_table(rows: &[Value]) -> String {
    let titles = ["name", "tasks", "about", "languages", "types", "registry"].map(str::to_owned).to_vec();
    let cells = |row: &Value| {
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let types = row["types"].as_array().map_or(0, Vec::len);
        let languages = row["language_count"].to_string();
        vec![
            text("name"),
            tasks(row),
            about(row, text("title")),
            languages,
            types.to_string(),
            text("registry"),
        ]
    };
    let rows: Vec<Vec<String>> = std::iter::once(titles).chain(rows.iter().map(cells)).collect();
    view::names_text_within(&rows, &[false, true, false, true, true], WIDTH)
}

/// `41`, or `7 of 9` where the host cannot run all.
fn tasks(row: &Value) -> String {
    let count = |key: &str| row[key].as_u64().unwrap_or_default();
    let (all, unsupported) = (count("task_count"), count("unsupported_count"));
    if unsupported == 0 { all.to_string() } else { format!("{} of {all}", all - unsupported) }
}

fn about(row: &Value, title: String) -> String {
    match row["superseded_by"].as_array().and_then(|names| names.first()).and_then(Value::as_str) {
        Some(newer) => format!("{title}; replaced by {newer}"),
        None => title,
    }
}
