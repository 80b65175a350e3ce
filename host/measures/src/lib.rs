//! Measures, samplers and small learners of text-embedding evaluation: slices in, numbers out.
//!
//! Every function is pure: no input or output, no clock, no global state. The numbers follow the evaluation
//! protocol of the Python package `mteb` 2.26.24 and of the libraries below it; each module names its source.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod aggregate;
pub mod bitext;
pub mod classify;
pub mod cluster;
pub mod correlation;
#[cfg(test)]
mod golden;
pub mod numeric;
pub mod pair;
pub mod random;
pub mod ranking;
pub mod regress;
pub mod rouge;
pub mod stratify;
