//! An invariant: what single items of a unit came to gives the scores of the unit.

use mteb_card::TaskCard;
use mteb_tasks::{Items, Scores, evaluator};

/// How far a score may be from what its items come to.
const TOLERANCE: f64 = 1e-9;

/// Tests that the scores which follow from `items` are those of the unit, its main score among them.
///
/// # Errors
/// The first score that is another one: a fault of the evaluator.
pub fn check_items(card: &TaskCard, items: &Items, scores: &Scores) -> Result<(), String> {
    const ENDING: &str = "the result is not written, please report this";
    let found = evaluator(card.task_type).aggregate(items, &card.protocol);
    let found = found.map_err(|error| format!("outcomes: {error}; {ENDING}"))?;
    if found.number(card.main_score()).is_none() {
        return Err(format!(
            "outcomes: expected the main score `{}` to follow from them; {ENDING}",
            card.main_score()
        ));
    }
    for (name, _) in &found.0 {
        let (Some(is), Some(should)) = (found.number(name), scores.number(name)) else { continue };
        let is_equal = (is - should).abs() <= TOLERANCE || (is.is_nan() && should.is_nan());
        if !is_equal {
            return Err(format!(
                "outcomes: expected them to come to the score `{name}`, {should}, found {is}; {ENDING}"
            ));
        }
    }
    Ok(())
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
        assert_eq!(check_items(&card(), &items([0, 1, 2, 3]), &scores), Ok(()));
        assert_eq!(
            check_items(&card(), &items([0, 1, 2, 2]), &scores).unwrap_err(),
            "outcomes: expected them to come to the score `precision`, 1, found 0.625; the result is not written, please report \
             this"
        );
    }

    #[test]
    fn items_without_a_column_fail_the_unit() {
        let message = check_items(&card(), &Items::default(), &Scores::new()).unwrap_err();
        assert!(message.starts_with("outcomes: expected a column `gold` of whole numbers"), "{message}");
    }
}
