//! What is trained on embeddings: mini-batch k-means, and logistic regression with its predictions.

use std::path::Path;

use mteb_measures::classify::LogisticRegression;
use mteb_measures::cluster::{Generation, MiniBatchKMeans, Rows};
use mteb_measures::random::SplitMix64;

use crate::{Fault, Work, made};

const DIMENSION: usize = 384;
const CLASSES: usize = 12;

pub fn k_means(_: &Path) -> Result<Work, Fault> {
    const ROWS: usize = 2000;
    let rows = made::embeddings(&mut SplitMix64::new(3), ROWS, DIMENSION, CLASSES);
    let drawn: Vec<u32> = (0..ROWS as u32).collect();
    let settings =
        MiniBatchKMeans { clusters: CLASSES, batch_size: 512, generation: Generation::default(), seed: 42 };
    Ok(Box::new(move || Ok(settings.fit(Rows::new(&rows, DIMENSION), &drawn).steps)))
}

pub fn logistic_regression(_: &Path) -> Result<Work, Fault> {
    const TRAINING: usize = 64 * CLASSES;
    const ROWS: usize = 5000;
    let rows = made::embeddings(&mut SplitMix64::new(4), TRAINING + ROWS, DIMENSION, CLASSES);
    let labels: Vec<usize> = (0..TRAINING).map(|row| row % CLASSES).collect();
    Ok(Box::new(move || {
        let (training, rest) = rows.split_at(TRAINING * DIMENSION);
        let fitted = LogisticRegression::fit(training, DIMENSION, &labels)?;
        Ok(fitted.predict(rest)?.len())
    }))
}
