//! JSON as result files have it: read with the tokens of Python, written as `json.dump` of Python writes it.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod tokens;
mod value;

pub use value::{Json, JsonError};
