//! From rankings to a pool, of all queries or of a sample.

use std::collections::{BTreeMap, BTreeSet};

use mteb_items::rankings::{Rankings, unescape};
use sha2::{Digest, Sha256};

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
    /// Documents of each query that are taken, if not as many as of the others.
    pub depth: Option<usize>,
}

/// An id of which the task has no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: expected a {what} of the task, found: {id}")]
pub struct PoolError {
    place: String,
    what: &'static str,
    id: String,
}

/// The union of the best documents of each query over all `sources`, of a sample of the queries if `provenance` says so. `query` and
/// `document` give the texts of ids; queries of which they know nothing are passed over if `query` says `None`, documents are not.
///
/// # Errors
/// If a document of a ranking is none of the task.
pub fn pooled(
    mut provenance: Provenance,
    sources: &[Source<'_>],
    query: &dyn Fn(&str) -> Option<String>,
    document: &dyn Fn(&str) -> Option<String>,
) -> Result<Pool, PoolError> {
    let drawn = provenance.sample.map(|count| draw_queries(&provenance.task, count, sources, query));
    let mut wanted: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let (mut queries, mut documents) = (BTreeMap::new(), BTreeMap::new());
    for source in sources {
        let rankings = source.rankings;
        for (id, found) in rankings.queries.iter().zip(&rankings.found) {
            let Some((id, text)) = look_up(rankings, id, query) else { continue };
            if drawn.as_ref().is_some_and(|drawn| !drawn.contains(&id)) {
                continue;
            }
            queries.entry(id.clone()).or_insert(text);
            let of_query = wanted.entry(id).or_default();
            for place in best(rankings, found, source.depth.unwrap_or(provenance.depth)) {
                let id = &rankings.documents[place as usize];
                let (id, text) = look_up(rankings, id, document).ok_or_else(|| PoolError {
                    place: format!("the ranking of {}", source.system),
                    what: "document",
                    id: id.to_owned(),
                })?;
                documents.entry(id.clone()).or_insert(text);
                of_query.insert(id);
            }
        }
        let (system, sha256) = (source.system.to_owned(), source.sha256.to_owned());
        provenance.rankings.push(SourceName { system, sha256, depth: source.depth });
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

/// The ids of `count` queries of the rankings.
fn draw_queries(
    task: &str,
    count: usize,
    sources: &[Source<'_>],
    query: &dyn Fn(&str) -> Option<String>,
) -> BTreeSet<String> {
    let ids =
        sources.iter().flat_map(|source| source.rankings.queries.iter().map(|id| (source.rankings, id)));
    let ids: BTreeSet<String> =
        ids.filter_map(|(rankings, id)| Some(look_up(rankings, id, query)?.0)).collect();
    sample(task, ids, count)
}

/// An id of a ranking and its text, looked up as it stands, then without escapes.
fn look_up(rankings: &Rankings, id: &str, text: &dyn Fn(&str) -> Option<String>) -> Option<(String, String)> {
    if let Some(found) = text(id) {
        return Some((id.to_owned(), found));
    }
    let plain = unescape(id).filter(|_| rankings.may_be_escaped)?;
    text(&plain).map(|found| (plain, found))
}

/// `count` of the query `ids` of `task`: those with the lowest SHA-256 of `task/id`. What is drawn depends on nothing else, so that a larger
/// sample holds the smaller one, and an embedder that comes in later changes nothing.
pub fn sample(task: &str, ids: BTreeSet<String>, count: usize) -> BTreeSet<String> {
    let mut keyed: Vec<(Vec<u8>, String)> =
        ids.into_iter().map(|id| (Sha256::digest(format!("{task}/{id}")).to_vec(), id)).collect();
    keyed.sort_unstable();
    keyed.truncate(count);
    keyed.into_iter().map(|(_, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use mteb_items::rankings::Ranked;

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
        let sources: Vec<Source<'_>> = sources
            .iter()
            .map(|rankings| Source { system: "s", sha256: "0", rankings, depth: None })
            .collect();
        made(Provenance { depth, ..Provenance::default() }, &sources)
    }

    fn made(provenance: Provenance, sources: &[Source<'_>]) -> Pool {
        let text = |id: &str| (!id.starts_with('?')).then(|| format!("text of {id}"));
        pooled(provenance, sources, &text, &text).unwrap()
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
    fn a_control_brings_fewer_documents_than_the_others() {
        let a = rankings(&[("q1", &[("a", 3.0), ("b", 2.0)])]);
        let random = rankings(&[("q1", &[("x", 3.0), ("y", 2.0)])]);
        let sources = [(&a, None), (&random, Some(1))].map(|(rankings, depth)| Source {
            system: "s",
            sha256: "0",
            rankings,
            depth,
        });
        let pool = made(Provenance { depth: 2, ..Provenance::default() }, &sources);
        assert_eq!(ids(&pool), [("q1", "a"), ("q1", "b"), ("q1", "x")]);
        let depths: Vec<_> = pool.provenance.rankings.iter().map(|source| source.depth).collect();
        assert_eq!(depths, [None, Some(1)]);
    }

    #[test]
    fn a_sample_holds_pairs_and_texts_of_its_queries_alone() {
        let queries: Vec<String> = (0..20).map(|query| format!("q{query}")).collect();
        let found: Vec<(&str, &[(&str, f64)])> =
            queries.iter().map(|query| (query.as_str(), &[("a", 1.0)][..])).collect();
        let found = rankings(&found);
        let source = Source { system: "s", sha256: "0", rankings: &found, depth: None };
        let pool = made(Provenance { depth: 1, sample: Some(6), ..Provenance::default() }, &[source]);
        assert_eq!((pool.queries.len(), pool.documents.len(), pool.pairs.len()), (6, 1, 6));
    }

    #[test]
    fn the_version_is_that_of_the_pairs_and_of_nothing_else() {
        let a = rankings(&[("q1", &[("a", 3.0), ("b", 2.0)])]);
        let b = rankings(&[("q1", &[("b", 3.0)])]);
        assert_eq!(pool(2, &[&a]).version(), pool(2, &[&b, &a]).version());
        assert_ne!(pool(2, &[&a]).version(), pool(1, &[&a]).version());
    }

    fn of(count: usize) -> BTreeSet<String> {
        sample("T", (0..100).map(|id| format!("q{id}")).collect(), count)
    }

    #[test]
    fn a_larger_sample_holds_the_smaller_one() {
        assert_eq!((of(10).len(), of(40).len(), of(500).len()), (10, 40, 100));
        assert!(of(10).is_subset(&of(40)));
        assert_ne!(of(10), sample("U", of(100), 10), "each task has its own");
    }

    /// Known answer: the ids with the lowest `hashlib.sha256(b"T/q…")`.
    #[test]
    fn what_is_drawn_is_that_of_an_independent_hash() {
        assert_eq!(of(3).into_iter().collect::<Vec<_>>(), KNOWN);
    }

    const KNOWN: [&str; 3] = ["q27", "q28", "q44"];
}
