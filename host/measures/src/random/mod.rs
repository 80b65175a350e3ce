//! The random generators of numpy and CPython, and the samplers built on them (protocol 4).
//!
//! No generator of a Rust library gives these streams with these samplers (`rand_mt` and `rand_pcg` have the cores,
//! not the seedings and the rejection rules), and one draw that differs changes which rows are scored.

mod generator;
mod mt19937;
mod split_mix;

pub use generator::Generator;
pub use mt19937::{PythonRandom, RandomState, cumulative};
pub use split_mix::{SplitMix64, mix};

#[cfg(test)]
mod tests;
