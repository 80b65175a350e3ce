//! JSON of result files, as Python's `json` reads and writes it: `NaN` is a token, floats have Python's shortest form.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod once;
mod tokens;
mod value;

pub use once::check_once;
pub use tokens::read_past_tokens;
pub use value::{Json, JsonError};
