//! How wide the terminal is.

use std::io;
use std::num::NonZeroU16;
use std::os::fd::AsFd;

use rustix::termios::tcgetwinsize;

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

/// A terminal that knows its columns need not know its rows.
fn columns(stream: impl AsFd) -> Option<u16> {
    tcgetwinsize(stream).ok().map(|size| size.ws_col).filter(|columns| *columns > 0)
}
