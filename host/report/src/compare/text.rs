//! A comparison for people and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::differences::{Comparison, Tally, UnitDifference};
use super::figures::{ends, p_value, range};
use super::items_text::{items_json, items_markdown};
use crate::output::escape_markdown as markdown;
use crate::percent;
use crate::statistics::{ALPHA, Test};

/// The comparison as Markdown: first what it is worth, then task by task.
pub fn comparison_markdown(comparison: &Comparison) -> String {
    let [first, second] = &comparison.names;
    let mut out =
        format!("# {} against {}\n\n{}\n\n", markdown(second), markdown(first), verdict(comparison));
    let _ = writeln!(out, "| | won | tied | lost |\n|---|---:|---:|---:|");
    for (name, tally) in [("Tasks", comparison.by_task), ("Splits and subsets", comparison.by_unit)] {
        let _ = writeln!(out, "| {name} | {} | {} | {} |", tally.won, tally.tied, tally.lost);
    }
    for fact in &comparison.differs {
        let _ = write!(out, "\nWhat differs: {}\n", markdown(fact));
    }
    let _ = write!(
        out,
        "\n| Task | Type | {} | {} | Difference |\n|---|---|---:|---:|---:|\n",
        markdown(first),
        markdown(second)
    );
    let mut tasks: Vec<_> = comparison.tasks.iter().collect();
    tasks.sort_by(|left, right| right.difference().total_cmp(&left.difference()));
    for task in tasks {
        let scores = [percent(task.scores[0]), percent(task.scores[1])];
        let (name, kind) = (markdown(&task.task), markdown(&task.task_type));
        let _ = writeln!(
            out,
            "| {name} | {kind} | {} | {} | {:+.2} |",
            scores[0],
            scores[1],
            100.0 * task.difference()
        );
    }
    out += &items_markdown(comparison);
    for warning in &comparison.warnings {
        let _ = write!(out, "\nWarning: {}\n", markdown(warning));
    }
    out
}

/// The sentence that says what the difference is worth.
fn verdict(comparison: &Comparison) -> String {
    let [one, other] = comparison.means;
    let count = comparison.tasks.len();
    let interval = comparison
        .interval
        .as_ref()
        .map_or_else(String::new, |interval| format!(", 95 % interval {} over tasks", range(interval)));
    let how = match comparison.test.test {
        Test::Exact => "all swaps counted",
        Test::Permutation => "20,000 swaps drawn",
        Test::Student => "Student's test",
    };
    let too_few = 2.0 / 2f64.powi(i32::try_from(count).unwrap_or(i32::MAX)) > ALPHA;
    let worth = match comparison.test.p_value {
        _ if too_few => "too few tasks to tell two models apart",
        p_value if p_value <= ALPHA => "significant: these tasks tell the two models apart",
        _ => "not significant: these tasks do not tell the two models apart",
    };
    format!(
        "Mean over {count} {}: {} and {}; difference {:+.2}{interval}. Paired permutation test ({how}): p {}: {worth}.",
        if count == 1 { "task" } else { "tasks" },
        percent(one),
        percent(other),
        100.0 * (other - one),
        match p_value(comparison.test.p_value) {
            less if less.starts_with('<') => less,
            value => format!("= {value}"),
        }
    )
}

/// The comparison as JSON; scores are shares.
pub fn comparison_json(comparison: &Comparison) -> Value {
    let tally = |tally: Tally| json!({ "won": tally.won, "tied": tally.tied, "lost": tally.lost });
    let tasks: Vec<Value> = comparison
        .tasks
        .iter()
        .map(|task| {
            let units: Vec<Value> = task.units.iter().map(unit_json).collect();
            json!({ "task": task.task, "type": task.task_type, "scores": task.scores, "difference": task.difference(), "units": units })
        })
        .collect();
    json!({
        "models": comparison.names,
        "means": comparison.means,
        "difference": comparison.means[1] - comparison.means[0],
        "interval": comparison.interval.as_ref().map(ends),
        "p_value": comparison.test.p_value,
        "tasks_won_tied_lost": tally(comparison.by_task),
        "units_won_tied_lost": tally(comparison.by_unit),
        "differs": comparison.differs,
        "warnings": comparison.warnings,
        "tasks": tasks,
    })
}

fn unit_json(unit: &UnitDifference) -> Value {
    let [one, other] = unit.scores;
    json!({
        "split": unit.split,
        "subset": unit.subset,
        "scores": unit.scores,
        "difference": other - one,
        "items": unit.items.as_ref().map(items_json),
    })
}
