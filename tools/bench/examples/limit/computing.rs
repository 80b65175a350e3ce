//! What is computed from embeddings: exact search by the dot product, mini-batch k-means, and logistic
//! regression with its predictions. Searches and fits have the ceilings of products or of memory,
//! whichever takes longer. Fits stand side by side, one a thread, as those of one task do.

use mteb_measures::classify::{FitError, LogisticRegression};
use mteb_measures::cluster::{Generation, MiniBatchKMeans, Rows};
use mteb_measures::random::SplitMix64;
use mteb_search::{Search, Similarity};
use rayon::prelude::*;

use crate::machine::{MEMORY, PRODUCTS};
use crate::{Ceiling, Fault, Ground, Part, group_digits, made};

const QUERIES: usize = 1000;
const DOCUMENTS: usize = 100_000;
const DIMENSION: usize = 384;
const DEPTH: usize = 100;

/// The part, which needs no ceiling of its own.
pub fn prepare_search(ground: &Ground) -> Result<(Vec<Ceiling>, Vec<Part>), Fault> {
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
        what: format!(
            "{} queries × {} documents × {DIMENSION}",
            group_digits(queries),
            group_digits(documents)
        ),
        needs: vec![(PRODUCTS, products), (MEMORY, read)],
        work: Box::new(move || {
            let search = Search::new(Similarity::Dot, asked.clone(), DIMENSION, DEPTH);
            let best = search.best(&mut found, DIMENSION, 0, &ids, &floors)?;
            Ok(best.iter().map(Vec::len).sum())
        }),
    };
    Ok((Vec::new(), vec![part]))
}

const CLASSES: usize = 12;
const NUMBER: usize = size_of::<f32>();

/// The parts, which need no ceiling of their own.
pub fn prepare_learning(ground: &Ground) -> Result<(Vec<Ceiling>, Vec<Part>), Fault> {
    let fits = rayon::current_num_threads();
    Ok((Vec::new(), vec![k_means(ground, fits), fit(ground, fits)?, predict(ground)?]))
}

fn k_means(ground: &Ground, fits: usize) -> Part {
    const BATCH: usize = 512;
    let count = ground.size(10_000).max(CLASSES);
    let rows = made::embeddings(&mut SplitMix64::new(3), count, DIMENSION, CLASSES);
    let drawn: Vec<u32> = (0..count as u32).collect();
    let settings =
        MiniBatchKMeans { clusters: CLASSES, batch_size: BATCH, generation: Generation::default(), seed: 42 };
    let steps = settings.fit(Rows::new(&rows, DIMENSION), &drawn).steps;
    // Each row of a mini-batch, and at the end each row, is compared with every centre.
    let compared = fits * (steps * BATCH.min(count) + count);
    Part {
        name: "k-means",
        what: format!(
            "{fits} fits of {} rows × {DIMENSION}, {CLASSES} clusters, {steps} mini-batches",
            group_digits(count)
        ),
        needs: vec![
            (PRODUCTS, 2.0 * (compared * DIMENSION * CLASSES) as f64),
            (MEMORY, (compared * DIMENSION * NUMBER) as f64),
        ],
        work: Box::new(move || {
            let steps = |_| settings.fit(Rows::new(&rows, DIMENSION), &drawn).steps;
            Ok((0..fits).into_par_iter().map(steps).sum())
        }),
    }
}

fn fit(ground: &Ground, fits: usize) -> Result<Part, Fault> {
    let count = ground.size(256 * CLASSES).max(4 * CLASSES);
    let rows = made::embeddings(&mut SplitMix64::new(4), count, DIMENSION, CLASSES);
    let labels: Vec<usize> = (0..count).map(|row| row % CLASSES).collect();
    let iterations = LogisticRegression::fit(&rows, DIMENSION, &labels)?.iterations();
    // An iteration takes at least one look at the objective: its value and its gradient are a product each.
    let products = 2 * fits * iterations * count * DIMENSION * CLASSES;
    Ok(Part {
        name: "logistic regression, fit",
        what: format!(
            "{fits} fits of {} rows × {DIMENSION}, {CLASSES} classes, {iterations} iterations",
            group_digits(count)
        ),
        needs: vec![
            (PRODUCTS, 2.0 * products as f64),
            (MEMORY, (fits * iterations * count * DIMENSION * NUMBER) as f64),
        ],
        work: Box::new(move || {
            let fit =
                |_| LogisticRegression::fit(&rows, DIMENSION, &labels).map(|fitted| fitted.iterations());
            let found: Result<Vec<usize>, FitError> = (0..fits).into_par_iter().map(fit).collect();
            Ok(found?.iter().sum())
        }),
    })
}

fn predict(ground: &Ground) -> Result<Part, Fault> {
    const TRAINING: usize = 8 * CLASSES;
    let count = ground.size(100_000);
    let rows = made::embeddings(&mut SplitMix64::new(5), TRAINING + count, DIMENSION, CLASSES);
    let labels: Vec<usize> = (0..TRAINING).map(|row| row % CLASSES).collect();
    let fitted = LogisticRegression::fit(&rows[..TRAINING * DIMENSION], DIMENSION, &labels)?;
    Ok(Part {
        name: "logistic regression, predict",
        what: format!("{} rows × {DIMENSION}, {CLASSES} classes", group_digits(count)),
        needs: vec![
            (PRODUCTS, 2.0 * (count * DIMENSION * CLASSES) as f64),
            (MEMORY, (count * DIMENSION * NUMBER) as f64),
        ],
        work: Box::new(move || Ok(fitted.predict(&rows[TRAINING * DIMENSION..])?.len())),
    })
}
