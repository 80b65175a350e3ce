//! The pairs of a unit and their texts.

use std::collections::BTreeMap;

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
