//! Pairs of a pool that a judge has not judged, as those are that came in after it had judged.

use mteb_graded::pool::Pool;
use mteb_graded::store::Judgement;

use super::{JudgeStore, unit_of};

/// A line for each judge that has judged some pairs of the pool and not all of them.
pub fn unjudged(pool: &Pool, judges: &[JudgeStore]) -> Vec<String> {
    let line = |judge: &JudgeStore| {
        let known = &judge.judgements.judgements;
        let scored = |pair| known.get(&pair).and_then(Judgement::score).is_some();
        let judged = pool.pairs.iter().filter(|pair| scored(pair.pair)).count();
        (0 < judged && judged < pool.pairs.len()).then(|| {
            format!(
                "{}: {} has judged {judged} of the {} pairs of the pool; unjudged pairs lower scores: run \
                 `mteb-host graded judge` to judge them",
                unit_of(pool),
                judge.card.name,
                pool.pairs.len()
            )
        })
    };
    judges.iter().filter_map(line).collect()
}
