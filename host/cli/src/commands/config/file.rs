//! Reads `mteb-host.toml`: options at its top are those of all commands that have them, those of a
//! table of the command alone. Puts them into the command line, where an option that is typed goes
//! before them.

use std::io;
use std::path::Path;

use clap::{Arg, ArgAction, Command};
use mteb_base::suggest::hint;
use toml::{Table, Value};

use super::allowed::{ALLOWED, Refusal, find_refusal};

/// Name of the file.
pub const FILE: &str = "mteb-host.toml";

/// One default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Default {
    /// The command whose option it is; `None` for all.
    pub command: Option<String>,
    /// The option, without `--`.
    pub option: String,
    /// Its values.
    pub values: Vec<String>,
    /// Line of the file.
    pub line: usize,
}

/// The defaults of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderDefaults(pub Vec<Default>);

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

impl FolderDefaults {
    /// Reads those of `folder`; `None` where it has no file.
    ///
    /// # Errors
    /// What is wrong with the file, with its line.
    pub fn of(folder: &Path, commands: &[&str]) -> Result<Option<Self>, DefaultsError> {
        match std::fs::read_to_string(folder.join(FILE)) {
            Ok(text) => Self::read(&text, commands).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(DefaultsError::Unreadable(error)),
        }
    }

    /// Reads a file's `text`; `commands` are those that a table may name.
    fn read(text: &str, commands: &[&str]) -> Result<Self, DefaultsError> {
        let table: Table = toml::from_str(text).map_err(|source: toml::de::Error| {
            let line = source.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            DefaultsError::NoToml { line, source }
        })?;
        let mut all = Vec::new();
        for (key, value) in &table {
            match value.as_table() {
                Some(options) if commands.contains(&key.as_str()) => {
                    for (option, value) in options {
                        all.push(read_one(text, Some(key), option, value)?);
                    }
                }
                Some(_) => {
                    let line = line_of(text, None, &format!("[{key}]"));
                    let near = hint(key, commands.iter().copied(), "");
                    return Err(DefaultsError::NoCommand { line, table: key.clone(), near });
                }
                None => all.push(read_one(text, None, key, value)?),
            }
        }
        Ok(Self(all))
    }
}

fn read_one(
    text: &str,
    command: Option<&String>,
    key: &str,
    value: &Value,
) -> Result<Default, DefaultsError> {
    let option = key.replace('_', "-");
    let line = line_of(text, command.map(String::as_str), key);
    let values = match value {
        Value::Array(values) => values.iter().map(write_value).collect(),
        one => write_value(one).map(|one| vec![one]),
    };
    let key = key.to_owned();
    let Some(values) = values else {
        return Err(DefaultsError::NoValue { line, key, found: value.clone() });
    };
    if let Some(source) = values.iter().find_map(|value| find_refusal(&option, value)) {
        let is_known = ALLOWED.contains(&option.as_str());
        let near = if is_known { String::new() } else { hint(&option, ALLOWED.iter().copied(), "") };
        return Err(DefaultsError::Refused { line, key, near, source });
    }
    Ok(Default { command: command.cloned(), option, values, line })
}

fn write_value(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Some(value.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

/// The line where a key of a table stands.
fn line_of(text: &str, table: Option<&str>, key: &str) -> usize {
    let mut inside: Option<String> = None;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let is_here = inside.as_deref() == table || key.starts_with('[');
        let rest = line.strip_prefix(key).map(str::trim_start);
        if is_here && rest.is_some_and(|rest| rest.starts_with('=') || key.starts_with('[')) {
            return number + 1;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.split(']').next()) {
            inside = Some(name.trim().to_owned());
        }
    }
    1
}

/// `command` with the defaults of a folder.
///
/// # Errors
/// If no command has an option that the file sets.
pub fn set_defaults(mut command: Command, defaults: &FolderDefaults) -> Result<Command, DefaultsError> {
    // Those of a command go before those of all.
    let mut ordered: Vec<&Default> = defaults.0.iter().collect();
    ordered.sort_by_key(|one| one.command.is_some());
    for default in ordered {
        let names: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
        let mut is_used = false;
        for name in names.iter().filter(|name| default.command.as_ref().is_none_or(|wanted| wanted == *name))
        {
            command = command.mut_subcommand(name, |below| set_default(below, default, &mut is_used));
        }
        if !is_used {
            let Default { command, option, line, .. } = default.clone();
            return Err(DefaultsError::NoOption { line, option, command });
        }
    }
    Ok(command)
}

/// Sets the option in `command` and all below it.
fn set_default(mut command: Command, default: &Default, is_used: &mut bool) -> Command {
    // What is hidden tells only how another option is called.
    let is_it = |arg: &&Arg| arg.get_long() == Some(&default.option) && !arg.is_hide_set();
    let id = command.get_arguments().find(is_it).map(|arg| arg.get_id().clone());
    if let Some(id) = id {
        *is_used = true;
        command = command.mut_arg(id.as_str(), |arg| add_default(arg, default));
    }
    let names: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    for name in names {
        command = command.mut_subcommand(name, |below| set_default(below, default, is_used));
    }
    command
}

fn add_default(arg: Arg, default: &Default) -> Arg {
    // The command line lives as long as the program, and so may its defaults.
    let leaked = |value: &String| -> &'static str { value.clone().leak() };
    let values: Vec<&'static str> = default.values.iter().map(leaked).collect();
    let is_required = arg.is_required_set();
    let arg = if is_required { arg.required(false) } else { arg };
    match arg.get_action() {
        ArgAction::SetTrue | ArgAction::SetFalse => {
            arg.default_value(values.first().copied().unwrap_or("true"))
        }
        _ => arg.default_values(values),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<FolderDefaults, String> {
        FolderDefaults::read(text, &["run", "leaderboard"]).map_err(|error| error.to_string())
    }

    #[test]
    fn options_are_those_of_all_commands_or_of_one() {
        let defaults =
            read("registry = \"desa.toml\"\n\n[run]\noutcomes = true\nk_values = [1, 5]\n").unwrap().0;
        let shown: Vec<(Option<&str>, &str, String, usize)> = defaults
            .iter()
            .map(|one| (one.command.as_deref(), one.option.as_str(), one.values.join(","), one.line))
            .collect();
        assert_eq!(
            shown,
            [
                (None, "registry", "desa.toml".to_owned(), 1),
                (Some("run"), "outcomes", "true".to_owned(), 4),
                (Some("run"), "k-values", "1,5".to_owned(), 5)
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        assert!(read("a = ").unwrap_err().starts_with("mteb-host.toml:1: expected TOML"));
        assert!(read("\n[rnu]\nmodel = \"x\"\n").unwrap_err().contains(":2: expected a command in `[rnu]`"));
        let refused = read("[run]\n\ntrust_python = \".venv\"\n").unwrap_err();
        assert!(refused.starts_with("mteb-host.toml:3: `trust_python` cannot be set here"), "{refused}");
        assert!(read("modle = \"x\"\n").unwrap_err().contains("near it: model"));
    }
}
