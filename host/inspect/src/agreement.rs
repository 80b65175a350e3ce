//! How far annotators agree: Cohen's and Fleiss' kappa, Krippendorff's alpha, with intervals, and the table of confusion.

use std::collections::BTreeMap;

use mteb_measures::correlation::{krippendorff_interval, krippendorff_nominal};
use mteb_measures::random::SplitMix64;

/// Labels by item and annotator, as numbers of a list of labels or as scores; `None` where an annotator gave none.
pub type Ratings = Vec<Vec<Option<f64>>>;

/// The share of the items that two annotators labelled on which they agree; `None` where there is no such item.
pub fn agreement_share(ratings: &Ratings, [left, right]: [usize; 2]) -> Option<f64> {
    let both = pairs(ratings, [left, right]);
    let equal = both.iter().filter(|(left, right)| left == right).count();
    (!both.is_empty()).then(|| equal as f64 / both.len() as f64)
}

/// Cohen's kappa of two annotators (Cohen 1960), over the items that both labelled; NaN where both gave one label alone.
pub fn cohen(ratings: &Ratings, [left, right]: [usize; 2]) -> Option<f64> {
    let both = pairs(ratings, [left, right]);
    let observed = agreement_share(ratings, [left, right])?;
    let count = both.len() as f64;
    let shares = |of: &dyn Fn(&(u64, u64)) -> u64| {
        let mut shares: BTreeMap<u64, f64> = BTreeMap::new();
        both.iter().for_each(|pair| *shares.entry(of(pair)).or_default() += 1.0 / count);
        shares
    };
    let (of_left, of_right) = (shares(&|pair| pair.0), shares(&|pair| pair.1));
    let expected: f64 = of_left.iter().filter_map(|(label, share)| Some(share * of_right.get(label)?)).sum();
    Some((observed - expected) / (1.0 - expected))
}

/// Fleiss' kappa (Fleiss 1971), over the items that every annotator labelled; `None` where there is none, or one annotator alone.
pub fn fleiss(ratings: &Ratings) -> Option<f64> {
    let whole: Vec<Vec<u64>> = ratings
        .iter()
        .filter_map(|item| item.iter().map(|rating| rating.map(f64::to_bits)).collect())
        .collect();
    let raters = whole.first()?.len();
    if raters < 2 {
        return None;
    }
    let (items, raters) = (whole.len() as f64, raters as f64);
    let mut shares: BTreeMap<u64, f64> = BTreeMap::new();
    let mut observed = 0.0;
    for item in &whole {
        let mut counts: BTreeMap<u64, f64> = BTreeMap::new();
        item.iter().for_each(|label| *counts.entry(*label).or_default() += 1.0);
        let squares: f64 = counts.values().map(|count| count * count).sum();
        observed += (squares - raters) / (raters * (raters - 1.0)) / items;
        counts
            .into_iter()
            .for_each(|(label, count)| *shares.entry(label).or_default() += count / (items * raters));
    }
    let expected: f64 = shares.values().map(|share| share * share).sum();
    Some((observed - expected) / (1.0 - expected))
}

/// How often the first annotator gave one label where the second gave another: by both labels.
pub fn confusion(ratings: &Ratings, pair: [usize; 2]) -> BTreeMap<(u64, u64), usize> {
    let mut counts = BTreeMap::new();
    pairs(ratings, pair).into_iter().for_each(|labels| *counts.entry(labels).or_default() += 1);
    counts
}

fn pairs(ratings: &Ratings, [left, right]: [usize; 2]) -> Vec<(u64, u64)> {
    let both = ratings.iter().filter_map(|item| Some(((*item.get(left)?)?, (*item.get(right)?)?)));
    both.map(|(left, right)| (left.to_bits(), right.to_bits())).collect()
}

/// Samples of an interval.
const SAMPLES: usize = 1000;

/// The 95 % interval of `coefficient` over items: percentiles of samples with replacement, drawn by a fixed seed. `None` where fewer than
/// half of the samples have a coefficient.
pub fn interval(ratings: &Ratings, coefficient: &dyn Fn(&Ratings) -> Option<f64>) -> Option<[f64; 2]> {
    let mut draws = SplitMix64::new(42);
    let sample = |draws: &mut SplitMix64| -> Option<f64> {
        let drawn: Ratings =
            (0..ratings.len()).map(|_| ratings[draws.below(ratings.len())].clone()).collect();
        coefficient(&drawn).filter(|value| value.is_finite())
    };
    let mut found: Vec<f64> = (0..SAMPLES).filter_map(|_| sample(&mut draws)).collect();
    if ratings.is_empty() || found.len() < SAMPLES / 2 {
        return None;
    }
    found.sort_by(f64::total_cmp);
    let at = |share: f64| found[((found.len() - 1) as f64 * share).round() as usize];
    Some([at(0.025), at(0.975)])
}

/// What a difference of two labels is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Labels are the same or not.
    Nominal,
    /// Labels are numbers: the difference is squared.
    Interval,
}

/// Krippendorff's alpha (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"), over the items with at least two labels; `None`
/// where there is none. NaN where all labels are the same.
pub fn krippendorff(ratings: &Ratings, level: Level) -> Option<f64> {
    let units: Vec<Vec<f64>> = ratings.iter().map(|item| item.iter().flatten().copied().collect()).collect();
    let labels = units.iter().map(Vec::as_slice);
    units.iter().any(|unit| unit.len() > 1).then(|| match level {
        Level::Nominal => krippendorff_nominal(labels),
        Level::Interval => krippendorff_interval(labels),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Items of which `counts[label]` annotators gave each label.
    fn of_counts(rows: &[&[usize]]) -> Ratings {
        rows.iter()
            .map(|counts| {
                let labels = counts.iter().enumerate();
                labels.flat_map(|(label, count)| std::iter::repeat_n(Some(label as f64), *count)).collect()
            })
            .collect()
    }

    #[test]
    fn cohens_kappa_is_that_of_the_table_of_fifty_proposals() {
        // Two readers, 50 proposals: both yes 20, yes and no 5, no and yes 10, both no 15.
        let table = [(1.0, 1.0, 20), (1.0, 0.0, 5), (0.0, 1.0, 10), (0.0, 0.0, 15)];
        let ratings: Ratings = table
            .iter()
            .flat_map(|(left, right, count)| std::iter::repeat_n(vec![Some(*left), Some(*right)], *count))
            .collect();
        assert!((agreement_share(&ratings, [0, 1]).unwrap() - 0.7).abs() < 1e-12);
        assert!((cohen(&ratings, [0, 1]).unwrap() - 0.4).abs() < 1e-12);
        assert_eq!(confusion(&ratings, [0, 1])[&(1f64.to_bits(), 0f64.to_bits())], 5);
    }

    #[test]
    fn fleiss_kappa_is_that_of_fourteen_raters_and_ten_subjects() {
        // The worked example of Fleiss' kappa: 0.210.
        let ratings = of_counts(&[
            &[0, 0, 0, 0, 14],
            &[0, 2, 6, 4, 2],
            &[0, 0, 3, 5, 6],
            &[0, 3, 9, 2, 0],
            &[2, 2, 8, 1, 1],
            &[7, 7, 0, 0, 0],
            &[3, 2, 6, 3, 0],
            &[2, 5, 3, 2, 2],
            &[6, 5, 2, 1, 0],
            &[0, 2, 2, 3, 7],
        ]);
        assert!((fleiss(&ratings).unwrap() - 0.210).abs() < 5e-4, "{:?}", fleiss(&ratings));
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        assert_eq!(cohen(&vec![vec![Some(1.0), None]], [0, 1]), None);
        assert_eq!(fleiss(&vec![vec![Some(1.0), None]]), None);
    }

    #[test]
    fn an_interval_holds_the_coefficient_and_narrows_with_more_items() {
        let item = |equal: bool| vec![Some(1.0), Some(if equal { 1.0 } else { 0.0 })];
        let of = |number: usize| -> Ratings {
            let other = std::iter::repeat_n(vec![Some(0.0), Some(0.0)], number);
            (0..number).map(|place| item(place % 4 != 0)).chain(other).collect()
        };
        let alpha = |ratings: &Ratings| krippendorff(ratings, Level::Nominal);
        let [low, high] = interval(&of(40), &alpha).unwrap();
        let is = alpha(&of(40)).unwrap();
        assert!(low < is && is < high, "{low} {is} {high}");
        let [low_of_more, high_of_more] = interval(&of(400), &alpha).unwrap();
        assert!(high_of_more - low_of_more < (high - low) / 2.0);
    }

    #[test]
    fn alpha_is_that_of_four_observers_and_twelve_units_some_of_them_missing() {
        // Krippendorff 2011, example C: 0.743 nominal, 0.849 interval.
        let rows = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."];
        let read = |row: &str| -> Vec<Option<f64>> {
            row.chars().map(|cell| cell.to_digit(10).map(f64::from)).collect()
        };
        let by_observer: Vec<Vec<Option<f64>>> = rows.iter().map(|row| read(row)).collect();
        let ratings: Ratings =
            (0..12).map(|unit| by_observer.iter().map(|one| one[unit]).collect()).collect();
        assert!((krippendorff(&ratings, Level::Nominal).unwrap() - 0.743).abs() < 5e-4);
        assert!((krippendorff(&ratings, Level::Interval).unwrap() - 0.849).abs() < 5e-4);
    }

    #[test]
    fn an_item_with_one_label_says_nothing() {
        assert_eq!(krippendorff(&vec![vec![Some(1.0), None]], Level::Nominal), None);
    }
}
