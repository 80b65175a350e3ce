//! An invariant: what single items of a unit came to gives the scores of the unit.

use mteb_card::{Protocol, TaskCard, TaskType};
use mteb_json::Json;
use mteb_tasks::{Items, OWN_OUTCOME, Scores, evaluator};
use serde_json::Value;

use super::fault::{ItemsFault, ResultFault};

/// How far a score may be from what its items come to.
const TOLERANCE: f64 = 1e-9;

/// The same of a score that was read: files have six decimals.
const ROUNDING: f64 = 1e-5;

/// Tests that the scores which follow from `items` are those of the unit, its main score among them.
///
/// # Errors
/// The first score that is another one: a fault of the evaluator.
pub fn check_items(card: &TaskCard, items: &Items, scores: &Scores) -> Result<(), ItemsFault> {
    let found = evaluator(card.task_type).aggregate(items, &card.protocol)?;
    if found.number(card.main_score()).is_none() {
        return Err(ItemsFault::NoMainScore(card.main_score().to_owned()));
    }
    for (name, _) in &found.0 {
        let (Some(is), Some(should)) = (found.number(name), scores.number(name)) else { continue };
        let is_equal = (is - should).abs() <= TOLERANCE || (is.is_nan() && should.is_nan());
        if !is_equal {
            return Err(ItemsFault::OtherScore { name: name.clone(), score: should, found: is });
        }
    }
    Ok(())
}

/// Tests that a main score that was read is what its `items` come to, by the `options` that it was made with. What cannot be told, as
/// of options of another version, is no fault.
///
/// # Errors
/// What was expected and what was found.
pub fn check_against_items(options: &Value, items: &Items, main_score: f64) -> Result<(), ResultFault> {
    let Some(name) = options["main_score"].as_str() else { return Ok(()) };
    match score_of_items(options, items, name) {
        Some(should) if should.is_nan() || (should - main_score).abs() > ROUNDING => {
            Err(ResultFault::main_score(
                format!("the score of its outcomes, `{name}` of {should:.6}"),
                main_score,
            ))
        }
        _ => Ok(()),
    }
}

/// Scores of the entry `scores`, the main one left aside, that are not what its `items` come to, by the `options` that it was made with.
/// Scores that do not follow from items alone are passed over.
pub fn check_all_against_items(options: &Value, items: &Items, scores: &Json) -> Vec<ResultFault> {
    let Some(found) = scores_of_items(options, items) else { return Vec::new() };
    let fault = |name: &String| {
        let (should, is) = (found.number(name)?, scores.get(name)?.as_number()?);
        let is_same = (should - is).abs() <= ROUNDING || (should.is_nan() && is.is_nan());
        (!is_same).then(|| {
            ResultFault::derived(name, format!("the score of its outcomes, which is {should:.6}"), is)
        })
    };
    found.0.iter().filter_map(|(name, _)| fault(name)).collect()
}

/// All scores that `items` give; `None` where that cannot be told.
fn scores_of_items(options: &Value, items: &Items) -> Option<Scores> {
    let task_type = TaskType::ALL.iter().copied().find(|known| options["type"] == known.as_str())?;
    let protocol = options.get("protocol").cloned().unwrap_or_else(|| Value::Object(Default::default()));
    let protocol: Protocol = serde_json::from_value(protocol).ok()?;
    evaluator(task_type).aggregate(items, &protocol).ok()
}

/// The score called `name` that `items` give; `None` where it cannot be told.
fn score_of_items(options: &Value, items: &Items, name: &str) -> Option<f64> {
    if TaskType::ALL.iter().all(|known| options["type"] != known.as_str()) {
        return mean_of_own(options, items, name);
    }
    scores_of_items(options, items)?.number(name)
}

/// The same of a type that a pack or a card declares: the score whose outcomes are kept is their mean.
fn mean_of_own(options: &Value, items: &Items, name: &str) -> Option<f64> {
    if options["declaration"]["type.outcomes"] != name {
        return None;
    }
    let outcomes = items.floats(OWN_OUTCOME).or_else(|_| items.floats(name)).ok()?;
    Some(outcomes.iter().sum::<f64>() / outcomes.len() as f64)
}

#[cfg(test)]
mod tests {
    use mteb_tasks::ItemColumn;

    use super::*;

    fn card() -> TaskCard {
        let text = "schema = 1\nname = \"T\"\ntype = \"BitextMining\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
                    [dataset]\npath = \"data\"\n";
        TaskCard::from_toml(text).expect("a card")
    }

    fn items(found: [i64; 4]) -> Items {
        let mut items = Items::default();
        for (name, places) in [("source", [0, 1, 2, 3]), ("gold", [0, 1, 2, 3]), ("found", found)] {
            items.push(name, ItemColumn::Int(places.to_vec()));
        }
        items
    }

    #[test]
    fn items_that_come_to_another_score_fail_the_unit() {
        let scores = evaluator(card().task_type).aggregate(&items([0, 1, 2, 3]), &card().protocol).unwrap();
        assert!(check_items(&card(), &items([0, 1, 2, 3]), &scores).is_ok());
        assert_eq!(
            check_items(&card(), &items([0, 1, 2, 2]), &scores).unwrap_err().to_string(),
            "outcomes: expected them to give the score `precision`, 1, found 0.625; the result is not written, \
             please report this"
        );
    }

    #[test]
    fn a_score_that_its_items_contradict_is_named() {
        let options = serde_json::json!({"type": "BitextMining", "main_score": "accuracy"});
        let found = items([0, 1, 2, 2]);
        assert!(check_against_items(&options, &found, 0.75).is_ok());
        assert_eq!(
            check_against_items(&options, &found, 0.99).unwrap_err().to_string(),
            "expected `main_score` to be the score of its outcomes, `accuracy` of 0.750000, found: 0.99"
        );
        let unknown =
            serde_json::json!({"type": "BitextMining", "main_score": "accuracy", "protocol": {"later": 1}});
        assert!(check_against_items(&unknown, &found, 0.99).is_ok());
    }

    #[test]
    fn every_score_that_items_contradict_is_named() {
        let options = serde_json::json!({"type": "BitextMining", "main_score": "f1"});
        let found = items([0, 1, 2, 2]);
        let faults = |accuracy: f64| {
            let scores = Json::from(serde_json::json!({"accuracy": accuracy, "precision": 0.625}));
            check_all_against_items(&options, &found, &scores)
        };
        assert!(faults(0.75).is_empty());
        let expected = "expected `accuracy` to be the score of its outcomes, which is 0.750000, found: 0.99";
        assert_eq!(faults(0.99).iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    }

    #[test]
    fn the_outcomes_of_a_type_that_a_card_declares_contradict_its_score_too() {
        let of = |outcomes: &str| {
            serde_json::json!({
                "type": "Readability", "main_score": "hits", "declaration": {"type.outcomes": outcomes}
            })
        };
        let mut found = Items::default();
        found.push(OWN_OUTCOME, ItemColumn::Float(vec![1.0, 0.0, 0.0, 1.0]));
        assert!(check_against_items(&of("hits"), &found, 0.5).is_ok());
        assert!(check_against_items(&of("hits"), &found, 0.6).is_err());
        assert!(check_against_items(&of("others"), &found, 0.6).is_ok());
    }

    #[test]
    fn items_without_a_column_fail_the_unit() {
        let message = check_items(&card(), &Items::default(), &Scores::new()).unwrap_err().to_string();
        assert!(message.starts_with("outcomes: expected a column `gold` of whole numbers"), "{message}");
    }
}
