//! Exact search: the best documents of many queries by the dot product of their embeddings.

use std::path::Path;

use mteb_measures::random::SplitMix64;
use mteb_search::{Search, Similarity};

use crate::{Fault, Work, made};

const QUERIES: usize = 128;
const DOCUMENTS: usize = 8000;
const DIMENSION: usize = 384;
const DEPTH: usize = 100;

/// What the search screens with under callgrind.
const KERNEL: &str = "int16 AVX2";

pub fn exact_search(_: &Path) -> Result<Work, Fault> {
    let mut random = SplitMix64::new(1);
    let queries = made::embeddings(&mut random, QUERIES, DIMENSION, 40);
    let mut documents = made::embeddings(&mut random, DOCUMENTS, DIMENSION, 40);
    let ids: Vec<String> = (0..DOCUMENTS).map(|document| format!("d{document:05}")).collect();
    let floors = vec![f32::NEG_INFINITY; QUERIES];
    Ok(Box::new(move || {
        let search = Search::new(Similarity::Dot, queries.clone(), DIMENSION, DEPTH);
        let best = search.best(&mut documents, DIMENSION, 0, &ids, &floors)?;
        match search.ran().first() {
            Some((KERNEL, _)) => Ok(best.iter().map(Vec::len).sum()),
            found => Err(format!("expected to search with the kernel {KERNEL}, found: {found:?}").into()),
        }
    }))
}
