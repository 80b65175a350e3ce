//! What the program says. A reader that goes away ends it quietly; control characters in data are shown as text.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::exit::Exit;

/// Prints `text` and a line end.
pub fn print(text: &str) -> Exit {
    let mut out = io::stdout().lock();
    match writeln!(out, "{}", visible(text)).and_then(|()| out.flush()) {
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
    say(format!("error: {message}"));
}

/// Says on standard error what is odd but no failure.
pub fn warn(message: impl std::fmt::Display) {
    say(format!("warning: {message}"));
}

/// Says a line on standard error.
pub fn say(message: impl std::fmt::Display) {
    eprintln!("{}", visible(&message.to_string()));
}

/// The text with control characters as JSON writes them (`\u001b`): what comes from data must not steer a terminal.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if steers(character) {
            shown += &format!("\\u{:04x}", u32::from(character));
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// Control characters but line end and tabulator, and the marks that turn the direction of what follows.
fn steers(character: char) -> bool {
    let turns = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (character.is_control() && !matches!(character, '\n' | '\t'))
}

/// A number of things: `1 file`, `2 files`.
pub fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escape_sequence_is_shown_and_other_text_is_left_alone() {
        assert_eq!(visible("a\u{1b}[2J\u{9b}b\u{202e}"), "a\\u001b[2J\\u009bb\\u202e");
        let plain = "line\n\tشكرا caf\u{e9} 👩";
        assert!(matches!(visible(plain), Cow::Borrowed(same) if same == plain));
    }
}
