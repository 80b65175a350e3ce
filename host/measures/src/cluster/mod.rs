//! Clustering: mini-batch k-means, V-measure, adjusted and normalised mutual information, adjusted Rand index.

mod contingency;
mod information;
mod k_means;

pub use contingency::Contingency;
pub use k_means::{Clustering, Generation, MiniBatchKMeans, Rows};

#[cfg(test)]
mod tests;
