//! Scores of a unit that are made of the order of all its items: correlations, average precision.

use mteb_measures::correlation::{average_ranks, pearson, spearman};
use mteb_measures::pair::average_precision;

use crate::statistics::{Bootstrap, Interval, PairedTest, bootstrap_statistic, swap_test};

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
            Statistic::Pearson => standardized(&numbers),
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
    pub fn placed(&self) -> Vec<[f64; 2]> {
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

fn standardized(numbers: &[f64]) -> Vec<f64> {
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

    #[test]
    fn items_are_placed_by_the_others() {
        let gold = vec![1.0, 0.0, 1.0, 0.0];
        let pairs = Ranked::new(
            Statistic::AveragePrecision,
            gold,
            [vec![0.9, 0.1, 0.8, 0.2], vec![0.9, 0.1, 0.2, 0.8]],
        );
        assert_eq!(pairs.placed(), [[1.0, 1.0], [1.0, 1.0], [1.0, 0.5], [1.0, 0.5]]);
        // scikit-learn: average_precision_score([1, 0, 1, 0], [0.9, 0.1, 0.2, 0.8]) = 0.8333…
        let [one, other] = pairs.scores();
        assert!(one == 1.0 && (other - 5.0 / 6.0).abs() < 1e-12, "{other}");
        let texts =
            Ranked::new(Statistic::Spearman, vec![0.0, 0.5, 1.0], [vec![1.0, 2.0, 3.0], vec![3.0, 2.0, 1.0]]);
        assert_eq!(texts.placed(), [[1.0, 0.0], [1.0, 1.0], [1.0, 0.0]]);
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
