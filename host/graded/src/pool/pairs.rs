//! The pairs of a unit and their texts, and ranges of its queries: the pieces in which several
//! machines judge the pairs of pools.

use std::collections::{BTreeMap, HashSet};

use mteb_files::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::PairId;

/// Documents of each ranking that go into a pool, unless somebody says otherwise.
pub const DEPTH: usize = 100;

/// The pairs of one unit that are to be judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// What they were taken from.
    pub provenance: Provenance,
    /// The texts of the queries by their ids.
    pub queries: BTreeMap<String, String>,
    /// The texts of the documents by their ids.
    pub documents: BTreeMap<String, String>,
    /// The pairs, by query, then document.
    pub pairs: Vec<PoolPair>,
}

/// A pair, by the ids of its query and its document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolPair {
    /// Its name.
    pub pair: PairId,
    /// The id of its query.
    pub query: String,
    /// The id of its document.
    pub document: String,
}

/// What a pool was taken from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The task.
    pub task: String,
    /// Its split.
    pub split: String,
    /// Its subset.
    pub subset: String,
    /// The revision of its data.
    pub data: String,
    /// Documents that were taken of each ranking that says nothing else.
    pub depth: usize,
    /// Queries that were drawn ([`sample`](super::build)); absent if all were taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<usize>,
    /// The rankings.
    pub rankings: Vec<SourceName>,
}

/// A ranking that a pool was taken from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceName {
    /// The system that made it.
    pub system: String,
    /// SHA-256 of its file.
    pub sha256: String,
    /// Documents that were taken of it, where these are not as many as of the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
}

impl Pool {
    /// The version of the pool: SHA-256 of the names of its pairs in ascending order. Scores of two pools can be compared only
    /// if this is the same.
    pub fn version(&self) -> String {
        let mut pairs: Vec<PairId> = self.pairs.iter().map(|pair| pair.pair).collect();
        pairs.sort_unstable();
        let mut hash = Sha256::new();
        pairs.iter().for_each(|pair| hash.update(pair.bytes()));
        hex(&hash.finalize())
    }

    /// The texts of a pair: query and document. A pool that was built or read has both.
    pub fn texts(&self, pair: &PoolPair) -> (&str, &str) {
        (
            self.queries.get(&pair.query).map_or("", String::as_str),
            self.documents.get(&pair.document).map_or("", String::as_str),
        )
    }
}

/// Queries of a range. Neither the number of machines nor what is judged already changes a range.
const QUERIES: usize = 10;

/// The pairs of all `pools`, range by range, in the order of the pools, of their queries and documents. A pair that several pools have is
/// of the first.
pub fn query_ranges(pools: &[Pool]) -> Vec<Vec<&PoolPair>> {
    let mut seen: HashSet<PairId> = HashSet::new();
    let mut ranges = Vec::new();
    for pool in pools {
        let mut pairs: Vec<&PoolPair> = pool.pairs.iter().collect();
        pairs.sort_by(|a, b| (&a.query, &a.document).cmp(&(&b.query, &b.document)));
        let of_queries: Vec<&[&PoolPair]> = pairs.chunk_by(|a, b| a.query == b.query).collect();
        for range in of_queries.chunks(QUERIES) {
            let pairs = range.iter().flat_map(|of_query| of_query.iter().copied());
            let new: Vec<&PoolPair> = pairs.filter(|pair| seen.insert(pair.pair)).collect();
            if !new.is_empty() {
                ranges.push(new);
            }
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::pool::Provenance;

    fn pool(queries: std::ops::Range<usize>) -> Pool {
        let pair = |query: usize, document: &str| {
            let (query, document) = (format!("q{query:03}"), document.to_owned());
            PoolPair { pair: PairId::new((&query, ""), (&document, "")), query, document }
        };
        Pool {
            provenance: Provenance::default(),
            queries: BTreeMap::new(),
            documents: BTreeMap::new(),
            pairs: queries.flat_map(|query| [pair(query, "b"), pair(query, "a")]).collect(),
        }
    }

    #[test]
    fn a_range_has_ten_queries_and_each_pair_is_in_one() {
        let pools = [pool(0..24), pool(20..32)];
        let ranges = query_ranges(&pools);
        assert_eq!(ranges.iter().map(Vec::len).collect::<Vec<_>>(), [20, 20, 8, 12, 4]);
        let first = &ranges[1][0];
        assert_eq!((first.query.as_str(), first.document.as_str()), ("q010", "a"));
        assert_eq!(ranges[3][0].query, "q024", "those of two pools are of the first");
    }
}
