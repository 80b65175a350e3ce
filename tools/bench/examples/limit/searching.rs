//! Exact search by the dot product. Its ceiling is that of products or of memory, whichever takes longer.

use mteb_measures::random::SplitMix64;
use mteb_search::{Search, Similarity};

use crate::machine::{MEMORY, PRODUCTS};
use crate::{Ceiling, Fault, Ground, Part, made, shown};

const QUERIES: usize = 1000;
const DOCUMENTS: usize = 100_000;
const DIMENSION: usize = 384;
const DEPTH: usize = 100;

/// The part, which needs no ceiling of its own.
pub fn prepare(ground: &Ground) -> Result<(Vec<Ceiling>, Vec<Part>), Fault> {
    let (queries, documents) = (ground.size(QUERIES), ground.size(DOCUMENTS));
    let mut random = SplitMix64::new(1);
    let asked = made::embeddings(&mut random, queries, DIMENSION, 40);
    let mut found = made::embeddings(&mut random, documents, DIMENSION, 40);
    let ids: Vec<String> = (0..documents).map(|document| format!("d{document:06}")).collect();
    let floors = vec![f32::NEG_INFINITY; queries];
    let products = 2.0 * (queries * documents * DIMENSION) as f64;
    let read = ((queries + documents) * DIMENSION * size_of::<f32>()) as f64;
    let part = Part {
        name: "search",
        what: format!("{} queries × {} documents × {DIMENSION}", shown(queries), shown(documents)),
        needs: vec![(PRODUCTS, products), (MEMORY, read)],
        work: Box::new(move || {
            let search = Search::new(Similarity::Dot, asked.clone(), DIMENSION, DEPTH);
            let best = search.best(&mut found, DIMENSION, 0, &ids, &floors)?;
            Ok(best.iter().map(Vec::len).sum())
        }),
    };
    Ok((Vec::new(), vec![part]))
}
