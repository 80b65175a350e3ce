//! Pools, stores, curves, tables and agreement, as a user of the library meets them.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod cost;
mod golden;
mod pool_file;
mod standing;
mod store;

use std::collections::BTreeMap;

use mteb_graded::PairId;
use mteb_graded::pool::{Pool, PoolPair, Provenance};

/// A pool of these queries with these documents, each with a text of its own.
fn pool(pairs: &[(&str, &[&str])]) -> Pool {
    let text = |id: &str| format!("text of {id}");
    let mut pool = Pool {
        provenance: Provenance { task: "T".to_owned(), depth: 100, ..Provenance::default() },
        queries: BTreeMap::new(),
        documents: BTreeMap::new(),
        pairs: Vec::new(),
    };
    for (query, documents) in pairs {
        pool.queries.insert((*query).to_owned(), text(query));
        for document in *documents {
            pool.documents.insert((*document).to_owned(), text(document));
            let pair = PairId::new((query, &text(query)), (document, &text(document)));
            pool.pairs.push(PoolPair { pair, query: (*query).to_owned(), document: (*document).to_owned() });
        }
    }
    pool
}
