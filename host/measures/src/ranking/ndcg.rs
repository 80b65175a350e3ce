//! Normalised discounted cumulative gain, linear in the grade (trec_eval's `ndcg_cut`).

/// The divisors log₂(rank + 1) of the first ranks, computed once for many queries.
#[derive(Clone, Debug)]
pub struct Discounts(Vec<f64>);

impl Discounts {
    /// Discounts of the ranks 1 to `depth`.
    pub fn new(depth: usize) -> Self {
        Self((0..depth).map(|index| ((index + 2) as f64).log2()).collect())
    }
}

/// nDCG at each of `cuts` (ascending) for the `grades` in rank order; `ideal` holds the positive grades, highest first.
///
/// A grade of 0 or less gains nothing. 0 where nothing is relevant.
pub fn ndcg(grades: &[i32], ideal: &[i32], cuts: &[usize], discounts: &Discounts) -> Vec<f64> {
    let gains = cumulative_gains(grades, cuts, discounts);
    let best = cumulative_gains(ideal, cuts, discounts);
    gains.into_iter().zip(best).map(|(gain, best)| if best > 0.0 { gain / best } else { 0.0 }).collect()
}

fn cumulative_gains(grades: &[i32], cuts: &[usize], discounts: &Discounts) -> Vec<f64> {
    let mut sum = 0.0;
    let mut start = 0;
    cuts.iter()
        .map(|&cut| {
            let end = cut.min(grades.len());
            for (&grade, discount) in grades[start..end].iter().zip(&discounts.0[start..end]) {
                if grade > 0 {
                    sum += f64::from(grade) / discount;
                }
            }
            start = end;
            sum
        })
        .collect()
}
