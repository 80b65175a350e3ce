//! Average precision, whose mean over queries is MAP (trec_eval's `map_cut`).

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
