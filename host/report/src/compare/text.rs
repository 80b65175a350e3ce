//! A comparison as JSON and as Markdown, with the items that changed most.

use std::fmt::Write;

use serde_json::{Value, json};

use super::differences::{Comparison, Tally, TaskDifference, UnitDifference};
use super::items::{ItemDifference, PairedItem};
use crate::output::escape_markdown as markdown;
use crate::percent;
use crate::statistics::{ALPHA, Interval, Test};

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

/// Items of a task that are shown.
const SHOWN: usize = 5;

/// Characters of a text that are shown.
const LONGEST: usize = 160;

/// A unit and what its items say.
type OfItems<'a> = (&'a UnitDifference, &'a ItemDifference);

/// A table of the units whose items both runs kept, then the items of each task that changed most; nothing if there is none.
fn items_markdown(comparison: &Comparison) -> String {
    let tasks: Vec<(&TaskDifference, Vec<OfItems>)> = comparison
        .tasks
        .iter()
        .map(|task| (task, list_units_with_items(task)))
        .filter(|(_, units)| !units.is_empty())
        .collect();
    if tasks.is_empty() {
        return String::new();
    }
    let [first, second] = comparison.names.each_ref().map(|name| markdown(name));
    let mut out = format!(
        "\n## Single items\n\nIntervals (95 %) and tests are over the items of a split and subset: they cover \
         the choice of items.\n\n| Task | Split, subset | Items | Measure | {first} | {second} | Difference | p \
         |\n|---|---|---:|---|---:|---:|---:|---:|\n"
    );
    for (task, units) in &tasks {
        for (unit, items) in units {
            let [one, other] = items.scores.map(percent);
            let _ = writeln!(
                out,
                "| {} | {}, {} | {} {} | {} | {one} | {other} | {:+.2} ({}) | {} |",
                markdown(&task.task),
                markdown(&unit.split),
                markdown(&unit.subset),
                items.items,
                items.kind,
                markdown(&items.measure),
                100.0 * items.interval.estimate,
                range(&items.interval),
                p_value(items.test.p_value)
            );
        }
    }
    for (task, units) in &tasks {
        out += &list_changed_items(task, units, [&first, &second]);
    }
    out
}

fn list_units_with_items(task: &TaskDifference) -> Vec<OfItems<'_>> {
    task.units.iter().filter_map(|unit| Some((unit, unit.items.as_ref()?))).collect()
}

/// The items of a task that changed most.
fn list_changed_items(task: &TaskDifference, units: &[OfItems], names: [&str; 2]) -> String {
    let mut all: Vec<(&UnitDifference, &PairedItem)> =
        units.iter().flat_map(|(unit, items)| items.changed.iter().map(move |item| (*unit, item))).collect();
    all.sort_by(|left, right| right.1.difference().abs().total_cmp(&left.1.difference().abs()));
    all.truncate(SHOWN);
    let Some((_, about)) = units.first().filter(|_| !all.is_empty()) else { return String::new() };
    let [first, second] = names;
    let measure = match about.item_measure {
        "the same measure" => markdown(&about.measure),
        other => other.to_owned(),
    };
    let mut out = format!(
        "\n{} of {} whose scores differ most ({measure}):\n\n| Split, subset | Id | {first} | {second} | Text |\n|---|---|---:|---:|---|\n",
        capital(about.kind),
        markdown(&task.task)
    );
    for (unit, item) in all {
        let text = item.text.as_deref().map(shorten).unwrap_or_default();
        let [one, other] = item.scores.map(percent);
        let _ = writeln!(
            out,
            "| {}, {} | {} | {one} | {other} | {} |",
            markdown(&unit.split),
            markdown(&unit.subset),
            markdown(&item.id),
            markdown(&text)
        );
    }
    out
}

fn capital(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

/// A text in one line, cut where it is long.
fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// What the items of a unit say, as JSON.
fn items_json(items: &ItemDifference) -> Value {
    let changed: Vec<Value> = items
        .changed
        .iter()
        .map(|item| json!({ "id": item.id, "text": item.text, "scores": item.scores }))
        .collect();
    json!({
        "kind": items.kind,
        "items": items.items,
        "only_one_has": items.unmatched,
        "measure": items.measure,
        "scores": items.scores,
        "difference": items.interval.estimate,
        "interval": ends(&items.interval),
        "p_value": items.test.p_value,
        "item_measure": items.item_measure,
        "changed": changed,
    })
}

/// The ends of an interval.
fn ends(interval: &Interval) -> Value {
    json!([interval.low, interval.high])
}

/// A p-value with four digits behind the point; one that is less than these can say is never called 0.
fn p_value(value: f64) -> String {
    if value < 0.0001 { "< 0.0001".to_owned() } else { format!("{value:.4}") }
}

/// An interval of differences in percent.
fn range(interval: &Interval) -> String {
    format!("{:+.2} to {:+.2}", 100.0 * interval.low, 100.0 * interval.high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_p_value_is_called_0() {
        assert_eq!([0.5, 0.0001, 1.5e-5, 0.0].map(p_value), ["0.5000", "0.0001", "< 0.0001", "< 0.0001"]);
    }
}
