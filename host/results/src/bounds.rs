//! What every score must be, tested before it is written and when it is read: a number within the
//! bounds of its measure.

use mteb_json::Json;
use mteb_tasks::{Bounds, Score, Scores, TaskType, bounds_in, bounds_of};

/// Room for rounding beyond a bound.
const ROUNDING: f64 = 1e-9;

/// Those of scores of which nobody here says what they may be.
const ANY: Bounds = Bounds::between(f64::NEG_INFINITY, f64::INFINITY).or_undefined();

/// A score that cannot be right.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("score `{name}`: expected a number from {low} to {high}{undefined}, found {found}{ending}")]
pub struct Violation {
    name: String,
    low: f64,
    high: f64,
    /// Ends the sentence where a score may be undefined.
    undefined: &'static str,
    found: String,
    /// What follows from it.
    ending: &'static str,
}

/// Tests all `scores` of a task of `task_type` before they are written, nested ones too.
///
/// # Errors
/// The first score that is out of the bounds of its measure, infinite, or undefined where it must
/// not be: a fault of the evaluator.
pub fn check_bounds(task_type: TaskType, scores: &Scores) -> Result<(), Violation> {
    check_all(scores, &|name| bounds_in(task_type, name)).map_err(|violation| Violation {
        ending: "; the result is not written, please report this",
        ..violation
    })
}

/// Tests the scores of an entry of a result file that this host wrote; what is no score is passed
/// over.
///
/// # Errors
/// The first score that this host cannot have written.
pub fn check_read(entry: &Json, task_type: Option<TaskType>) -> Result<(), Violation> {
    let bounds = |name: &str| match task_type {
        // The bounds of a type go with its pack, which need not be here.
        Some(own @ TaskType::Own(_)) if own.declared().is_none() => ANY,
        Some(own) => bounds_in(own, name),
        None => bounds_of(name),
    };
    let entries = entry.as_map().unwrap_or_default().iter();
    let scores = entries.filter(|(name, _)| name != "main_score");
    let scores = Scores(scores.filter_map(|(name, json)| Some((name.clone(), score(json)?))).collect());
    check_all(&scores, &bounds)
}

/// The lowest and the highest value of the measure called `name`; of `main_score` those of all main
/// scores. Of measures of packs they are the same whether the pack is here or not: those that a
/// main score may have.
pub fn bounds(name: &str) -> (f64, f64) {
    if name.contains('/') {
        return (-1.0, 1.0);
    }
    let Bounds { low, high, .. } = bounds_of(name);
    (low, high)
}

/// Tests one score.
///
/// # Errors
/// If it is out of the bounds of the measure called `name`.
pub fn check_number(name: &str, number: f64) -> Result<(), Violation> {
    check_within(bounds_of(name), name, number)
}

/// Tests one score of a task of `task_type`.
///
/// # Errors
/// If it is out of the bounds of the measure called `name`.
pub fn check_number_of(task_type: TaskType, name: &str, number: f64) -> Result<(), Violation> {
    check_within(bounds_in(task_type, name), name, number)
}

fn check_all(scores: &Scores, bounds: &dyn Fn(&str) -> Bounds) -> Result<(), Violation> {
    scores.0.iter().try_for_each(|(name, score)| check_score(name, score, bounds(name)))
}

/// A score as a file holds it; `None` if it is none.
fn score(json: &Json) -> Option<Score> {
    Some(match json {
        Json::Null => Score::Null,
        Json::Int(number) => Score::Int(*number),
        Json::Whole(_) => Score::Number(json.as_number()?),
        Json::Float(number) => Score::Number(*number),
        Json::List(cells) => Score::List(cells.iter().map(score).collect::<Option<_>>()?),
        Json::Map(entries) => Score::Map(Scores(
            entries.iter().map(|(name, json)| Some((name.clone(), score(json)?))).collect::<Option<_>>()?,
        )),
        Json::Bool(_) | Json::Text(_) => return None,
    })
}

fn check_score(name: &str, score: &Score, bounds: Bounds) -> Result<(), Violation> {
    match score {
        Score::Number(number) | Score::Numpy(number) => check_within(bounds, name, *number),
        Score::Int(number) => check_within(bounds, name, *number as f64),
        Score::Null => check_within(bounds, name, f64::NAN),
        Score::List(scores) => (0..).zip(scores).try_for_each(|(place, score): (usize, _)| {
            check_score(&format!("{name}[{place}]"), score, bounds)
        }),
        Score::Map(scores) => scores.0.iter().try_for_each(|(inner, score)| {
            // A level of clusters holds the measure that the map is named after.
            let bounds = if inner.starts_with("Level ") { bounds } else { bounds_of(inner) };
            check_score(&format!("{name}.{inner}"), score, bounds)
        }),
    }
}

fn check_within(bounds: Bounds, name: &str, number: f64) -> Result<(), Violation> {
    let Bounds { low, high, may_be_undefined } = bounds;
    let is_right = if number.is_nan() {
        may_be_undefined
    } else {
        number.is_finite() && (low - ROUNDING..=high + ROUNDING).contains(&number)
    };
    if is_right {
        return Ok(());
    }
    Err(Violation {
        name: name.to_owned(),
        low,
        high,
        undefined: if may_be_undefined { ", or none" } else { "" },
        found: number.to_string(),
        ending: "",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(name: &str, score: impl Into<Score>) -> Result<(), String> {
        let mut scores = Scores::new();
        scores.insert(name, score);
        check_bounds(TaskType::Retrieval, &scores).map_err(|violation| violation.to_string())
    }

    #[test]
    fn shares_lie_between_0_and_1() {
        assert_eq!(verdict("ndcg_at_10", 1.0 + 1e-12), Ok(()));
        let message = "score `ndcg_at_10`: expected a number from 0 to 1, found 1.25; the result is not written, \
                       please report this";
        assert_eq!(verdict("ndcg_at_10", 1.25), Err(message.to_owned()));
        assert!(verdict("max_over_subqueries_map_at_1000", -0.1).is_err());
        assert!(verdict("accuracy", f64::NAN).is_err());
        assert!(verdict("recall_at_5", None).is_err());
    }

    #[test]
    fn correlations_lie_between_minus_1_and_1_or_are_undefined() {
        assert_eq!(verdict("cosine_spearman", -1.0), Ok(()));
        assert_eq!(verdict("pearson", f64::NAN), Ok(()));
        assert_eq!(verdict("p-MRR", -0.3), Ok(()));
        let message = "score `manhattan_pearson`: expected a number from -1 to 1, or none, found -1.1; the result is \
                       not written, please report this";
        assert_eq!(verdict("manhattan_pearson", -1.1), Err(message.to_owned()));
    }

    #[test]
    fn noise_of_a_constant_metric_is_let_through_and_infinity_is_not() {
        assert_eq!(verdict("nauc_recall_at_5_max", -37.5), Ok(()));
        assert_eq!(verdict("nauc_recall_at_5_max", None), Ok(()));
        assert!(verdict("nauc_recall_at_5_max", f64::INFINITY).is_err());
    }

    #[test]
    fn nested_scores_are_found_by_their_place() {
        let levels = |value| Scores(vec![("Level 0".to_owned(), vec![0.5, value].into())]);
        assert_eq!(verdict("ami_scores", levels(-0.01)), Ok(()));
        let message = verdict("v_measures", levels(-0.01)).expect_err("below 0");
        assert!(
            message.starts_with("score `v_measures.Level 0[1]`: expected a number from 0 to 1"),
            "{message}"
        );
        let experiment = Scores(vec![("ap".to_owned(), Score::Null), ("f1".to_owned(), 2.0.into())]);
        let message = verdict("scores_per_experiment", vec![Score::Map(experiment)]).expect_err("above 1");
        assert!(message.starts_with("score `scores_per_experiment[0].f1`: "), "{message}");
    }
}
