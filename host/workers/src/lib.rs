//! Processes of their own for plugins and for parsers of data files, and the settings that say where things are and what they may.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod parsing;
pub mod plugins;
pub mod settings;
mod work;

pub use work::work_if_asked;
