//! What is computed: texts to rows by the hashing encoder; exact search by the dot product of embeddings,
//! BM25, and the measures of rankings; k-means and logistic regression, which are trained on embeddings.

use std::path::Path;

use mteb_measures::classify::LogisticRegression;
use mteb_measures::cluster::{Generation, MiniBatchKMeans, Rows};
use mteb_measures::random::SplitMix64;
use mteb_measures::ranking::{Judgements, Outcome, evaluate};
use mteb_plugin_api::v1::{Model, Role};
use mteb_plugin_hashing::{DIMENSION, HashingEncoder};
use mteb_search::lexical::{Bm25Builder, Language};
use mteb_search::{Search, Similarity};

use crate::{Fault, Work, made};

const EXACT_QUERIES: usize = 128;
const EXACT_DOCUMENTS: usize = 8000;
const EXACT_DIMENSION: usize = 384;
const EXACT_DEPTH: usize = 100;

/// What the search screens with under callgrind.
const KERNEL: &str = "int16 AVX2";

pub fn exact_search(_: &Path) -> Result<Work, Fault> {
    let mut random = SplitMix64::new(1);
    let queries = made::embeddings(&mut random, EXACT_QUERIES, EXACT_DIMENSION, 40);
    let mut documents = made::embeddings(&mut random, EXACT_DOCUMENTS, EXACT_DIMENSION, 40);
    let ids: Vec<String> = (0..EXACT_DOCUMENTS).map(|document| format!("d{document:05}")).collect();
    let floors = vec![f32::NEG_INFINITY; EXACT_QUERIES];
    Ok(Box::new(move || {
        let search = Search::new(Similarity::Dot, queries.clone(), EXACT_DIMENSION, EXACT_DEPTH);
        let best = search.best(&mut documents, EXACT_DIMENSION, 0, &ids, &floors)?;
        match search.ran().first() {
            Some((KERNEL, _)) => Ok(best.iter().map(Vec::len).sum()),
            found => Err(format!("expected to search with the kernel {KERNEL}, found: {found:?}").into()),
        }
    }))
}

const BM25_DOCUMENTS: usize = 1500;
const BM25_QUERIES: usize = 200;
const BM25_DEPTH: usize = 100;

pub fn bm25(_: &Path) -> Result<Work, Fault> {
    let mut random = SplitMix64::new(2);
    let documents: Vec<String> = (0..BM25_DOCUMENTS).map(|_| made::text(&mut random, 80)).collect();
    let queries: Vec<String> = (0..BM25_QUERIES).map(|_| made::text(&mut random, 8)).collect();
    let ids: Vec<String> = (0..BM25_DOCUMENTS).map(|document| format!("d{document:05}")).collect();
    Ok(Box::new(move || {
        let mut builder = Bm25Builder::new(Language::of("ind"));
        documents.iter().for_each(|document| builder.add(document));
        let index = builder.finish();
        Ok(queries.iter().map(|query| index.best(query, BM25_DEPTH, &ids).len()).sum())
    }))
}

const RANKED_QUERIES: usize = 600;
const RANKED_DOCUMENTS: usize = 50_000;
const RANKED_DEPTH: usize = 200;
const CUTS: [usize; 7] = [1, 3, 5, 10, 20, 100, 1000];

/// Documents of which one after the other is found, far apart in the corpus.
const STRIDE: usize = 7919;

pub fn ranking_measures(_: &Path) -> Result<Work, Fault> {
    let mut random = SplitMix64::new(5);
    let ids: Vec<String> = (0..RANKED_DOCUMENTS).map(|document| format!("d{document:05}")).collect();
    let queries: Vec<_> = (0..RANKED_QUERIES).map(|_| ranked_query(&mut random)).collect();
    Ok(Box::new(move || {
        let outcomes: Vec<Outcome> =
            queries.iter().map(|(found, judgements)| Outcome { found, judgements }).collect();
        Ok(evaluate(&outcomes, &ids, &CUTS).summary().len())
    }))
}

/// Found documents, some with equal scores, and judgements of some of them and of others.
fn ranked_query(random: &mut SplitMix64) -> (Vec<(u32, f64)>, Judgements) {
    let first = random.below(RANKED_DOCUMENTS);
    let document = |place: usize| ((first + place * STRIDE) % RANKED_DOCUMENTS) as u32;
    let found = (0..RANKED_DEPTH).map(|place| (document(place), random.below(400) as f64 / 400.0)).collect();
    let judged =
        (0..20).map(|_| (document(random.below(2 * RANKED_DEPTH)), random.below(3) as f64)).collect();
    (found, Judgements::new(judged))
}

const LEARNED_DIMENSION: usize = 384;
const CLASSES: usize = 12;

pub fn k_means(_: &Path) -> Result<Work, Fault> {
    const ROWS: usize = 2000;
    let rows = made::embeddings(&mut SplitMix64::new(3), ROWS, LEARNED_DIMENSION, CLASSES);
    let drawn: Vec<u32> = (0..ROWS as u32).collect();
    let settings =
        MiniBatchKMeans { clusters: CLASSES, batch_size: 512, generation: Generation::default(), seed: 42 };
    Ok(Box::new(move || Ok(settings.fit(Rows::new(&rows, LEARNED_DIMENSION), &drawn).steps)))
}

pub fn logistic_regression(_: &Path) -> Result<Work, Fault> {
    const TRAINING: usize = 64 * CLASSES;
    const ROWS: usize = 5000;
    let rows = made::embeddings(&mut SplitMix64::new(4), TRAINING + ROWS, LEARNED_DIMENSION, CLASSES);
    let labels: Vec<usize> = (0..TRAINING).map(|row| row % CLASSES).collect();
    Ok(Box::new(move || {
        let (training, rest) = rows.split_at(TRAINING * LEARNED_DIMENSION);
        let fitted = LogisticRegression::fit(training, LEARNED_DIMENSION, &labels)?;
        Ok(fitted.predict(rest)?.len())
    }))
}

const HASHED_TEXTS: usize = 1000;

pub fn hashing_encoder(_: &Path) -> Result<Work, Fault> {
    let mut random = SplitMix64::new(8);
    let texts: Vec<String> = (0..HASHED_TEXTS).map(|_| made::text(&mut random, 40)).collect();
    Ok(Box::new(move || {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut rows = vec![0.0; HASHED_TEXTS * DIMENSION];
        HashingEncoder.encode(&texts, Role::None, "", &mut rows).map_err(|fault| format!("{fault:?}"))?;
        Ok(rows.iter().filter(|value| **value != 0.0).count())
    }))
}
