//! Normalised area under the abstention curve (nAUC): do the scores of a ranking alone tell when it
//! is wrong?
//!
//! Source: Gisserot-Boukhlef et al. 2024, "Towards Trustworthy Reranking" (arXiv 2402.12997);
//! protocol 7.4. With a constant metric the result is rounding noise or undefined, so every sum
//! here runs in numpy's order.

use std::cmp::Ordering;
use std::ops::Range;

use super::Found;
use crate::numeric;

/// Number of abstention rates: 0, 0.1 … 0.9.
const RATES: usize = 10;

type Curve = [f64; RATES];

/// Queries sorted by confidence, least confident first: those that are dropped first when abstaining.
#[derive(Clone, Debug)]
pub struct Abstention {
    order: Vec<usize>,
    /// Runs of equal confidence within `order`.
    ties: Vec<Range<usize>>,
}

impl Abstention {
    /// Sorts queries by `confidences`; equal ones form a group.
    pub fn new(confidences: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..confidences.len()).collect();
        order.sort_by(|&a, &b| nan_last(confidences[a], confidences[b]));
        let mut ties: Vec<Range<usize>> = Vec::new();
        for (place, &query) in order.iter().enumerate() {
            match ties.last_mut() {
                Some(group) if confidences[order[group.start]] == confidences[query] => group.end = place + 1,
                _ => ties.push(place..place + 1),
            }
        }
        Self { order, ties }
    }

    /// nAUC of each of `confidences` for `metric`, one value a query; NaN where the metric leaves nothing to gain.
    pub fn nauc<const N: usize>(confidences: [&Self; N], metric: &[f64]) -> [f64; N] {
        let oracle = Self::new(metric).curve(metric);
        let (best, flat) = (area(&oracle), oracle[0] * (rate(RATES - 1) - rate(0)));
        confidences.map(|confidence| {
            if best == flat { f64::NAN } else { (area(&confidence.curve(metric)) - flat) / (best - flat) }
        })
    }

    /// Mean of `metric` over the queries that are kept, at each abstention rate.
    fn curve(&self, metric: &[f64]) -> Curve {
        let count = self.order.len();
        if count == 0 {
            return [f64::NAN; RATES];
        }
        let mut sorted: Vec<f64> = self.order.iter().map(|&query| metric[query]).collect();
        for group in &self.ties {
            let mean = numeric::group_sum(&sorted[group.clone()]) / group.len() as f64;
            sorted[group.clone()].fill(mean);
        }
        std::array::from_fn(|index| {
            let dropped = (rate(index) * count as f64).round_ties_even() as usize;
            numeric::mean(&sorted[dropped.min(count - 1)..])
        })
    }
}

/// `numpy.linspace(0, 1, 11)[index]`.
fn rate(index: usize) -> f64 {
    index as f64 * 0.1
}

/// `numpy.trapezoid` over the rates.
fn area(curve: &Curve) -> f64 {
    let pieces: [f64; RATES - 1] = std::array::from_fn(|index| {
        (rate(index + 1) - rate(index)) * (curve[index + 1] + curve[index]) / 2.0
    });
    numeric::sum(&pieces)
}

fn nan_last(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

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
