//! The figures of the gate of data as people read them.

use std::collections::HashSet;

use comfy_table::{Cell, CellAlignment};
use mteb_inspect::quality::{Artefact, ColumnFigures, Examination, REPORTED};
use mteb_inspect::stats::UnitStats;

use super::stats::grades;
use super::table::{cell, table, text};
use crate::output;

/// What is said of a task whose card declares nothing of its data.
const UNDECLARED: &str = "the card has no `[quality]`; only what the task type needs was checked";

/// A table with a row for each column of texts, and below it a line for each thing that is not of texts.
pub fn quality_text(examined: &[(String, Vec<Examination>)]) -> String {
    let mut table =
        table(["Data", "Texts", "Characters", "Nearest", "Template", "Type-token", "Language", "Faults"]);
    let mut lines = Vec::new();
    for (task, examinations) in examined {
        for examination in examinations {
            let title = title(task, examination);
            table.add_row(vec![cell(&title)]);
            for column in &examination.columns {
                table.add_row(cells(column, examination.declared));
            }
            let faults = Cell::new(examination.faults.len()).set_alignment(CellAlignment::Right);
            if let Some(row) = table.row_mut(table.row_count() - examination.columns.len() - 1) {
                (0..6).for_each(|_| {
                    row.add_cell(Cell::new(""));
                });
                row.add_cell(faults);
            }
            lines.extend(
                notes(examination).into_iter().map(|note| output::prose(&format!("{title}: {note}"))),
            );
        }
        if examinations.iter().any(|examination| !examination.declared) {
            lines.push(output::prose(&format!("{task}: {UNDECLARED}")));
        }
    }
    lines.insert(0, text(table));
    lines.join("\n")
}

fn title(task: &str, examination: &Examination) -> String {
    if examination.subset == "default" { task.to_owned() } else { format!("{task}, {}", examination.subset) }
}

fn cells(column: &ColumnFigures, is_declared: bool) -> Vec<Cell> {
    let lengths = &column.characters;
    let declared = |text: String| if is_declared { text } else { "–".to_owned() };
    let nearest = column.nearest.map_or_else(|| format!("< {REPORTED}"), |nearest| format!("{nearest:.2}"));
    let language = match (&column.languages.share, column.languages.unknown.is_empty()) {
        (Some(share), _) => format!("{} {:.0} %", column.languages.expected.join("/"), 100.0 * share),
        (None, false) => format!("{} –", column.languages.expected.join("/")),
        (None, true) => "–".to_owned(),
    };
    let texts = [
        column.texts.to_string(),
        format!("{} – {} – {}", lengths.min, lengths.p50, lengths.max),
        declared(nearest),
        declared(format!("{:.1} %", 100.0 * column.template_share)),
        column.type_token_ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}")),
        language,
    ];
    let right = texts.into_iter().map(|text| Cell::new(text).set_alignment(CellAlignment::Right));
    std::iter::once(cell(format!("  {}", column.name))).chain(right).collect()
}

fn notes(examination: &Examination) -> Vec<String> {
    let mut notes: Vec<String> = examination.units.iter().flat_map(unit_notes).collect();
    for column in examination.columns.iter().filter(|column| !column.languages.unknown.is_empty()) {
        notes.push(format!(
            "the language of {} is not checked: the detector does not know {}",
            column.name,
            column.languages.unknown.join(", ")
        ));
    }
    notes.extend(examination.artefacts.iter().map(artefact));
    // Splits of a task have their training rows in common.
    let mut said = HashSet::new();
    notes.retain(|note| said.insert(note.clone()));
    notes
}

/// `surface only: accuracy 0.412 (chance 0.33, at most 0.45)`.
fn artefact(found: &Artefact) -> String {
    let chance = found.chance.map(|chance| format!("chance {chance:.2}"));
    let least = found.least.map(|least| format!("at least {least}"));
    let most = found.most.map(|most| format!("at most {most}"));
    let limits: Vec<String> = [chance, least, most].into_iter().flatten().collect();
    let limits = if limits.is_empty() { String::new() } else { format!(" ({})", limits.join(", ")) };
    format!("{}: {} {:.3}{limits}", found.check, found.measure, found.value)
}

fn unit_notes(unit: &UnitStats) -> Vec<String> {
    let mut notes = Vec::new();
    for (part, stats) in &unit.parts {
        let name = if *part == "rows" { unit.split.as_str() } else { part };
        if let Some(labels) = stats.labels.as_ref().filter(|labels| labels.distinct > 0) {
            let (least, most) = (labels.counts.values().min(), labels.counts.values().max());
            let range = [least, most].map(|count| count.copied().unwrap_or_default());
            notes.push(format!(
                "{name} has {}, {} to {} rows each",
                output::count(labels.distinct, "label"),
                range[0],
                range[1]
            ));
        }
        if let Some(scores) = &stats.scores {
            notes.push(format!(
                "{name} has {} from {} to {}, mean {:.2}, {} different",
                output::count(scores.count, "score"),
                scores.min,
                scores.max,
                scores.mean,
                scores.distinct
            ));
        }
    }
    if let Some(judgements) = &unit.judgements {
        notes.push(format!(
            "{} queries with {} judgements ({}), {:.2} relevant documents per query",
            judgements.judged_queries,
            judgements.judgements,
            grades(&judgements.grades, |grade, count| format!("{count} × {grade}")),
            judgements.relevant_per_query
        ));
    }
    notes
}
