//! Measures of one query, one value for each cut-off: nDCG by grades; precision, recall, hit rate,
//! reciprocal rank and average precision by binary relevance.

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

/// Precision at each of `cuts` from the number of `hits` at each; the divisor is the cut even if less was found.
pub fn precision(hits: &[usize], cuts: &[usize]) -> Vec<f64> {
    hits.iter().zip(cuts).map(|(&hits, &cut)| hits as f64 / cut as f64).collect()
}

/// Recall at each of `cuts` from the number of `hits` at each; 0 where nothing is relevant.
pub fn recall(hits: &[usize], relevant: usize) -> Vec<f64> {
    hits.iter().map(|&hits| if relevant == 0 { 0.0 } else { hits as f64 / relevant as f64 }).collect()
}

// Hit rate: whether anything relevant was found (trec_eval's `success`).

/// 1 or 0 at each cut, from the number of `hits` at each.
pub fn hit_rate(hits: &[usize]) -> Vec<f64> {
    hits.iter().map(|&hits| if hits > 0 { 1.0 } else { 0.0 }).collect()
}

/// The number of relevant documents within each of `cuts` (ascending) for the documents in rank order, true if relevant.
pub(super) fn hits_at(is_relevant: &[bool], cuts: &[usize]) -> Vec<usize> {
    let (mut hits, mut start) = (0, 0);
    cuts.iter()
        .map(|&cut| {
            let end = cut.min(is_relevant.len());
            hits += is_relevant[start..end].iter().filter(|&&is_relevant| is_relevant).count();
            start = end;
            hits
        })
        .collect()
}

/// Reciprocal rank at each of `cuts` for the documents in rank order, true if relevant; 0 if the first
/// relevant one lies beyond.
///
/// The reference ranks by the full double score here, by the score cut to `f32` everywhere else (protocol 7.4).
pub fn reciprocal_rank(is_relevant: &[bool], cuts: &[usize]) -> Vec<f64> {
    let first = is_relevant.iter().position(|&is_relevant| is_relevant);
    cuts.iter()
        .map(|&cut| match first {
            Some(index) if index < cut => 1.0 / (index + 1) as f64,
            _ => 0.0,
        })
        .collect()
}

// Average precision, whose mean over queries is MAP (trec_eval's `map_cut`).

/// Average precision at each of `cuts` (ascending) for the documents in rank order, true if relevant: the precisions
/// at the relevant ranks, summed and divided by **all** `relevant` documents.
pub fn average_precision(is_relevant: &[bool], relevant: usize, cuts: &[usize]) -> Vec<f64> {
    let (mut sum, mut hits, mut start) = (0.0, 0usize, 0);
    cuts.iter()
        .map(|&cut| {
            let end = cut.min(is_relevant.len());
            for (index, _) in
                is_relevant[start..end].iter().enumerate().filter(|&(_, &is_relevant)| is_relevant)
            {
                hits += 1;
                sum += hits as f64 / (start + index + 1) as f64;
            }
            start = end;
            if relevant == 0 { 0.0 } else { sum / relevant as f64 }
        })
        .collect()
}
