//! What a reranker makes of an embedder's ranking.

use std::collections::HashMap;

use mteb_items::rankings::{Ranked, Rankings};

use super::{DEPTH, best};

/// A pair that a reranker has not scored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{place}: expected the scores of all reranked pairs, found none of query {query}, document {document}, and \
     of {more} more"
)]
pub struct RerankError {
    place: String,
    query: String,
    document: String,
    more: usize,
}

/// The best `depth` documents of each query, reranked by the scores that `scores` has of these pairs; below them stand the others, in
/// the embedder's order, as far as a curve goes. What `scores` has beyond that is not looked at, so that the scores of a pair serve every
/// embedder that found it. The scores of what comes out are places alone: those of two models cannot be compared.
///
/// # Errors
/// If a pair has no score.
pub fn rerank(rankings: &Rankings, scores: &Rankings, depth: usize) -> Result<Rankings, RerankError> {
    let places = scores.places();
    let documents: HashMap<&str, u32> =
        (0..scores.documents.len()).map(|place| (&scores.documents[place], place as u32)).collect();
    let mut reranked = Rankings { found: Vec::with_capacity(rankings.found.len()), ..rankings.clone() };
    reranked.found.clear();
    let mut missing: Option<RerankError> = None;
    for (query, found) in rankings.queries.iter().zip(&rankings.found) {
        let scored = places.get(query.as_str()).map_or(&[][..], |&place| &scores.found[place]);
        let scored: HashMap<u32, f64> = scored.iter().map(|ranked| (ranked.document, ranked.score)).collect();
        let mut order = best(rankings, found, depth.max(DEPTH));
        let below = order.split_off(depth.min(order.len()));
        let mut anew = Vec::with_capacity(order.len());
        for document in order {
            let id = &rankings.documents[document as usize];
            match documents.get(id).and_then(|place| scored.get(place)) {
                Some(&score) => anew.push(Ranked { document, score, line: 0 }),
                None => match &mut missing {
                    Some(missing) => missing.more += 1,
                    None => {
                        let (place, query) = (scores.source.clone(), query.clone());
                        missing = Some(RerankError { place, query, document: id.to_owned(), more: 0 });
                    }
                },
            }
        }
        reranked.found.push(with_rest(rankings, &anew, &below));
    }
    missing.map_or(Ok(reranked), Err)
}

/// What was reranked, best first, and `below` it the rest; higher scores for what stands higher.
fn with_rest(rankings: &Rankings, anew: &[Ranked], below: &[u32]) -> Vec<Ranked> {
    let order: Vec<u32> = best(rankings, anew, anew.len()).into_iter().chain(below.iter().copied()).collect();
    let ranked = |(place, &document): (usize, &u32)| Ranked { document, score: -(place as f64), line: 0 };
    order.iter().enumerate().map(ranked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rankings(scores: &[(&str, f64)]) -> Rankings {
        let ranked =
            |(place, &(_, score)): (usize, &(&str, f64))| Ranked { document: place as u32, score, line: 0 };
        Rankings {
            source: "reranker.trec".to_owned(),
            queries: vec!["q".to_owned()],
            found: vec![scores.iter().enumerate().map(ranked).collect()],
            documents: scores.iter().map(|(id, _)| *id).collect(),
            ..Rankings::default()
        }
    }

    #[test]
    fn a_reranker_sorts_what_the_embedder_found_and_adds_nothing() {
        let embedder = rankings(&[("a", 0.9), ("b", 0.8), ("c", 0.7)]);
        let reranker = rankings(&[("z", 9.0), ("b", 5.0), ("a", 1.0)]);
        let found = rerank(&embedder, &reranker, 2).unwrap();
        let best = best(&found, &found.found[0], 10);
        assert_eq!(
            best.iter().map(|&place| &found.documents[place as usize]).collect::<Vec<_>>(),
            ["b", "a", "c"]
        );
        assert_eq!(
            rerank(&embedder, &reranker, 3).unwrap_err().to_string(),
            "reranker.trec: expected the scores of all reranked pairs, found none of query q, document c, and of 0 more"
        );
    }
}
