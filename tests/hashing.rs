//! The rows of the model `hashing`, without a worker.

use mteb_plugin_api::v1::{Model, Role};
use mteb_plugin_hashing::{DIMENSION, HashingEncoder};

/// One row a text.
pub fn rows(texts: &[&str]) -> Vec<Vec<f32>> {
    let dimension = DIMENSION;
    let mut rows = vec![0.0; texts.len() * dimension];
    HashingEncoder.encode(texts, Role::None, "", &mut rows).unwrap();
    rows.chunks_exact(dimension).map(<[f32]>::to_vec).collect()
}
