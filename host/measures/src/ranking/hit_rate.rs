//! Hit rate: whether anything relevant was found (trec_eval's `success`).

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
