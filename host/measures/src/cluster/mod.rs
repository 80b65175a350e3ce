//! Clustering: mini-batch k-means, V-measure, adjusted mutual information.

mod chance;
mod contingency;
mod information;

pub use contingency::Contingency;

#[cfg(test)]
mod tests;
