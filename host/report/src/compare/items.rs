//! Outcomes of single items: queries, pairs, texts. Where both runs kept them, a difference on one unit has an interval of its own.

use super::ranked::Ranked;
use crate::statistics::{Bootstrap, Interval, PairedTest, bootstrap_mean, permutation_test};

/// One item that both models were scored on.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedItem {
    /// Id of the item: that of a query, the row of a text or pair.
    pub id: String,
    /// Its text, where the data is at hand.
    pub text: Option<String>,
    /// What each of the two models came to on this item alone, higher being better.
    pub scores: [f64; 2],
}

/// The items of a unit that both models were scored on.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedUnit {
    /// What an item is, in the plural: `queries`.
    pub kind: &'static str,
    /// Where its text is found.
    pub texts: Texts,
    /// The measure of the unit.
    pub measure: String,
    /// The measure of an item.
    pub item_measure: &'static str,
    /// How the measure of the unit follows from its items.
    pub whole: Whole,
    /// The items.
    pub items: Vec<PairedItem>,
    /// Items that one of the two alone has.
    pub unmatched: usize,
}

/// Where the text of an item is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texts {
    /// Its id is that of a query.
    Queries,
    /// Its id is a row of the split.
    Rows,
    /// Nowhere: it is no text.
    Nowhere,
}

/// How the measure of a unit follows from its items.
#[derive(Clone, Debug, PartialEq)]
pub enum Whole {
    /// It is their mean.
    Mean,
    /// It is made of the order of all items.
    Ranked(Ranked),
}

/// What outcomes say of a unit.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// What both models came to on its items.
    Paired(PairedUnit),
    /// Neither run kept outcomes.
    Neither,
    /// One run kept outcomes, and that of this model (0 or 1) did not.
    Without(usize),
    /// They are left out, and why.
    LeftOut(Vec<String>),
}

/// What two results of a task were made from, where it is not the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unlike {
    /// Data and options, which make a comparison unfair.
    pub data: Vec<String>,
    /// The state of the model, where both are of one model.
    pub model: Vec<String>,
}

/// Where outcomes of items come from, and what else lies beside two results.
pub trait ItemSource {
    /// The items of a unit that both results have; `main_score` is the score that stands for the unit.
    fn items(&self, task: &str, split: &str, subset: &str, main_score: &str) -> Found;

    /// What the two results of a task were not made from alike.
    fn unlike(&self, task: &str) -> Unlike;
}

/// No run kept outcomes.
pub struct NoItems;

impl ItemSource for NoItems {
    fn items(&self, _: &str, _: &str, _: &str, _: &str) -> Found {
        Found::Neither
    }

    fn unlike(&self, _: &str) -> Unlike {
        Unlike::default()
    }
}

/// What the items of a unit say of a difference.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemDifference {
    /// What an item is, in the plural.
    pub kind: &'static str,
    /// Where their texts are found.
    pub texts: Texts,
    /// The measure of the unit.
    pub measure: String,
    /// The measure of an item.
    pub item_measure: &'static str,
    /// How many items there are.
    pub items: usize,
    /// Items that one of the two models alone has.
    pub unmatched: usize,
    /// The measure of the unit for each model, over these items.
    pub scores: [f64; 2],
    /// The difference with its 95 % interval over items.
    pub interval: Interval,
    /// Whether the models differ on such items.
    pub test: PairedTest,
    /// The items that changed most.
    pub changed: Vec<PairedItem>,
}

/// Items that are shown.
const SHOWN: usize = 5;

/// The difference over the items of a unit, of which no two scores are further apart than `reach`; `None` for fewer than two.
pub(super) fn over_items(unit: PairedUnit, reach: f64) -> Option<ItemDifference> {
    let PairedUnit { kind, texts, measure, item_measure, whole, mut items, unmatched } = unit;
    let (scores, interval, test) = match &whole {
        Whole::Ranked(ranked) => (ranked.scores(), ranked.interval()?, ranked.test()),
        Whole::Mean => {
            let differences: Vec<f64> = items.iter().map(PairedItem::difference).collect();
            let mean = |place: usize| {
                items.iter().map(|item| item.scores[place]).sum::<f64>() / items.len().max(1) as f64
            };
            let interval = bootstrap_mean(&differences, Bootstrap::default())?;
            ([mean(0), mean(1)], interval, permutation_test(&differences))
        }
    };
    let (count, interval) = (items.len(), interval.within(-reach, reach));
    items.sort_by(|left, right| right.difference().abs().total_cmp(&left.difference().abs()));
    items.retain(|item| item.difference() != 0.0);
    items.truncate(SHOWN);
    let (items, changed) = (count, items);
    Some(ItemDifference {
        kind,
        texts,
        measure,
        item_measure,
        items,
        unmatched,
        scores,
        interval,
        test,
        changed,
    })
}

impl PairedItem {
    /// Score of the second model less that of the first.
    pub fn difference(&self) -> f64 {
        self.scores[1] - self.scores[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(items: Vec<PairedItem>) -> PairedUnit {
        PairedUnit {
            kind: "queries",
            texts: Texts::Queries,
            measure: "ndcg_at_10".to_owned(),
            item_measure: "ndcg_at_10",
            whole: Whole::Mean,
            items,
            unmatched: 0,
        }
    }

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
        let found = over_items(unit(items), 1.0).unwrap();
        assert_eq!((found.items, found.changed[0].id.as_str(), found.changed.len()), (32, "30", 5));
        assert!(
            found.interval.low < 0.0 && found.interval.high > 0.0 && found.test.p_value > 0.05,
            "{found:?}"
        );
        assert_eq!(over_items(unit(vec![item(0, 1.0, 0.0)]), 1.0), None);
    }
}
