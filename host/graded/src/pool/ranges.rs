//! Ranges of queries: the pieces in which several machines judge the pairs of pools.

use std::collections::HashSet;

use super::{Pool, PoolPair};
use crate::PairId;

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

    use super::super::Provenance;
    use super::*;

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
