//! How wide the terminal is, and prose that fits it: lines break between words. Where there is no
//! terminal they stay whole, for other programs. Colours are where a person looks: never in a pipe,
//! and as `NO_COLOR`, `CLICOLOR` and `TERM` ask.

use std::borrow::Cow;
use std::io;
use std::num::NonZeroU16;
use std::os::fd::AsFd;

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::AnsiColor;
use rustix::termios::tcgetwinsize;
use unicode_width::UnicodeWidthStr;

use super::{visible, visible_line};

/// `text` behind `label`; what does not fit the line goes on below the beginning of the text.
pub fn put_behind(label: &str, text: &str) -> String {
    let text = visible_line(text);
    match table_width() {
        Some(width) => wrap_behind(label, &text, label.width(), width.into()),
        None => format!("{label}{text}"),
    }
}

/// The lines of `text`; what does not fit a line goes on below it, two columns further in than it began.
pub fn wrap_prose(text: &str) -> String {
    let text = visible(text);
    let Some(width) = table_width() else { return text.into_owned() };
    let lines = text.lines().map(|line| {
        let said = line.trim_start_matches(' ');
        let indent = line.len() - said.len();
        wrap_behind(&line[..indent], said, indent + 2, width.into())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// `text` behind `label` in lines of at most `width` columns, of which all but the first begin after `indent`. A word that is
/// too long for that begins further left, and goes beyond the line if it is longer than one.
pub fn wrap_behind(label: &str, text: &str, indent: usize, width: usize) -> String {
    let indent = if 2 * indent > width { 2.min(indent) } else { indent };
    let mut out = label.to_owned();
    let mut column = label.width();
    let mut is_begun = false;
    for word in text.split(' ') {
        let length = word.width();
        let space = usize::from(is_begun);
        let start = indent.min(width.saturating_sub(length));
        if column + space + length > width && (is_begun || start < column) {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', start));
            column = start;
        } else if is_begun {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
        is_begun = true;
    }
    out
}

/// Columns for a table on standard output: `COLUMNS` if it is set, else those of the terminal. `None` where standard output
/// is no terminal: then a table is as wide as its cells.
pub fn table_width() -> Option<u16> {
    read_asked_width().or_else(|| columns(io::stdout()))
}

/// Columns of the terminal on standard error; 80 if it does not say.
pub fn error_width() -> u16 {
    read_asked_width().or_else(|| columns(io::stderr())).unwrap_or(80)
}

fn read_asked_width() -> Option<u16> {
    let columns: NonZeroU16 = std::env::var("COLUMNS").ok()?.trim().parse().ok()?;
    Some(columns.get())
}

/// A terminal that knows its columns need not know its rows.
fn columns(stream: impl AsFd) -> Option<u16> {
    tcgetwinsize(stream).ok().map(|size| size.ws_col).filter(|columns| *columns > 0)
}

/// How a word is marked.
#[derive(Clone, Copy, Debug)]
pub enum Style {
    /// Something failed.
    Error,
    /// Something is odd.
    Warning,
    /// The head of a table.
    Header,
}

impl Style {
    /// `text` in this style if `stream` shows colours.
    pub fn paint(self, text: &str, stream: &impl RawStream) -> String {
        if !has_colours(stream) {
            return text.to_owned();
        }
        let style = match self {
            Self::Error => AnsiColor::Red.on_default().bold(),
            Self::Warning => AnsiColor::Yellow.on_default().bold(),
            Self::Header => anstyle::Style::new().bold(),
        };
        format!("{style}{text}{style:#}")
    }
}

/// A table with the lines of its header in bold: those before the line of `═`.
pub fn header<'a>(table: &'a str, stream: &impl RawStream) -> Cow<'a, str> {
    let Some(end) = table.find('╞') else { return Cow::Borrowed(table) };
    if !has_colours(stream) {
        return Cow::Borrowed(table);
    }
    let lines: String = table[..end].lines().map(|line| Style::Header.paint(line, stream) + "\n").collect();
    Cow::Owned(lines + &table[end..])
}

/// A terminal that says it is dumb gets none, even where a build service is taken to show colours.
fn has_colours(stream: &impl RawStream) -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    !is_dumb && AutoStream::choice(stream) != ColorChoice::Never
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_hang() {
        assert_eq!(wrap_behind("- ", "one two three", 2, 9), "- one two\n  three");
        assert_eq!(wrap_behind("- ", "one two three", 2, 80), "- one two three");
        assert_eq!(wrap_behind("", "東京 大阪", 0, 5), "東京\n大阪");
        assert_eq!(wrap_behind("", "", 0, 5), "");
    }

    #[test]
    fn a_long_word_begins_as_far_left_as_it_must() {
        assert_eq!(wrap_behind("at    ", "https://a", 6, 13), "at\n    https://a");
        assert_eq!(wrap_behind("at ", "https://example", 3, 8), "at\nhttps://example");
        assert_eq!(wrap_behind("a label: ", "b c d", 9, 10), "a label: b\n  c d");
    }
}
