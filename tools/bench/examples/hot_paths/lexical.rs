//! BM25: documents are indexed, then searched.

use std::path::Path;

use mteb_measures::random::SplitMix64;
use mteb_search::lexical::{Bm25Builder, Language};

use crate::{Fault, Work, made};

const DOCUMENTS: usize = 1500;
const QUERIES: usize = 200;
const DEPTH: usize = 100;

pub fn bm25(_: &Path) -> Result<Work, Fault> {
    let mut random = SplitMix64::new(2);
    let documents: Vec<String> = (0..DOCUMENTS).map(|_| made::text(&mut random, 80)).collect();
    let queries: Vec<String> = (0..QUERIES).map(|_| made::text(&mut random, 8)).collect();
    let ids: Vec<String> = (0..DOCUMENTS).map(|document| format!("d{document:05}")).collect();
    Ok(Box::new(move || {
        let mut builder = Bm25Builder::new(Language::of("ind"));
        documents.iter().for_each(|document| builder.add(document));
        let index = builder.finish();
        Ok(queries.iter().map(|query| index.best(query, DEPTH, &ids).len()).sum())
    }))
}
