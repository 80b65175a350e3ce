//! Whether scores are those of the single experiments or similarities beside them, and whether experiments are as many as the options of the
//! score ask for.

use std::collections::BTreeMap;

use mteb_card::{TaskType, defaults};
use mteb_json::Json;
use mteb_measures::numeric::is_mean_over;
use mteb_tasks::facts;

use super::SubsetScores;
use super::fault::{EXPERIMENTS, ResultFault};

/// The similarities that pairs are told apart by.
const SIMILARITIES: [&str; 5] = ["similarity", "cosine", "dot", "euclidean", "manhattan"];

/// Room for means of scores that are rounded to six decimals.
const ROUNDING: f64 = 1e-5;

/// Checks that the main score is the mean over its single experiments, where an entry has some. By the `options` of a score of this
/// host it is that of its own measure, and there are as many experiments as they say; of others it is the mean of any measure.
///
/// # Errors
/// What was expected and what was found.
pub(super) fn check_experiments(entry: &SubsetScores, options: Option<&Json>) -> Result<(), ResultFault> {
    if let Some(options) = options {
        check_count(entry, options)?;
        check_maximum(entry)?;
    }
    let main = entry.main_score();
    if main.is_nan() {
        return Ok(());
    }
    let name = options.and_then(|options| options.get("main_score")).and_then(Json::as_text);
    if let Some((name, (key, values))) = name.and_then(|name| Some((name, single_values(entry, name)?))) {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        return if (mean - main).abs() <= ROUNDING {
            Ok(())
        } else {
            Err(ResultFault::main_score(
                format!("the mean of `{name}` over `{key}`, which is {mean:.6}"),
                main,
            ))
        };
    }
    if is_mean_over(main, &experiments(entry)) { Ok(()) } else { Err(ResultFault::not_a_mean(main)) }
}

/// Checks that a measure which is the maximum over similarities, as `max_ap`, is that of the values beside it. Public files of others hold
/// maxima of more similarities than they name, so that nothing of them can be told.
fn check_maximum(entry: &SubsetScores) -> Result<(), ResultFault> {
    for (name, score) in entry.json.as_map().unwrap_or_default() {
        let Some(measure) = name.strip_prefix("max_") else { continue };
        let values = SIMILARITIES.iter().filter_map(|kind| entry.json.get(&format!("{kind}_{measure}")));
        let largest = values.filter_map(Json::as_number).reduce(f64::max);
        let (Some(largest), Some(score)) = (largest, score.as_number()) else { continue };
        if (largest - score).abs() > ROUNDING {
            let expected = format!("the largest `…_{measure}` beside it, which is {largest:.6}");
            return Err(ResultFault::derived(name, expected, score));
        }
    }
    Ok(())
}

/// Scores that are not the mean of their own measure over the experiments or clusterings beside them, each with its name. The main score,
/// which [`check_experiments`] checks, is not among them, nor are measures that some experiments lack.
pub(super) fn contradicted_means(entry: &SubsetScores) -> Vec<ResultFault> {
    let count = experiments(entry).len();
    let scores = entry.json.as_map().unwrap_or_default().iter().filter(|(name, _)| name != "main_score");
    let fault = |(name, score): (&String, f64)| {
        let (key, values) = single_values(entry, name)?;
        if key == EXPERIMENTS && values.len() != count {
            return None;
        }
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        ((mean - score).abs() > ROUNDING)
            .then(|| ResultFault::derived(name, format!("its mean over `{key}`, which is {mean:.6}"), score))
    };
    let numbers = scores.filter_map(|(name, score)| Some((name, score.as_number()?)));
    numbers.filter(|(_, score)| !score.is_nan()).filter_map(fault).collect()
}

/// The measure `name` of each experiment or clustering that has it, with the key that they stand under; `None` if there are none.
fn single_values(entry: &SubsetScores, name: &str) -> Option<(String, Vec<f64>)> {
    let of_experiments: Vec<f64> =
        experiments(entry).iter().filter_map(|scores| scores.get(name).copied()).collect();
    if !of_experiments.is_empty() {
        return Some((EXPERIMENTS.to_owned(), of_experiments));
    }
    [format!("{name}s"), format!("{name}_scores")].into_iter().find_map(|key| {
        let values: Vec<f64> = lists(entry.json.get(&key)?).into_iter().flatten().flatten().collect();
        (!values.is_empty()).then_some((key, values))
    })
}

fn experiments(entry: &SubsetScores) -> Vec<BTreeMap<String, f64>> {
    entry.json.get(EXPERIMENTS).map(measures_of).unwrap_or_default()
}

/// The measures of each of some `experiments` that are numbers.
pub(super) fn measures_of(experiments: &Json) -> Vec<BTreeMap<String, f64>> {
    let numbers = |experiment: &Json| {
        let scores = experiment.as_map().unwrap_or_default().iter();
        let numbers = scores.filter_map(|(name, score)| Some((name.clone(), score.as_number()?)));
        numbers.filter(|(_, score)| !score.is_nan()).collect()
    };
    experiments.as_list().unwrap_or_default().iter().map(numbers).collect()
}

/// Scores of clusterings: one list, or one of each level; a cell without a number is `None`.
fn lists(json: &Json) -> Vec<Vec<Option<f64>>> {
    let cells = |list: &Json| {
        let cells = list.as_list().unwrap_or_default().iter();
        cells.map(|cell| cell.as_number().filter(|number| !number.is_nan())).collect()
    };
    match json.as_map() {
        Some(levels) => levels.iter().map(|(_, list)| cells(list)).collect(),
        None => vec![cells(json)],
    }
}

/// Checks that there are as many experiments or clusterings as the options of the score say.
fn check_count(entry: &SubsetScores, options: &Json) -> Result<(), ResultFault> {
    let Some(task_type) = options.get("type").and_then(Json::as_text).and_then(task_type) else {
        return Ok(());
    };
    let has = |option: &str| facts(task_type).options.contains(&option);
    let protocol = options.get("protocol");
    let number = |option: &str| {
        protocol.and_then(|protocol| protocol.get(option)?.as_number()).map(|number| number as usize)
    };
    if has("experiments") {
        let expected = number("cross_validation").or_else(|| number("experiments"));
        let expected = expected.unwrap_or(defaults::EXPERIMENTS);
        let found = entry.json.get(EXPERIMENTS).and_then(Json::as_list).unwrap_or_default().len();
        return expect_count(EXPERIMENTS, expected, found);
    }
    let is_legacy = protocol.and_then(|protocol| protocol.get("legacy")) == Some(&Json::Bool(true));
    if has("rounds") && !is_legacy {
        let expected = number("rounds").unwrap_or(defaults::ROUNDS);
        let levels = entry.json.get("v_measures").map(lists).unwrap_or_default();
        return match levels.iter().find(|level| level.len() != expected) {
            Some(level) => expect_count("v_measures", expected, level.len()),
            None if levels.is_empty() => expect_count("v_measures", expected, 0),
            None => Ok(()),
        };
    }
    Ok(())
}

fn expect_count(key: &str, expected: usize, found: usize) -> Result<(), ResultFault> {
    if expected == found {
        return Ok(());
    }
    Err(ResultFault::Count { key: key.to_owned(), expected, found })
}

fn task_type(name: &str) -> Option<TaskType> {
    TaskType::ALL.iter().copied().find(|task_type| task_type.as_str() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(scores: &str, options: &str) -> Result<(), String> {
        let json = Json::parse(&format!("{{\"hf_subset\": \"default\", {scores}}}")).unwrap();
        let options = (!options.is_empty()).then(|| Json::parse(options).unwrap());
        let entry = SubsetScores { subset: "default".to_owned(), json };
        check_experiments(&entry, options.as_ref()).map_err(|fault| fault.to_string())
    }

    /// Options of a classification with two experiments.
    const TWO: &str =
        r#"{"type": "Classification", "main_score": "accuracy", "protocol": {"experiments": 2}}"#;
    const EACH: &str =
        r#""scores_per_experiment": [{"accuracy": 0.2, "f1": 0.7}, {"accuracy": 0.4, "f1": 0.9}]"#;

    #[test]
    fn a_main_score_is_the_mean_of_its_own_measure() {
        assert_eq!(check(&format!(r#""main_score": 0.3, {EACH}"#), TWO), Ok(()));
        let of_f1 = check(&format!(r#""main_score": 0.8, {EACH}"#), TWO).unwrap_err();
        assert_eq!(
            of_f1,
            "expected `main_score` to be the mean of `accuracy` over `scores_per_experiment`, which is 0.300000, found: 0.8"
        );
        assert_eq!(check(&format!(r#""main_score": 0.8, {EACH}"#), ""), Ok(()), "others name no measure");
        assert!(check(&format!(r#""main_score": 0.5, {EACH}"#), "").is_err());
    }

    #[test]
    fn every_measure_is_the_mean_of_its_experiments() {
        let faults = |scores: &str| -> Vec<String> {
            let json = Json::parse(&format!("{{{scores}, {EACH}}}")).unwrap();
            let entry = SubsetScores { subset: "default".to_owned(), json };
            contradicted_means(&entry).iter().map(ToString::to_string).collect()
        };
        assert!(faults(r#""main_score": 0.3, "accuracy": 0.3, "f1": 0.8, "ap": 0.9"#).is_empty());
        let expected =
            "expected `f1` to be its mean over `scores_per_experiment`, which is 0.800000, found: 0.9";
        assert_eq!(faults(r#""main_score": 0.3, "accuracy": 0.3, "f1": 0.9"#), [expected]);
    }

    #[test]
    fn experiments_are_as_many_as_the_options_say() {
        let one = r#""main_score": 0.2, "scores_per_experiment": [{"accuracy": 0.2}]"#;
        assert_eq!(
            check(one, TWO).unwrap_err(),
            "expected 2 scores in `scores_per_experiment`, as its options say, found 1"
        );
        let usual = r#"{"type": "Classification", "main_score": "accuracy"}"#;
        assert!(check(one, usual).unwrap_err().starts_with("expected 10 scores"));
        let folds =
            r#"{"type": "Classification", "main_score": "accuracy", "protocol": {"cross_validation": 1}}"#;
        assert_eq!(check(one, folds), Ok(()));
        assert!(check(r#""main_score": 0.2, "accuracy": 0.2"#, TWO).unwrap_err().ends_with("found 0"));
        assert_eq!(check(r#""main_score": 0.2"#, r#"{"type": "STS"}"#), Ok(()));
    }

    #[test]
    fn a_maximum_is_that_of_the_similarities_beside_it() {
        let pairs = r#"{"type": "PairClassification", "main_score": "max_ap"}"#;
        let scores =
            |max: f64| format!(r#""main_score": {max}, "cosine_ap": 0.5, "dot_ap": 0.55, "max_ap": {max}"#);
        assert_eq!(check(&scores(0.55), pairs), Ok(()));
        for wrong in [0.99, 0.5] {
            let expected = format!(
                "expected `max_ap` to be the largest `…_ap` beside it, which is 0.550000, found: {wrong}"
            );
            assert_eq!(check(&scores(wrong), pairs).unwrap_err(), expected);
            assert_eq!(check(&scores(wrong), ""), Ok(()), "files of others may leave similarities out");
        }
    }

    #[test]
    fn clusterings_count_as_experiments() {
        let options = r#"{"type": "Clustering", "main_score": "v_measure", "protocol": {"rounds": 2}}"#;
        let levels = r#""v_measures": {"Level 0": [0.2, 0.4], "Level 1": [0.6, 0.8]}"#;
        assert_eq!(check(&format!(r#""main_score": 0.5, {levels}"#), options), Ok(()));
        let edited = check(&format!(r#""main_score": 0.9, {levels}"#), options).unwrap_err();
        assert!(
            edited.starts_with("expected `main_score` to be the mean of `v_measure` over `v_measures`"),
            "{edited}"
        );
        let cut = check(r#""main_score": 0.2, "v_measures": {"Level 0": [0.2]}"#, options).unwrap_err();
        assert_eq!(cut, "expected 2 scores in `v_measures`, as its options say, found 1");
        let sets = r#"{"type": "Clustering", "main_score": "v_measure", "protocol": {"legacy": true}}"#;
        assert_eq!(check(r#""main_score": 0.3, "v_measures": [0.2, 0.3, 0.4]"#, sets), Ok(()));
    }
}
