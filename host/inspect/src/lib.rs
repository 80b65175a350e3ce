//! Looks at the data of embedding tasks without a model: [`samples`] shows some of it, [`few_texts`] and [`labelled_texts`] take texts, [`stats`]
//! describes it, [`quality`] says what is wrong with it, [`guess`] what an unknown file may be, [`agreement`]
//! how far annotators agree, [`contamination`] whether texts stand in other datasets.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod agreement;
pub mod contamination;
pub mod few_texts;
pub mod guess;
pub mod labelled_texts;
mod letter_runs;
mod near;
pub mod quality;
pub mod samples;
pub mod stats;
