//! Graded relevance: from rankings to a pool, from a pool to judgements, from judgements to curves, tables and agreement.
//!
//! Data flows one way: [`pool`] makes pairs of rankings; [`judge`] says how a pair is asked and how a reply is read; [`store`] keeps
//! what was answered; [`evaluate`] measures systems by it; [`aggregate`] makes tables; [`agreement`] says what they are worth.
//! Nothing here opens a connection or prints.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod aggregate;
pub mod agreement;
pub mod evaluate;
mod files;
pub mod judge;
mod pair;
pub mod pool;
pub mod store;

pub use files::{GradedError, read_text, sha256_of_file};
pub use pair::{PairId, PairIdError};
