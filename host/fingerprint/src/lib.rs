//! A hash of what code does, for build scripts: its words, and the packages that it is built from.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod code;
mod locked;

pub use code::Fingerprint;
pub use locked::packages_below;
pub use proc_macro2::LexError;
