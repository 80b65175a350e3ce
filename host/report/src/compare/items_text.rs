//! What single items say, for people and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::differences::{Comparison, TaskDifference, UnitDifference};
use super::figures::{ends, p_value, range};
use super::items::{ItemDifference, PairedItem};
use crate::output::escape_markdown as markdown;
use crate::percent;

/// Items of a task that are shown.
const SHOWN: usize = 5;

/// Characters of a text that are shown.
const LONGEST: usize = 160;

/// A unit and what its items say.
type OfItems<'a> = (&'a UnitDifference, &'a ItemDifference);

/// A table of the units whose items both runs kept, then the items of each task that changed most; nothing if there is none.
pub(super) fn items_markdown(comparison: &Comparison) -> String {
    let tasks: Vec<(&TaskDifference, Vec<OfItems>)> = comparison
        .tasks
        .iter()
        .map(|task| (task, with_items(task)))
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
        out += &changed(task, units, [&first, &second]);
    }
    out
}

fn with_items(task: &TaskDifference) -> Vec<OfItems<'_>> {
    task.units.iter().filter_map(|unit| Some((unit, unit.items.as_ref()?))).collect()
}

/// The items of a task whose scores differ most.
fn changed(task: &TaskDifference, units: &[OfItems], names: [&str; 2]) -> String {
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
        let text = item.text.as_deref().map(shortened).unwrap_or_default();
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
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// What the items of a unit say, as JSON.
pub(super) fn items_json(items: &ItemDifference) -> Value {
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
