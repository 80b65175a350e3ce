//! The table of main scores, a line a task and a column a rung.

use std::collections::BTreeMap;

use serde_json::Value;

use super::rungs::{Model, Outcome, RANKED, RUNGS};

/// Main scores by task.
type Scores = BTreeMap<String, f64>;

/// A Markdown table of main scores in percent, a line a task, after a line that says what of which data it is.
pub fn table(tasks: &Value, heads: &[&str], columns: &[Outcome], measured: &str) -> String {
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
pub fn missing(tasks: &Value, heads: &[&str], columns: &[Outcome]) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ladder::rungs::Rung;
    use serde_json::json;

    fn told() -> (Value, Vec<&'static str>, Vec<Outcome>) {
        let tasks = json!([{"name": "A", "type": "STS"}, {"name": "B", "type": "Retrieval"}]);
        let all = json!({"tasks": [{"task": "A", "main_score": 0.4567}, {"task": "B", "main_score": 0.2}]});
        let ranked = json!({"tasks": [{"task": "B", "main_score": 0.25}]});
        let of = |rung: &Rung| Ok(if matches!(rung.model, Model::Ranks(_)) { &ranked } else { &all }.clone());
        (tasks, RUNGS.iter().map(|rung| rung.head).collect(), RUNGS.iter().map(of).collect())
    }

    #[test]
    fn a_line_has_the_scores_of_all_rungs_and_a_dash_where_one_has_none() {
        let (tasks, heads, columns) = told();
        let table = table(&tasks, &heads, &columns, "Version 3.0.0 of the pack");
        assert!(table.contains("\n| A | STS | 45.7 | 45.7 | 45.7 | – | 45.7 | 45.7 | 45.7 |\n"), "{table}");
        assert!(table.starts_with("Version 3.0.0 of the pack: "), "{table}");
        assert_eq!(missing(&tasks, &heads, &columns), Vec::<String>::new());
    }

    #[test]
    fn what_could_not_be_measured_is_named() {
        let (tasks, heads, mut columns) = told();
        columns[0] = Err("no Python".to_owned());
        columns[1] =
            Ok(json!({"tasks": [{"task": "A", "main_score": null}, {"task": "B", "main_score": 0.2}]}));
        assert_eq!(missing(&tasks, &heads, &columns), ["random: no Python", "hashing: no score of A"]);
        assert!(table(&tasks, &heads, &columns, "").contains("\n| A | STS | – | – | 45.7 |"));
    }
}
