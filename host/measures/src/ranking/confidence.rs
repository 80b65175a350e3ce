//! How sure a ranking looks from its scores alone: the signals that nAUC judges.

use super::Found;
use crate::numeric;

/// Confidence of one query (protocol 7.4).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Confidence {
    /// Highest score.
    pub max: f64,
    /// Population standard deviation of the scores.
    pub std: f64,
    /// Highest score minus the next one.
    pub diff1: f64,
}

/// Confidences of many queries, a column each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Confidences {
    /// Highest scores.
    pub max: Vec<f64>,
    /// Standard deviations.
    pub std: Vec<f64>,
    /// Differences of the two highest scores.
    pub diff1: Vec<f64>,
}

impl Confidence {
    /// Confidence from what was found for a query; all zeros if nothing was.
    ///
    /// The order of `found` decides the last digit of the deviation.
    pub fn new(found: &[Found]) -> Self {
        let scores: Vec<f64> = found.iter().map(|&(_, score)| score).collect();
        let (mut max, mut second) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for &score in &scores {
            if score > max {
                (max, second) = (score, max);
            } else if score > second {
                second = score;
            }
        }
        match scores.len() {
            0 => Self::default(),
            1 => Self { max, std: 0.0, diff1: 0.0 },
            _ => Self { max, std: numeric::standard_deviation(&scores), diff1: max - second },
        }
    }
}

impl FromIterator<Confidence> for Confidences {
    fn from_iter<T: IntoIterator<Item = Confidence>>(queries: T) -> Self {
        let mut columns = Self::default();
        for query in queries {
            columns.max.push(query.max);
            columns.std.push(query.std);
            columns.diff1.push(query.diff1);
        }
        columns
    }
}
