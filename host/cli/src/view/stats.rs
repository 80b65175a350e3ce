//! The description of a task's data as people read it.

use std::collections::BTreeMap;
use std::fmt::Write;

use mteb_inspect::stats::{
    Characters, Grade, JudgementStats, LabelStats, LanguageMix, NumberStats, OverlapStats, PartStats,
    UnitStats,
};

use crate::output::count;

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
        "judgements: {} ({}) of {} queries, {:.2} relevant documents each",
        stats.judgements,
        grades(&stats.grades, |grade, count| format!("grade {grade}: {count}")),
        stats.judged_queries,
        stats.relevant_per_query
    )];
    lines.extend(stats.candidates_per_query.map(|count| format!("candidates: {count:.1} per query")));
    for (count, what) in [
        (stats.unjudged_queries, "queries without qrels, which are skipped"),
        (stats.queries_without_relevant, "queries without a relevant document, which score 0"),
        (stats.absent_documents, "judged documents that the corpus does not have"),
        (stats.repeated_ids, "repeated ids in the corpus"),
        (stats.queries_in_corpus, "queries whose text is a document"),
    ] {
        if count > 0 {
            lines.push(format!("{count} {what}"));
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

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
