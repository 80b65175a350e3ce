//! Graded relevance: from rankings to a pool, from a pool to judgements, from judgements to curves, tables and agreement.
//!
//! Data flows one way: [`pool`] makes pairs of rankings; [`judge`] says how a pair is asked and how a reply is read; [`store`] keeps
//! what was answered; [`evaluate`] measures systems by it; [`aggregate`] makes tables; [`agreement`] says what they are worth.
//! Nothing here opens a connection or prints.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod aggregate;
pub mod agreement;
mod error;
pub mod evaluate;
pub mod judge;
mod pair;
pub mod pool;
mod read;
pub mod store;
mod write;

pub use error::GradedError;
pub use pair::PairId;
pub use read::{read_text, sha256_of_file};
