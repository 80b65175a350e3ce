//! Normalised discounted cumulative gain: of the grades as they are it is linear (trec_eval's `ndcg_cut`), of
//! [`exponential_gain`](super::exponential_gain) of them exponential.

/// The divisors log₂(rank + 1) of the first ranks, computed once for many queries.
#[derive(Clone, Debug)]
pub struct Discounts(Vec<f64>);

impl Discounts {
    /// Discounts of the ranks 1 to `depth`.
    pub fn new(depth: usize) -> Self {
        Self((0..depth).map(|index| ((index + 2) as f64).log2()).collect())
    }
}

/// nDCG at each of `cuts` (ascending) for the `gains` in rank order; `ideal` holds the positive gains, highest first.
///
/// A gain of 0 or less counts as none. 0 where nothing is relevant.
pub fn ndcg(gains: &[f64], ideal: &[f64], cuts: &[usize], discounts: &Discounts) -> Vec<f64> {
    let found = cumulative_gains(gains, cuts, discounts);
    let best = cumulative_gains(ideal, cuts, discounts);
    found.into_iter().zip(best).map(|(found, best)| if best > 0.0 { found / best } else { 0.0 }).collect()
}

fn cumulative_gains(gains: &[f64], cuts: &[usize], discounts: &Discounts) -> Vec<f64> {
    let mut sum = 0.0;
    let mut start = 0;
    cuts.iter()
        .map(|&cut| {
            let end = cut.min(gains.len());
            for (&gain, discount) in gains[start..end].iter().zip(&discounts.0[start..end]) {
                if gain > 0.0 {
                    sum += gain / discount;
                }
            }
            start = end;
            sum
        })
        .collect()
}
