//! Runs plugins and parsers of data files in processes of their own; the settings say where things are and what plugins may.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod parsing;
pub mod plugins;
pub mod settings;
mod work;

pub use work::work_if_asked;
