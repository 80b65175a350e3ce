//! Outcomes of single items: queries, pairs, texts. Where both runs kept them, a difference on one
//! unit has an interval of its own, also where the score of the unit is made of the order of all its
//! items: correlations, average precision.

use mteb_measures::correlation::{average_ranks, pearson, spearman};
use mteb_measures::pair::average_precision;

use crate::statistics::{
    Bootstrap, Interval, PairedTest, bootstrap_mean, bootstrap_statistic, permutation_test, swap_test,
};

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

/// Numbers that are looked at in all draws together: more items mean fewer draws.
const WORK: usize = 10_000_000;

/// What is made of gold and the numbers of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// The correlation of ranks.
    Spearman,
    /// The linear correlation.
    Pearson,
    /// The average precision of those whose gold is above 0.
    AveragePrecision,
}

/// The numbers that two models gave the same items.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    statistic: Statistic,
    gold: Vec<f64>,
    numbers: [Vec<f64>; 2],
}

impl Statistic {
    /// Its value of gold and the numbers of a model.
    pub fn of(self, gold: &[f64], numbers: &[f64]) -> f64 {
        match self {
            Self::Spearman => spearman(gold, numbers),
            Self::Pearson => pearson(gold, numbers),
            Self::AveragePrecision => {
                let kinds: Vec<bool> = gold.iter().map(|&gold| gold > 0.0).collect();
                average_precision(numbers, &kinds)
            }
        }
    }
}

impl Ranked {
    /// Gold and the numbers of both models, an entry an item.
    ///
    /// Models have scales of their own; so that items can be swapped between them, numbers become ranks, or for Pearson's
    /// correlation have mean 0 and variance 1, neither of which changes the statistic.
    pub fn new(statistic: Statistic, gold: Vec<f64>, numbers: [Vec<f64>; 2]) -> Self {
        let scaled = |numbers: Vec<f64>| match statistic {
            Statistic::Pearson => standardize(&numbers),
            Statistic::Spearman | Statistic::AveragePrecision => average_ranks(&numbers),
        };
        Self { statistic, gold, numbers: numbers.map(scaled) }
    }

    /// The statistic of each model.
    pub fn scores(&self) -> [f64; 2] {
        self.numbers.each_ref().map(|numbers| self.statistic.of(&self.gold, numbers))
    }

    /// The difference with its 95 % interval, items drawn with replacement; `None` if there is none.
    pub fn interval(&self) -> Option<Interval> {
        let how = Bootstrap { draws: self.draws(), ..Bootstrap::default() };
        let of =
            |numbers: &[f64], sample: &[usize]| sample.iter().map(|&item| numbers[item]).collect::<Vec<_>>();
        let interval = bootstrap_statistic(self.gold.len(), how, &|sample| {
            let gold = of(&self.gold, sample);
            let [one, other] =
                self.numbers.each_ref().map(|numbers| self.statistic.of(&gold, &of(numbers, sample)));
            other - one
        })?;
        interval.estimate.is_finite().then_some(interval)
    }

    /// Whether the models differ: how often the difference is as large where items are swapped between them at random.
    pub fn test(&self) -> PairedTest {
        let [one, other] = self.scores();
        swap_test(self.gold.len(), self.draws(), other - one, &|is_swapped| {
            let [mut one, mut other] = self.numbers.clone();
            for (item, _) in is_swapped.iter().enumerate().filter(|(_, is_swapped)| **is_swapped) {
                std::mem::swap(&mut one[item], &mut other[item]);
            }
            self.statistic.of(&self.gold, &other) - self.statistic.of(&self.gold, &one)
        })
    }

    /// How well each item stands for each model, 0 to 1: for a correlation how near its rank is to that of its gold, for an
    /// average precision the share of the items of the other kind that are on their side of it.
    pub fn place_items(&self) -> Vec<[f64; 2]> {
        let [one, other] = self.numbers.each_ref().map(|numbers| match self.statistic {
            Statistic::AveragePrecision => sides(&self.gold, numbers),
            Statistic::Spearman | Statistic::Pearson => nearness(&self.gold, numbers),
        });
        one.into_iter().zip(other).map(|(one, other)| [one, other]).collect()
    }

    fn draws(&self) -> usize {
        (WORK / self.gold.len().max(1)).clamp(200, 2_000)
    }
}

fn standardize(numbers: &[f64]) -> Vec<f64> {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let deviation = (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt();
    numbers.iter().map(|number| if deviation > 0.0 { (number - mean) / deviation } else { 0.0 }).collect()
}

fn nearness(gold: &[f64], numbers: &[f64]) -> Vec<f64> {
    let farthest = gold.len().saturating_sub(1).max(1) as f64;
    let ranks = average_ranks(gold).into_iter().zip(average_ranks(numbers));
    ranks.map(|(gold, found)| 1.0 - (gold - found).abs() / farthest).collect()
}

fn sides(gold: &[f64], numbers: &[f64]) -> Vec<f64> {
    let among_all = average_ranks(numbers);
    let mut placed = vec![0.0; gold.len()];
    for is_alike in [true, false] {
        let kind: Vec<usize> = (0..gold.len()).filter(|&item| (gold[item] > 0.0) == is_alike).collect();
        let others = (gold.len() - kind.len()).max(1) as f64;
        let own: Vec<f64> = kind.iter().map(|&item| numbers[item]).collect();
        for (&item, among_kind) in kind.iter().zip(average_ranks(&own)) {
            let below = (among_all[item] - among_kind) / others;
            placed[item] = if is_alike { below } else { 1.0 - below };
        }
    }
    placed
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

    #[test]
    fn items_are_placed_by_the_others() {
        let gold = vec![1.0, 0.0, 1.0, 0.0];
        let pairs = Ranked::new(
            Statistic::AveragePrecision,
            gold,
            [vec![0.9, 0.1, 0.8, 0.2], vec![0.9, 0.1, 0.2, 0.8]],
        );
        assert_eq!(pairs.place_items(), [[1.0, 1.0], [1.0, 1.0], [1.0, 0.5], [1.0, 0.5]]);
        // scikit-learn: average_precision_score([1, 0, 1, 0], [0.9, 0.1, 0.2, 0.8]) = 0.8333…
        let [one, other] = pairs.scores();
        assert!(one == 1.0 && (other - 5.0 / 6.0).abs() < 1e-12, "{other}");
        let texts =
            Ranked::new(Statistic::Spearman, vec![0.0, 0.5, 1.0], [vec![1.0, 2.0, 3.0], vec![3.0, 2.0, 1.0]]);
        assert_eq!(texts.place_items(), [[1.0, 0.0], [1.0, 1.0], [1.0, 0.0]]);
        let [one, other] = texts.scores();
        assert!((one - 1.0).abs() < 1e-12 && (other + 1.0).abs() < 1e-12, "{one} {other}");
    }

    #[test]
    fn a_better_model_is_told_from_a_worse_one_and_not_from_itself() {
        let gold: Vec<f64> = (0..200).map(f64::from).collect();
        let noisy = |strength: f64| -> Vec<f64> {
            (0..200).map(|item| f64::from(item) + strength * f64::from((item * 7919) % 200 - 100)).collect()
        };
        for statistic in [Statistic::Spearman, Statistic::Pearson] {
            let apart = Ranked::new(statistic, gold.clone(), [noisy(2.0), noisy(0.5)]);
            let interval = apart.interval().unwrap();
            assert!(interval.low > 0.0 && apart.test().p_value < 0.01, "{statistic:?} {interval:?}");
            let same = Ranked::new(statistic, gold.clone(), [noisy(2.0), noisy(2.0)]);
            assert_eq!((same.interval().unwrap().estimate, same.test().p_value), (0.0, 1.0), "{statistic:?}");
        }
    }
}
