//! Average precision, whose mean over queries is MAP (trec_eval's `map_cut`).

/// Average precision at each of `cuts` (ascending) for the `grades` in rank order: the precisions at the relevant
/// ranks, summed and divided by **all** `relevant` documents.
pub fn average_precision(grades: &[i32], relevant: usize, cuts: &[usize]) -> Vec<f64> {
    let (mut sum, mut hits, mut start) = (0.0, 0usize, 0);
    cuts.iter()
        .map(|&cut| {
            let end = cut.min(grades.len());
            for (index, _) in grades[start..end].iter().enumerate().filter(|&(_, &grade)| grade > 0) {
                hits += 1;
                sum += hits as f64 / (start + index + 1) as f64;
            }
            start = end;
            if relevant == 0 { 0.0 } else { sum / relevant as f64 }
        })
        .collect()
}
