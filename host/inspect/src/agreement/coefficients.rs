//! Coefficients of agreement over labels.

use std::collections::BTreeMap;

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
}
