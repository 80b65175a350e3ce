//! Agreement of judges on the pairs that they have both judged.

use mteb_measures::correlation::{krippendorff_interval, pearson, spearman};

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
