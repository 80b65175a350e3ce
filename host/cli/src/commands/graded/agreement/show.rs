//! What is said of judges and systems, and how a person reads it.

use mteb_graded::agreement::{Agreement, Distribution, GradeAgreement, Stability};
use mteb_graded::evaluate::SystemName;
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::output;
use crate::view::{cell, right, table, text};

/// Prints the tables.
pub(super) fn print(report: &Report) -> Exit {
    let mut parts = vec![distributions(report)];
    if report.judges.len() > 1 {
        parts.push(judges(report));
        parts.push(format!("Krippendorff's alpha (interval): {}", number(report.agreement.alpha)));
    }
    parts.push(match report.stability.as_slice() {
        [] => "Ranking of systems: expected two systems or more".to_owned(),
        stability => systems_table(report.systems.len(), stability),
    });
    if !report.grades.is_empty() {
        parts.push(grades(report));
    }
    output::print_table(&parts.join("\n"))
}

fn distributions(report: &Report) -> String {
    let mut rows = table(["Unit", "Judge", "Scores", "Mean", "Quartiles", "0, 1, … 10"]);
    for (unit, judge, found) in &report.distributions {
        let quartiles: Vec<String> = found.quartiles.iter().map(|value| format!("{value:.1}")).collect();
        let bins: Vec<String> = found.bins.iter().map(usize::to_string).collect();
        rows.add_row([
            cell(unit),
            cell(judge),
            right(found.count),
            right(format!("{:.2}", found.mean)),
            right(quartiles.join(" ")),
            right(bins.join(" ")),
        ]);
    }
    text(rows)
}

fn judges(report: &Report) -> String {
    let mut rows = table(["Judge", "Judge", "Shared pairs", "Pearson", "Spearman"]);
    for pair in &report.agreement.pairs {
        let (left, right_) = pair.judges;
        rows.add_row([
            cell(&report.judges[left]),
            cell(&report.judges[right_]),
            right(pair.common),
            right(number(pair.pearson)),
            right(number(pair.spearman)),
        ]);
    }
    text(rows)
}

fn grades(report: &Report) -> String {
    let mut rows = table(["Unit", "Judge", "Pairs with a grade", "Pearson", "Spearman", "Grade: mean score"]);
    for (unit, judge, found) in &report.grades {
        let of_grade = found.grades.iter().map(|of| format!("{}: {:.2}", of.grade, of.mean));
        rows.add_row([
            cell(unit),
            cell(judge),
            right(found.common),
            right(number(found.pearson)),
            right(number(found.spearman)),
            right(of_grade.collect::<Vec<_>>().join("  ")),
        ]);
    }
    text(rows)
}

fn systems_table(systems: usize, stability: &[Stability]) -> String {
    let title = format!("Kendall's tau with the full ranking of {systems} systems");
    let mut rows = table(["Varied", &title, "97.5 % of samples reach"]);
    for found in stability {
        let low = found.low.map_or_else(|| "–".to_owned(), number);
        rows.add_row([found.variant.as_str().into(), right(number(found.tau)), right(low)]);
    }
    text(rows)
}

/// Three digits; a dash for what is no number.
fn number(value: f64) -> String {
    if value.is_nan() { "–".to_owned() } else { format!("{value:.3}") }
}

/// The answer as JSON.
pub(super) fn as_json(report: &Report) -> Value {
    let name = |judge: usize| report.judges[judge].as_str();
    let pairs: Vec<Value> = report
        .agreement
        .pairs
        .iter()
        .map(|pair| {
            json!({
                "judges": [name(pair.judges.0), name(pair.judges.1)], "common": pair.common, "pearson": pair.pearson,
                "spearman": pair.spearman,
            })
        })
        .collect();
    let distributions: Vec<Value> = report
        .distributions
        .iter()
        .map(|(unit, judge, found)| {
            json!({
                "unit": unit, "judge": judge, "scores": found.count, "mean": found.mean, "quartiles": found.quartiles,
                "bins": found.bins,
            })
        })
        .collect();
    let stability: Vec<Value> = report
        .stability
        .iter()
        .map(|found| json!({"variant": found.variant, "tau": found.tau, "low": found.low}))
        .collect();
    let grades: Vec<Value> = report
        .grades
        .iter()
        .map(|(unit, judge, found)| {
            let of_grade = found.grades.iter();
            let of_grade = of_grade.map(|of| json!({"grade": of.grade, "pairs": of.count, "mean": of.mean}));
            json!({
                "unit": unit, "judge": judge, "common": found.common, "pearson": found.pearson, "spearman": found.spearman,
                "grades": of_grade.collect::<Vec<_>>(),
            })
        })
        .collect();
    let systems: Vec<String> = report.systems.iter().map(ToString::to_string).collect();
    json!({
        "judges": report.judges, "alpha": report.agreement.alpha, "pairs": pairs, "distributions": distributions,
        "systems": systems, "stability": stability, "own_grades": grades,
    })
}

/// What is said of judges and systems.
pub(super) struct Report {
    pub judges: Vec<String>,
    pub agreement: Agreement,
    /// Of each task and judge.
    pub distributions: Vec<(String, String, Distribution)>,
    pub systems: Vec<SystemName>,
    pub stability: Vec<Stability>,
    /// Of each task and judge, beside the task's own grades.
    pub grades: Vec<(String, String, GradeAgreement)>,
}
