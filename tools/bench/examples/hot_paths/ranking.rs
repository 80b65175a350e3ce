//! nDCG and the other measures of rankings, over many queries.

use std::path::Path;

use mteb_measures::random::SplitMix64;
use mteb_measures::ranking::{Judgements, Outcome, evaluate};

use crate::{Fault, Work};

const QUERIES: usize = 600;
const DOCUMENTS: usize = 50_000;
const DEPTH: usize = 200;
const CUTS: [usize; 7] = [1, 3, 5, 10, 20, 100, 1000];

/// Documents of which one after the other is found, far apart in the corpus.
const STRIDE: usize = 7919;

pub fn measure(_: &Path) -> Result<Work, Fault> {
    let mut random = SplitMix64::new(5);
    let ids: Vec<String> = (0..DOCUMENTS).map(|document| format!("d{document:05}")).collect();
    let queries: Vec<_> = (0..QUERIES).map(|_| query(&mut random)).collect();
    Ok(Box::new(move || {
        let outcomes: Vec<Outcome> =
            queries.iter().map(|(found, judgements)| Outcome { found, judgements }).collect();
        Ok(evaluate(&outcomes, &ids, &CUTS).summary().len())
    }))
}

/// Found documents, some with equal scores, and judgements of some of them and of others.
fn query(random: &mut SplitMix64) -> (Vec<(u32, f64)>, Judgements) {
    let first = random.below(DOCUMENTS);
    let document = |place: usize| ((first + place * STRIDE) % DOCUMENTS) as u32;
    let found = (0..DEPTH).map(|place| (document(place), random.below(400) as f64 / 400.0)).collect();
    let judged = (0..20).map(|_| (document(random.below(2 * DEPTH)), random.below(3) as f64)).collect();
    (found, Judgements::new(judged))
}
