//! How wide the terminal is.

use std::io;
use std::num::NonZeroU16;
use std::os::fd::AsFd;

use terminal_size::{Width, terminal_size_of};

/// Columns for a table on standard output: `COLUMNS` if it is set, else those of the terminal. `None` where standard output
/// is no terminal: then a table is as wide as its cells.
pub fn table_width() -> Option<u16> {
    asked().or_else(|| columns(io::stdout()))
}

/// Columns of the terminal on standard error; 80 if it does not say.
pub fn error_width() -> u16 {
    asked().or_else(|| columns(io::stderr())).unwrap_or(80)
}

fn asked() -> Option<u16> {
    let columns: NonZeroU16 = std::env::var("COLUMNS").ok()?.trim().parse().ok()?;
    Some(columns.get())
}

fn columns(stream: impl AsFd) -> Option<u16> {
    terminal_size_of(stream).map(|(Width(columns), _)| columns)
}
