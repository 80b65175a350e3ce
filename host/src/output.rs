//! Standard output: a reader that goes away ends the program quietly.

use std::io::{self, Write};

use crate::exit::Exit;

/// Prints `text` and a line end.
pub fn print(text: &str) -> Exit {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Ok(()) => Exit::Done,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        Err(error) => {
            eprintln!("error: cannot write to standard output: {error}");
            Exit::Failed
        }
    }
}

/// Prints `value` as indented JSON.
pub fn print_json(value: &serde_json::Value) -> Exit {
    print(&format!("{value:#}"))
}

/// Says on standard error what went wrong.
pub fn error(message: impl std::fmt::Display) {
    eprintln!("error: {message}");
}

/// Says on standard error what is odd but no failure.
pub fn warn(message: impl std::fmt::Display) {
    eprintln!("warning: {message}");
}
