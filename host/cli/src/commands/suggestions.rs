//! What a mistyped command or option may stand for, where the library knows nothing near it or something worse.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use mteb_base::suggest::near;

/// What the reference and others call an option.
const OTHERS: [(&str, &str); 13] = [
    ("batch-size", "batch-tokens"),
    ("encode-kwargs", "batch-tokens"),
    ("overwrite-strategy", "overwrite"),
    ("cache-folder", "cache-dir"),
    ("prediction-folder", "predictions"),
    ("num-workers", "workers"),
    ("model-name", "model"),
    ("model-revision", "revision"),
    ("tasks", "task"),
    ("task-types", "task-type"),
    ("languages", "language"),
    ("benchmarks", "benchmark"),
    ("output-dir", "output-folder"),
];

/// `error` with better suggestions for the command line `typed`.
pub fn with_suggestions(mut error: Error, command: &Command, typed: &[String]) -> Error {
    let text = |kind: ContextKind, error: &Error| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let below = innermost(command, typed);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let Some(name) = text(ContextKind::InvalidSubcommand, &error) else { return error };
            let names: Vec<&str> = below.get_subcommands().map(Command::get_name).collect();
            let suggested: Vec<String> = match below.get_name() {
                // What is shown by its name alone.
                "show" => ["task", "model", "benchmark"].map(|kind| format!("show {kind} {name}")).to_vec(),
                _ => swapped(&name, &names)
                    .into_iter()
                    .chain(near(&name, names.iter().copied()))
                    .take(1)
                    .map(str::to_owned)
                    .collect(),
            };
            if !suggested.is_empty() {
                error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(suggested));
            }
        }
        ErrorKind::UnknownArgument => {
            let Some(name) = text(ContextKind::InvalidArg, &error) else { return error };
            let plain = name.trim_start_matches('-').replace('_', "-").to_lowercase();
            let longs: Vec<&str> = below
                .get_arguments()
                .filter(|arg| !arg.is_hide_set())
                .filter_map(|arg| arg.get_long())
                .collect();
            let other = OTHERS.iter().find(|(other, _)| *other == plain).map(|(_, ours)| *ours);
            let meant = longs
                .iter()
                .find(|long| **long == plain)
                .copied()
                .or(other.filter(|ours| longs.contains(ours)));
            if let Some(meant) = meant {
                error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{meant}")));
            }
        }
        _ => {}
    }
    error
}

/// The command that the first words of the command line name.
fn innermost<'a>(command: &'a Command, typed: &[String]) -> &'a Command {
    let mut below = command;
    for word in typed.iter().skip(1) {
        match below.find_subcommand(word) {
            Some(found) => below = found,
            None => break,
        }
    }
    below
}

/// The names that hold the same letters in another order: `run` for `rnu`.
fn swapped<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    let letters = |name: &str| {
        let mut letters: Vec<char> = name.to_lowercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    names.iter().find(|known| letters(known) == letters(name)).copied()
}
