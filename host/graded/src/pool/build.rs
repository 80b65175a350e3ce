//! From rankings to a pool.

use std::collections::{BTreeMap, BTreeSet};

use mteb_rankings::{Rankings, unescape};

use super::{Pool, PoolPair, Provenance, SourceName};
use crate::PairId;
use crate::evaluate::best;

/// Rankings that go into a pool.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The system that made them.
    pub system: &'a str,
    /// SHA-256 of their file.
    pub sha256: &'a str,
    /// The rankings.
    pub rankings: &'a Rankings,
}

/// An id of which the task has no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: expected a {what} of the task, found: {id}")]
pub struct PoolError {
    place: String,
    what: &'static str,
    id: String,
}

/// The union of the best `depth` documents of each query over all `sources`. `query` and `document` give the texts of ids;
/// queries of which they know nothing are passed over if `query` says `None`, documents are not.
///
/// # Errors
/// If a document of a ranking is none of the task.
pub fn pooled(
    mut provenance: Provenance,
    sources: &[Source<'_>],
    query: &dyn Fn(&str) -> Option<String>,
    document: &dyn Fn(&str) -> Option<String>,
) -> Result<Pool, PoolError> {
    let mut wanted: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let (mut queries, mut documents) = (BTreeMap::new(), BTreeMap::new());
    for source in sources {
        let rankings = source.rankings;
        for (id, found) in rankings.queries.iter().zip(&rankings.found) {
            let Some((id, text)) = known(rankings, id, query) else { continue };
            queries.entry(id.clone()).or_insert(text);
            let of_query = wanted.entry(id).or_default();
            for place in best(rankings, found, provenance.depth) {
                let id = &rankings.documents[place as usize];
                let (id, text) = known(rankings, id, document).ok_or_else(|| PoolError {
                    place: format!("the ranking of {}", source.system),
                    what: "document",
                    id: id.to_owned(),
                })?;
                documents.entry(id.clone()).or_insert(text);
                of_query.insert(id);
            }
        }
        let (system, sha256) = (source.system.to_owned(), source.sha256.to_owned());
        provenance.rankings.push(SourceName { system, sha256 });
    }
    let pairs = wanted
        .into_iter()
        .flat_map(|(query, documents)| documents.into_iter().map(move |document| (query.clone(), document)))
        .map(|(query, document)| {
            let pair = PairId::new((&query, &queries[&query]), (&document, &documents[&document]));
            PoolPair { pair, query, document }
        })
        .collect();
    Ok(Pool { provenance, queries, documents, pairs })
}

/// An id of a ranking and its text, looked up as it stands, then without escapes.
fn known(rankings: &Rankings, id: &str, text: &dyn Fn(&str) -> Option<String>) -> Option<(String, String)> {
    if let Some(found) = text(id) {
        return Some((id.to_owned(), found));
    }
    let plain = unescape(id).filter(|_| rankings.may_be_escaped)?;
    text(&plain).map(|found| (plain, found))
}

#[cfg(test)]
mod tests {
    use mteb_rankings::Ranked;

    use super::*;

    fn rankings(found: &[(&str, &[(&str, f64)])]) -> Rankings {
        let mut rankings = Rankings::default();
        for (query, documents) in found {
            rankings.queries.push((*query).to_owned());
            let found = documents.iter().map(|&(document, score)| {
                rankings.documents.push(document);
                Ranked { document: rankings.documents.len() as u32 - 1, score, line: 0 }
            });
            rankings.found.push(found.collect());
        }
        rankings
    }

    fn pool(depth: usize, sources: &[&Rankings]) -> Pool {
        let sources: Vec<Source<'_>> =
            sources.iter().map(|rankings| Source { system: "s", sha256: "0", rankings }).collect();
        let text = |id: &str| (!id.starts_with('?')).then(|| format!("text of {id}"));
        pooled(Provenance { depth, ..Provenance::default() }, &sources, &text, &text).unwrap()
    }

    fn ids(pool: &Pool) -> Vec<(&str, &str)> {
        pool.pairs.iter().map(|pair| (pair.query.as_str(), pair.document.as_str())).collect()
    }

    #[test]
    fn the_best_of_every_ranking_are_in_the_pool_once() {
        let a = rankings(&[("q1", &[("a", 3.0), ("b", 2.0), ("c", 1.0)]), ("?", &[("a", 1.0)])]);
        let b = rankings(&[("q1", &[("b", 0.1), ("d", 0.3)]), ("q2", &[("a", 0.1)])]);
        let both = pool(2, &[&a, &b]);
        assert_eq!(ids(&both), [("q1", "a"), ("q1", "b"), ("q1", "d"), ("q2", "a")]);
        assert_eq!(both.provenance.rankings.len(), 2);
    }

    #[test]
    fn the_version_is_that_of_the_pairs_and_of_nothing_else() {
        let a = rankings(&[("q1", &[("a", 3.0), ("b", 2.0)])]);
        let b = rankings(&[("q1", &[("b", 3.0)])]);
        assert_eq!(pool(2, &[&a]).version(), pool(2, &[&b, &a]).version());
        assert_ne!(pool(2, &[&a]).version(), pool(1, &[&a]).version());
    }
}
