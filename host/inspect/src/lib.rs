//! Looks at the data of embedding tasks without a model: [`samples`] shows some of it, [`stats`] describes it, [`quality`] says what
//! is wrong with it.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod near;
pub mod quality;
pub mod samples;
pub mod stats;
