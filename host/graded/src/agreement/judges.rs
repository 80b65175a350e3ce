//! Agreement of judges on the pairs that they have both judged, and which scores a judge gives.

use mteb_measures::correlation::{krippendorff_interval, pearson, spearman};

use crate::evaluate::percentile;

/// Agreement of all judges.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Every two judges, by their numbers.
    pub pairs: Vec<PairAgreement>,
    /// Krippendorff's α of all of them on an interval scale; NaN if there is nothing to agree on.
    pub alpha: f64,
}

/// Agreement of two judges.
#[derive(Clone, Debug, PartialEq)]
pub struct PairAgreement {
    /// The judges.
    pub judges: (usize, usize),
    /// Pairs of query and document that both have judged.
    pub common: usize,
    /// Pearson's correlation; NaN if one of them always gives the same score.
    pub pearson: f64,
    /// Spearman's correlation; NaN likewise.
    pub spearman: f64,
}

/// Agreement of judges: one list of scores a judge, of the same pairs in the same order; NaN where a judge gave none.
pub fn agreement(judges: &[Vec<f64>]) -> Agreement {
    let mut pairs = Vec::new();
    for (left, a) in judges.iter().enumerate() {
        for (right, b) in judges.iter().enumerate().skip(left + 1) {
            let both = a.iter().zip(b).filter(|(a, b)| !a.is_nan() && !b.is_nan());
            let (a, b): (Vec<f64>, Vec<f64>) = both.unzip();
            let (pearson, spearman) = (pearson(&a, &b), spearman(&a, &b));
            pairs.push(PairAgreement { judges: (left, right), common: a.len(), pearson, spearman });
        }
    }
    let count = judges.first().map_or(0, Vec::len);
    let unit = |place: usize| -> Vec<f64> {
        judges.iter().map(|scores| scores[place]).filter(|score| !score.is_nan()).collect()
    };
    let units: Vec<Vec<f64>> = (0..count).map(unit).collect();
    Agreement { pairs, alpha: krippendorff_interval(units.iter().map(Vec::as_slice)) }
}

/// The scores of a judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// Number of scores.
    pub count: usize,
    /// Scores from 0 to below 1, from 1 to below 2, …, and at last those that are 10.
    pub bins: [usize; 11],
    /// Their mean.
    pub mean: f64,
    /// The quartiles.
    pub quartiles: [f64; 3],
}

/// The distribution of `scores` from 0 to 10; NaN counts as none.
pub fn distribution(scores: &[f64]) -> Option<Distribution> {
    let scores: Vec<f64> = scores.iter().copied().filter(|score| !score.is_nan()).collect();
    if scores.is_empty() {
        return None;
    }
    let mut bins = [0; 11];
    scores.iter().for_each(|score| bins[(score.max(0.0) as usize).min(10)] += 1);
    let mean = mteb_measures::numeric::mean(&scores);
    let quartiles = [25.0, 50.0, 75.0].map(|share| percentile(&scores, share));
    Some(Distribution { count: scores.len(), bins, mean, quartiles })
}
