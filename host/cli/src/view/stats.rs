//! The description of a task's data, and the figures of the gate of data, as people read them.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use comfy_table::{Cell, CellAlignment};
use mteb_inspect::quality::{Artefact, ColumnFigures, Examination, REPORTED};
use mteb_inspect::stats::{
    Characters, Grade, JudgementStats, LabelStats, LanguageMix, NumberStats, OverlapStats, PartStats,
    UnitStats,
};

use super::table::{cell, table, text};
use crate::output::{self, count, count_between};

/// Labels or languages that are shown; JSON has them all.
const SHOWN: usize = 12;

/// A paragraph a unit, with a line for each thing worth knowing.
pub fn stats_text(task: &str, units: &[UnitStats]) -> String {
    units.iter().map(|unit| unit_text(task, unit)).collect::<Vec<_>>().join("\n\n")
}

fn unit_text(task: &str, unit: &UnitStats) -> String {
    let category = unit.category.map_or_else(String::new, |category| format!(", {}", category.name()));
    let mut lines = vec![format!("{task}, split {}, subset {}{category}", unit.split, unit.subset)];
    for (name, part) in &unit.parts {
        lines.extend(part_lines(name, part));
    }
    lines.extend(unit.train_overlap.as_ref().map(overlap_line));
    lines.extend(unit.judgements.iter().flat_map(judgement_lines));
    lines.join("\n  ")
}

fn part_lines(name: &str, part: &PartStats) -> Vec<String> {
    let mut lines =
        vec![format!("{name}: {}, {} of them duplicate", count(part.rows, "row"), part.repeated_rows)];
    for (column, texts) in &part.texts {
        let mut line = format!("  {column}: {}", count(texts.count, "text"));
        for (count, what) in
            [(texts.empty, "empty"), (texts.missing, "missing"), (texts.repeated, "repeated")]
        {
            if count > 0 {
                let _ = write!(line, ", {count} {what}");
            }
        }
        line.extend(texts.characters.iter().map(characters));
        lines.push(line);
    }
    lines.extend(part.labels.as_ref().map(label_line));
    lines.extend(part.scores.as_ref().map(score_line));
    if part.languages.sample > 0 {
        lines.push(language_line(&part.languages));
    }
    lines
}

fn characters(lengths: &Characters) -> String {
    let Characters { total, mean, min, p25, p50, p75, p95, p99, max } = lengths;
    format!(
        "; {total} characters, {mean:.1} per text: {min} to {max}, quartiles {p25} {p50} {p75}, 95 % {p95}, 99 \
         % {p99}"
    )
}

fn label_line(labels: &LabelStats) -> String {
    let missing = if labels.missing > 0 { format!(", {} missing", labels.missing) } else { String::new() };
    format!("  labels: {} different{missing}: {}", labels.distinct, most_frequent(&labels.counts))
}

fn score_line(scores: &NumberStats) -> String {
    let NumberStats { count, min, mean, max, distinct } = scores;
    format!("  scores: {count} from {min} to {max}, mean {mean:.3}, {distinct} different")
}

fn language_line(mix: &LanguageMix) -> String {
    let LanguageMix { sample, unsure, languages } = mix;
    let mut parts = Vec::new();
    if !languages.is_empty() {
        parts.push(most_frequent(languages));
    }
    if *unsure > 0 {
        parts.push(format!("{unsure} unsure"));
    }
    format!("  languages of {}: {}", count(*sample, "text"), parts.join(", "))
}

fn overlap_line(overlap: &OverlapStats) -> String {
    let OverlapStats { texts, exact, near, compared, .. } = overlap;
    let share = 100.0 * (exact + near) as f64 / (*texts).max(1) as f64;
    format!(
        "training texts in the evaluation rows: {exact} identical, {near} nearly identical, {share:.1} % of \
         {texts} (compared with {compared})"
    )
}

fn judgement_lines(stats: &JudgementStats) -> Vec<String> {
    let mut lines = vec![format!(
        "judgements: {} ({}) of {}, {:.2} relevant documents each",
        stats.judgements,
        grades(&stats.grades, |grade, count| format!("grade {grade}: {count}")),
        count(stats.judged_queries, "query"),
        stats.relevant_per_query
    )];
    lines.extend(stats.candidates_per_query.map(|count| format!("candidates: {count:.1} per query")));
    let of_judgements = [
        (stats.unjudged_queries, "query", "without qrels, skipped"),
        (stats.queries_without_relevant, "query", "without a relevant document, scored as 0"),
        (stats.absent_documents, "judged document", "that the corpus does not have"),
        (stats.repeated_ids, "repeated id", "in the corpus"),
        (stats.queries_in_corpus, "query", "whose text is that of a document"),
    ];
    let found = of_judgements.into_iter().filter(|(number, ..)| *number > 0);
    lines.extend(found.map(|(number, what, more)| format!("{} {more}", count(number, what))));
    lines
}

fn most_frequent<K: std::fmt::Display>(counts: &BTreeMap<K, usize>) -> String {
    let mut sorted: Vec<(&K, &usize)> = counts.iter().collect();
    sorted.sort_by(|left, right| right.1.cmp(left.1));
    let shown: Vec<String> =
        sorted.iter().take(SHOWN).map(|(name, count)| format!("{name} {count}")).collect();
    let more = sorted.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

/// Most different grades that are listed one by one.
const LISTED: usize = 12;

/// Each grade as `written` writes it with its count; of more than a few, where they begin and end.
pub fn grades(grades: &BTreeMap<Grade, usize>, written: impl Fn(&Grade, usize) -> String) -> String {
    match (grades.first_key_value(), grades.last_key_value()) {
        (Some((lowest, _)), Some((highest, _))) if grades.len() > LISTED => {
            format!("{} different grades from {lowest} to {highest}", grades.len())
        }
        _ => grades.iter().map(|(grade, &count)| written(grade, count)).collect::<Vec<_>>().join(", "),
    }
}

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
                notes(examination).into_iter().map(|note| output::wrap_prose(&format!("{title}: {note}"))),
            );
        }
        if examinations.iter().any(|examination| !examination.declared) {
            lines.push(output::wrap_prose(&format!("{task}: {UNDECLARED}")));
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
                "{name} has {}, {} each",
                count(labels.distinct, "label"),
                count_between(range[0], range[1], "row")
            ));
        }
        if let Some(scores) = &stats.scores {
            notes.push(format!(
                "{name} has {} from {} to {}, mean {:.2}, {} different",
                count(scores.count, "score"),
                scores.min,
                scores.max,
                scores.mean,
                scores.distinct
            ));
        }
    }
    if let Some(judgements) = unit.judgements.as_ref().map(|judgements| &judgements.scored) {
        notes.push(format!(
            "{} with {} ({}), {:.2} relevant documents per query",
            count(judgements.queries, "query"),
            count(judgements.judgements, "judgement"),
            grades(&judgements.grades, |grade, count| format!("{count} × {grade}")),
            judgements.relevant_per_query
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_their_nouns_agree() {
        let judgements = JudgementStats {
            judgements: 1,
            grades: BTreeMap::from([(Grade(2.0), 1)]),
            judged_queries: 1,
            unjudged_queries: 1,
            repeated_ids: 2,
            relevant_per_query: 1.0,
            ..JudgementStats::default()
        };
        assert_eq!(
            judgement_lines(&judgements),
            [
                "judgements: 1 (grade 2: 1) of 1 query, 1.00 relevant documents each",
                "1 query without qrels, skipped",
                "2 repeated ids in the corpus",
            ]
        );
    }

    #[test]
    fn few_grades_are_listed_and_many_are_summed_up() {
        let shown = |all: &[f64]| {
            let counted = all.iter().map(|&grade| (Grade(grade), 2)).collect();
            grades(&counted, |grade, count| format!("{count} × {grade}"))
        };
        assert_eq!(shown(&[1.0, -0.0, 6.5]), "2 × 0, 2 × 1, 2 × 6.5");
        let many: Vec<f64> = (0..40).map(|step| f64::from(step) * 0.25).collect();
        assert_eq!(shown(&many), "40 different grades from 0 to 9.75");
    }
}
