//! Smaller embeddings: fewer numbers, and numbers of fewer bits.

mod binary;
mod cut;
mod integers;

pub use binary::binary;
pub use cut::{cut, normalize};
pub use integers::{ConstantDimension, Integers, integers};

#[cfg(test)]
mod tests;
