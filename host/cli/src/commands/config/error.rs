//! What can be wrong with the file of a folder's defaults.

use std::io;

use super::allowed::Refusal;
use super::file::FILE;

/// Why the defaults of a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DefaultsError {
    /// The file cannot be read.
    #[error("{FILE}: cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// It is no TOML.
    #[error("{FILE}:{line}: expected TOML: {}", .source.message())]
    NoToml {
        /// Where.
        line: usize,
        /// Why not.
        source: toml::de::Error,
    },
    /// A table has the name of no command.
    #[error("{FILE}:{line}: expected a command in `[{table}]`, found no such command{near}")]
    NoCommand {
        /// Where.
        line: usize,
        /// The name.
        table: String,
        /// What may be meant, with what stands before it.
        near: String,
    },
    /// An option has a value of another form.
    #[error(
        "{FILE}:{line}: expected a string, a number, true or false, or a list of these for `{key}`, found: {found}"
    )]
    NoValue {
        /// Where.
        line: usize,
        /// The option, as the file calls it.
        key: String,
        /// The value.
        found: toml::Value,
    },
    /// An option may not be set so.
    #[error("{FILE}:{line}: `{key}` cannot be set here{near}: {source}")]
    Refused {
        /// Where.
        line: usize,
        /// The option, as the file calls it.
        key: String,
        /// What may be meant, with what stands before it.
        near: String,
        /// Why not.
        source: Refusal,
    },
    /// No command has an option, or not the one whose table it stands in.
    #[error(
        "{FILE}:{line}: expected an option, found `{option}`, which {}",
        .command.as_ref().map_or("no command has".to_owned(), |name| format!("`{name}` does not have"))
    )]
    NoOption {
        /// Where.
        line: usize,
        /// The option.
        option: String,
        /// The command whose table it stands in.
        command: Option<String>,
    },
}
