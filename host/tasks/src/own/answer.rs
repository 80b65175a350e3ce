//! The answer of an evaluator, none of which is used before it is checked.

use std::collections::BTreeSet;

use mteb_base::counted::count;
use mteb_card::{NamedScores, TypeDeclaration};
use serde::Deserialize;

use crate::{EvaluateError, Score, Scores};

/// Most different warnings that are shown.
const MOST_WARNINGS: usize = 20;

/// Longest line that is shown, in characters.
const LONGEST_WARNING: usize = 500;

/// What is read of an answer: numbers that JSON has not are null there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    scores: NamedScores,
    #[serde(default)]
    outcomes: Option<Vec<Option<f64>>>,
    #[serde(default)]
    warnings: Vec<String>,
    /// How often each of them was given, of an evaluator that says each once.
    #[serde(default)]
    warning_counts: Vec<usize>,
    /// Warnings that are not in it, of an evaluator whose warnings are counted where it runs, and whether there are more than that.
    #[serde(default)]
    warnings_left_out: usize,
    #[serde(default)]
    and_more: bool,
}

/// Room for rounding beyond a bound, and between a score and the mean of outcomes.
const ROUNDING: f64 = 1e-9;

/// An answer that is what the type declares.
pub struct CheckedAnswer {
    pub scores: Scores,
    pub outcomes: Option<Vec<f64>>,
    pub warnings: Vec<String>,
}

/// Reads and checks an answer about `rows` rows.
///
/// # Errors
/// If scores are not those that are declared, not within their bounds, or do not follow from the outcomes.
pub fn checked_answer(
    answer: &str,
    declaration: &TypeDeclaration,
    rows: usize,
) -> Result<CheckedAnswer, EvaluateError> {
    let answer: Said = serde_json::from_str(answer).map_err(|error| {
        fault(&format!("expected scores, outcomes and warnings, found something else: {error}"))
    })?;
    check_names(&answer, declaration)?;
    let mut scores = Scores::new();
    for (name, score) in &answer.scores.0 {
        check_score(name, *score, declaration)?;
        scores.insert(name.clone(), score.map_or(Score::Number(f64::NAN), Score::Number));
    }
    let outcomes = checked_outcomes(&answer, declaration, rows, &scores)?;
    Ok(CheckedAnswer { scores, outcomes, warnings: counted_warnings(&answer) })
}

/// The warnings as lines, each once with how often it was given, and what is said of those that
/// are not shown.
fn counted_warnings(answer: &Said) -> Vec<String> {
    let mut lines: Vec<(String, usize)> = Vec::new();
    let mut more = answer.warnings_left_out;
    for (place, warning) in answer.warnings.iter().enumerate() {
        let count = answer.warning_counts.get(place).copied().unwrap_or(1);
        let line = one_line(warning);
        let has_room = lines.len() < MOST_WARNINGS;
        match lines.iter_mut().find(|(known, _)| *known == line) {
            Some((_, known)) => *known = known.saturating_add(count),
            None if has_room => lines.push((line, count)),
            None => more = more.saturating_add(count),
        }
    }
    let with_count = |(line, count): (String, usize)| {
        if count > 1 { format!("{line} ({count} times)") } else { line }
    };
    let mut warnings: Vec<String> = lines.into_iter().map(with_count).collect();
    warnings.extend(left_out(more, answer.and_more));
    warnings
}

/// What is said of warnings that are not shown.
fn left_out(more: usize, and_more: bool) -> Option<String> {
    match (more, and_more) {
        (0, false) => None,
        (0, true) => Some("more warnings of the evaluator are left out".to_owned()),
        (1, false) => Some("1 more warning of the evaluator is left out".to_owned()),
        (more, false) => Some(format!("{more} more warnings of the evaluator are left out")),
        (more, true) => Some(format!("more than {more} more warnings of the evaluator are left out")),
    }
}

/// A warning as one line that is not too long.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() > LONGEST_WARNING {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(LONGEST_WARNING + 1));
    }
    match line.char_indices().nth(LONGEST_WARNING) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn check_names(answer: &Said, declaration: &TypeDeclaration) -> Result<(), EvaluateError> {
    let known = || declaration.scores.keys().cloned().collect::<Vec<_>>().join(", ");
    let mut seen = BTreeSet::new();
    for (name, _) in &answer.scores.0 {
        if !declaration.scores.contains_key(name) {
            let name: String = name.chars().take(80).collect();
            return Err(fault(&format!(
                "expected the scores that the type declares ({}), found: {name}",
                known()
            )));
        }
        if !seen.insert(name) {
            return Err(fault(&format!("expected each score once, found twice: {name}")));
        }
    }
    match declaration.scores.keys().find(|name| !seen.contains(name)) {
        Some(name) => {
            Err(fault(&format!("expected the scores that the type declares ({}), found no {name}", known())))
        }
        None => Ok(()),
    }
}

fn check_score(name: &str, score: Option<f64>, declaration: &TypeDeclaration) -> Result<(), EvaluateError> {
    let Some(declared) = declaration.scores.get(name) else { return Ok(()) };
    let (low, high) = (declared.low, declared.high);
    match score {
        None if declared.undefined => Ok(()),
        Some(score) if (low - ROUNDING..=high + ROUNDING).contains(&score) => Ok(()),
        other => {
            let found = other.map_or_else(|| "none".to_owned(), |score| score.to_string());
            Err(fault(&format!("expected the score `{name}` from {low} to {high}, found {found}")))
        }
    }
}

fn checked_outcomes(
    answer: &Said,
    declaration: &TypeDeclaration,
    rows: usize,
    scores: &Scores,
) -> Result<Option<Vec<f64>>, EvaluateError> {
    let (name, outcomes) = match (&declaration.outcomes, &answer.outcomes) {
        (Some(name), Some(outcomes)) => (name, outcomes),
        (None, None) => return Ok(None),
        (Some(_), None) => {
            return Err(fault("expected outcomes of all rows, as the type declares, found none"));
        }
        (None, Some(_)) => return Err(fault("expected no outcomes, as the type declares none, found some")),
    };
    if outcomes.len() != rows {
        return Err(fault(&format!(
            "expected {}, one per row, found {}",
            count(rows, "outcome"),
            outcomes.len()
        )));
    }
    let finite = |(row, outcome): (usize, &Option<f64>)| {
        let found = outcome.filter(|outcome| outcome.is_finite());
        found.ok_or_else(|| fault(&format!("expected finite outcomes, found none for row {row}")))
    };
    let outcomes: Vec<f64> = outcomes.iter().enumerate().map(finite).collect::<Result<_, _>>()?;
    let mean = outcomes.iter().sum::<f64>() / rows as f64;
    match scores.number(name) {
        Some(score) if (score - mean).abs() <= ROUNDING => Ok(Some(outcomes)),
        found => {
            let found = found.unwrap_or(f64::NAN);
            Err(fault(&format!("expected `{name}` to be the mean of the outcomes, {mean}, found {found}")))
        }
    }
}

fn fault(message: &str) -> EvaluateError {
    EvaluateError::Unscorable(format!("the answer of the type's evaluator: {message}"))
}

#[cfg(test)]
mod tests {
    use mteb_card::ScoreDeclaration;

    use super::*;

    fn checked(answer: &str) -> Result<Vec<String>, String> {
        let mut declaration =
            TypeDeclaration { outcomes: Some("accuracy".to_owned()), ..TypeDeclaration::default() };
        declaration.scores.insert("accuracy".to_owned(), ScoreDeclaration::default());
        let loose = ScoreDeclaration { low: -1.0, undefined: true, ..ScoreDeclaration::default() };
        declaration.scores.insert("rho".to_owned(), loose);
        checked_answer(answer, &declaration, 2)
            .map(|answer| answer.warnings)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn an_answer_that_keeps_to_the_declaration_is_taken() {
        let answer =
            r#"{"scores": {"accuracy": 0.5, "rho": null}, "outcomes": [1, 0], "warnings": ["two\nlines"]}"#;
        assert_eq!(checked(answer), Ok(vec!["two lines".to_owned()]));
    }

    /// The warnings of an answer with these.
    fn warned(warnings: &[String], rest: &str) -> Vec<String> {
        let warnings: Vec<String> = warnings.iter().map(|line| format!("\"{line}\"")).collect();
        let scores = r#""scores": {"accuracy": 0.5, "rho": null}, "outcomes": [1, 0]"#;
        checked(&format!("{{{scores}, \"warnings\": [{}]{rest}}}", warnings.join(", "))).unwrap()
    }

    #[test]
    fn equal_warnings_are_one_line_with_their_number() {
        let lines = ["row 1", "no text", "no  text", "no text"].map(str::to_owned);
        assert_eq!(warned(&lines, ""), ["row 1", "no text (3 times)"]);
        let counted = warned(&lines[..2], r#", "warning_counts": [1, 9999], "and_more": true"#);
        let more = "more warnings of the evaluator are left out";
        assert_eq!(counted, ["row 1", "no text (9999 times)", more]);
        // The number stands behind a line that is cut, too.
        let long = warned(&["w".repeat(1000), "w".repeat(2000)], "");
        assert!(long.len() == 1 && long[0].ends_with("w… (2 times)"), "{long:?}");
    }

    #[test]
    fn warnings_that_are_not_shown_are_counted_once() {
        let answer = |warnings: usize, rest: &str| {
            warned(&(0..warnings).map(|number| format!("w{number}")).collect::<Vec<_>>(), rest)
        };
        assert_eq!(answer(20, "").len(), 20);
        let last = |warnings, rest| answer(warnings, rest).pop().unwrap();
        assert_eq!(last(21, ""), "1 more warning of the evaluator is left out");
        assert_eq!(last(150, ""), "130 more warnings of the evaluator are left out");
        assert_eq!(
            last(20, ", \"warnings_left_out\": 480"),
            "480 more warnings of the evaluator are left out"
        );
        assert_eq!(
            last(20, ", \"warnings_left_out\": 9980, \"and_more\": true"),
            "more than 9980 more warnings of the evaluator are left out"
        );
    }

    #[test]
    fn a_warning_is_a_line_that_can_be_read() {
        assert_eq!(one_line(" two\n lines "), "two lines");
        let long = one_line(&"ä".repeat(3_000_000));
        assert_eq!((long.chars().count(), long.ends_with('…')), (LONGEST_WARNING + 1, true));
        assert_eq!(one_line(&"word ".repeat(1_000_000)).chars().count(), LONGEST_WARNING + 1);
    }

    #[test]
    fn every_other_answer_is_refused_and_said_why() {
        for (answer, why) in [
            (r#"{"scores": {"accuracy": 0.5}, "outcomes": [1, 0]}"#, "found no rho"),
            (r#"{"scores": {"accuracy": 0.5, "rho": 0, "more": 1}, "outcomes": [1, 0]}"#, "found: more"),
            (r#"{"scores": {"accuracy": 0.5, "rho": 0, "rho": 0}, "outcomes": [1, 0]}"#, "found twice: rho"),
            (r#"{"scores": {"accuracy": null, "rho": 0}, "outcomes": [1, 0]}"#, "from 0 to 1, found none"),
            (r#"{"scores": {"accuracy": 0.5, "rho": 1.5}, "outcomes": [1, 0]}"#, "from -1 to 1, found 1.5"),
            (r#"{"scores": {"accuracy": 0.5, "rho": 0}}"#, "expected outcomes of all rows"),
            (r#"{"scores": {"accuracy": 0.5, "rho": 0}, "outcomes": [1, 0, 0]}"#, "expected 2 outcomes"),
            (
                r#"{"scores": {"accuracy": 0.6, "rho": 0}, "outcomes": [1, 0]}"#,
                "to be the mean of the outcomes, 0.5",
            ),
            (r#"{"scores": [0.5]}"#, "expected scores, outcomes and warnings"),
            ("nonsense", "expected scores, outcomes and warnings"),
        ] {
            let message = checked(answer).unwrap_err();
            assert!(message.contains(why), "{answer}: {message}");
        }
    }
}
