//! Outcomes of single items: queries, pairs, texts. Where a run kept them, a difference on one task has an interval of its own.

use crate::statistics::{Bootstrap, Interval, PairedTest, bootstrap_mean, permutation_test};

/// One item that both models were scored on.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedItem {
    /// Id of the item.
    pub id: String,
    /// Its text, where the data is at hand.
    pub text: Option<String>,
    /// Scores of the two models: the measure of the unit for this item alone, the mean over experiments.
    pub scores: [f64; 2],
}

/// Where outcomes of items come from.
pub trait ItemSource {
    /// The items of a unit that both results have; `None` where one of them kept none.
    fn items(&self, task: &str, split: &str, subset: &str) -> Option<Vec<PairedItem>>;
}

/// No run kept outcomes.
pub struct NoItems;

impl ItemSource for NoItems {
    fn items(&self, _: &str, _: &str, _: &str) -> Option<Vec<PairedItem>> {
        None
    }
}

/// What the items of a task say of a difference.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemDifference {
    /// How many items there are.
    pub items: usize,
    /// The mean difference over items with its studentised 95 % interval.
    pub interval: Interval,
    /// Whether the models differ on such items.
    pub test: PairedTest,
    /// The items that changed most.
    pub changed: Vec<PairedItem>,
}

/// Items that are shown.
const SHOWN: usize = 5;

/// The difference over `items`; `None` for fewer than two.
pub(super) fn over_items(mut items: Vec<PairedItem>) -> Option<ItemDifference> {
    let differences: Vec<f64> = items.iter().map(difference).collect();
    let interval = bootstrap_mean(&differences, Bootstrap::default())?;
    let test = permutation_test(&differences);
    let count = items.len();
    items.sort_by(|left, right| difference(right).abs().total_cmp(&difference(left).abs()));
    items.retain(|item| difference(item) != 0.0);
    items.truncate(SHOWN);
    Some(ItemDifference { items: count, interval, test, changed: items })
}

fn difference(item: &PairedItem) -> f64 {
    item.scores[1] - item.scores[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_items_that_changed_most_come_first_and_the_interval_is_of_the_mean() {
        let item = |number: i32, before: f64, after: f64| PairedItem {
            id: number.to_string(),
            text: None,
            scores: [before, after],
        };
        let mut items: Vec<PairedItem> =
            (0..30).map(|number| item(number, 0.5, 0.52 + f64::from(number % 3) / 100.0)).collect();
        items.push(item(30, 1.0, 0.0));
        items.push(item(31, 0.4, 0.4));
        let found = over_items(items).unwrap();
        assert_eq!((found.items, found.changed[0].id.as_str(), found.changed.len()), (32, "30", 5));
        assert!(
            found.interval.low < 0.0 && found.interval.high > 0.0 && found.test.p_value > 0.05,
            "{found:?}"
        );
        assert_eq!(over_items(vec![item(0, 1.0, 0.0)]), None);
    }
}
