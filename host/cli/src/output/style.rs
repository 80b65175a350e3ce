//! Colours, where a person looks: never in a pipe, and as `NO_COLOR`, `CLICOLOR` and `TERM` ask.

use std::borrow::Cow;

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::AnsiColor;

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
        if !shows_colours(stream) {
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
    if !shows_colours(stream) {
        return Cow::Borrowed(table);
    }
    let lines: String = table[..end].lines().map(|line| Style::Header.paint(line, stream) + "\n").collect();
    Cow::Owned(lines + &table[end..])
}

/// A terminal that says it is dumb gets none, even where a build service is taken to show colours.
fn shows_colours(stream: &impl RawStream) -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    !is_dumb && AutoStream::choice(stream) != ColorChoice::Never
}
