//! What the program says. Nothing that is written to a terminal can fail a run, and nothing in data steers a terminal.

mod answer;
mod screen;
mod terminal;

pub use mteb_base::counted::{count, count_between};
pub use mteb_report::{visible, visible_line};
pub use screen::Screen;
pub use terminal::{error_width, put_behind, table_width, wrap_behind, wrap_prose};

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use answer::{instead_of_answer, list_parts, note_answer, note_error};
use mteb_data::shorten;
use screen::{write_error, write_error_once};
use serde::Serialize;
use terminal::Style;

use crate::exit::Exit;

/// Prints `text` and a line end. A reader that goes away ends it quietly.
pub fn print(text: &str) -> Exit {
    print_raw(&visible(text))
}

/// Prints `text`, whose lines fit the terminal.
pub fn print_prose(text: &str) -> Exit {
    print_raw(&wrap_prose(text))
}

/// Prints a table whose cells hold no control characters, with its header in bold on a terminal.
pub fn print_table(table: &str) -> Exit {
    print_raw(&terminal::header(&visible(table), &io::stdout()))
}

/// Prints `value` as indented JSON.
pub fn print_json(value: &serde_json::Value) -> Exit {
    print(&serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string()))
}

/// Prints `values` as an indented JSON list, as [`print_json`] prints the same list.
pub fn print_json_list<T: Serialize + Sync>(values: &[T]) -> Exit {
    let parts = list_parts(values);
    note_answer();
    let mut out = io::stdout().lock();
    let written_parts = parts.iter().try_for_each(|part| out.write_all(part.as_bytes()));
    exit_of_write(written_parts.and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush()))
}

/// Writes a file that is no text to standard output; never to a terminal, and never two behind each other.
pub fn print_file(bytes: &[u8], what: &str) -> Exit {
    static IS_WRITTEN: AtomicBool = AtomicBool::new(false);
    if io::stdout().is_terminal() {
        error(format!("expected a file or a pipe for `{what}`, found a terminal; add `> FILE`"));
        return Exit::Usage;
    }
    if IS_WRITTEN.swap(true, Ordering::Relaxed) {
        error(format!("expected one table for `{what}`, found several; ask for one task, or for JSON"));
        return Exit::Usage;
    }
    note_answer();
    let mut out = io::stdout().lock();
    exit_of_write(out.write_all(bytes).and_then(|()| out.flush()))
}

/// Says on standard error what went wrong. A line that was said is not said again, nor are warnings and failures.
pub fn error(message: impl std::fmt::Display) {
    let message = shorten(message.to_string());
    note_error(&message);
    write_labelled(Style::Error, "error", message);
}

/// Says on standard error what is odd but no failure.
pub fn warn(message: impl std::fmt::Display) {
    write_labelled(Style::Warning, "warning", message);
}

/// Says on standard error what failed while the rest goes on.
pub fn failure(message: impl std::fmt::Display) {
    let message = shorten(message.to_string());
    note_error(&message);
    write_labelled(Style::Error, "failed", message);
}

/// Says a line on standard error.
pub fn say(message: impl std::fmt::Display) {
    write_error(&format!("{}\n", visible_line(&shorten(message.to_string()))));
}

/// Puts a question on standard error, without a line end.
pub fn ask(question: &str) {
    write_error(&visible_line(question));
}

/// Prints what the reader of the command line says: help, the version, or what is wrong with it.
pub fn say_usage(said: &clap::Error) -> Exit {
    if said.use_stderr() {
        let text = said.to_string();
        match show_arguments(&text, std::env::args_os().skip(1)) {
            Some(visible) => write_error(&visible),
            None => {
                let _ = said.print();
            }
        }
        let first = text.lines().next().unwrap_or_default();
        note_error(first.strip_prefix("error: ").unwrap_or(first));
        return Exit::Usage;
    }
    let shown = said.print();
    note_answer();
    exit_of_write(shown.and_then(|()| io::stdout().flush()))
}

/// The text with each argument in it as one line in which nothing is hidden; `None` if all are so as they are. An argument may hold what
/// somebody else has written: a line end in it must not pass for one of ours.
fn show_arguments(text: &str, arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let mut shown = text.to_owned();
    for argument in arguments {
        let argument = argument.to_string_lossy();
        let value = argument.split_once('=').map(|(_, value)| value);
        for part in std::iter::once(&*argument).chain(value).filter(|part| !part.is_empty()) {
            let visible = visible_line(part);
            if visible != part {
                shown = shown.replace(part, &visible);
            }
        }
    }
    (shown != text).then_some(shown)
}

/// The end of a command: where it failed without an answer and was asked for JSON, the errors and the exit code are its answer.
pub fn end(exit: Exit) -> Exit {
    if let Some(answer) = instead_of_answer(exit) {
        print_json(&answer);
    }
    exit
}

/// Writes `bytes` to `path`. Only a regular file is replaced: no link, pipe or device.
///
/// # Errors
/// If something else is there, or the system refuses.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    mteb_files::check_place(path)
        .map_err(|source| WriteError::OtherThere { path: path.to_owned(), source })?;
    mteb_files::write(path, bytes).map_err(|source| WriteError::Refused { path: path.to_owned(), source })
}

/// Why a file is not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// What is there is no regular file.
    #[error("expected to write {}: {source}; move it away", .path.display())]
    OtherThere {
        /// The place.
        path: PathBuf,
        /// What is there.
        source: io::Error,
    },
    /// The system refuses.
    #[error("expected to write {}: {source}", .path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

fn write_labelled(style: Style, label: &str, message: impl std::fmt::Display) {
    let message = shorten(message.to_string());
    write_error_once(&format!("{}: {}\n", style.paint(label, &io::stderr()), visible_line(&message)));
}

fn print_raw(text: &str) -> Exit {
    note_answer();
    let mut out = io::stdout().lock();
    exit_of_write(writeln!(out, "{text}").and_then(|()| out.flush()))
}

/// What became of something that was written to standard output.
fn exit_of_write(result: io::Result<()>) -> Exit {
    match result {
        Ok(()) => Exit::Done,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        Err(error) => {
            self::error(format!("cannot write to standard output: {error}"));
            Exit::Failed
        }
    }
}

/// The user asked for something that is not there or not possible.
pub fn usage(message: impl Display) -> Exit {
    error(message);
    Exit::Usage
}

/// Something failed.
pub fn failed(message: impl Display) -> Exit {
    error(message);
    Exit::Failed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_in_a_message_is_one_line() {
        let of = |text: &str, arguments: &[&str]| show_arguments(text, arguments.iter().map(OsString::from));
        assert_eq!(of("error: invalid value '7x' for '--limit'\n", &["--limit", "7x"]), None);
        let forged = "7\nerror: forged\u{202e}";
        let said = of(&format!("error: invalid value '{forged}'\n\nmore\n"), &[&format!("--limit={forged}")]);
        assert_eq!(said.as_deref(), Some("error: invalid value '7\\nerror: forged\\u202e'\n\nmore\n"));
    }
}
