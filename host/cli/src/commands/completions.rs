//! What is made from the command line itself: what shells complete (`mteb-host completions`), the
//! pages of the manual (`mteb-host man`), and what a mistyped command or option may stand for.

use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Command, Error};
use clap_complete::{Shell, generate};
use mteb_base::suggest::near;

use crate::exit::Exit;
use crate::output;

/// What the program is called.
const PROGRAM: &str = "mteb-host";

/// Arguments of `completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// Shell to print the script for.
    shell: Shell,
}

/// Arguments of `man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// Folder for the pages, e.g. `~/.local/share/man/man1`; existing pages with the same names are
    /// overwritten.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl CompletionsArgs {
    /// Prints the script for `command`.
    pub fn run(self, mut command: Command) -> Exit {
        let mut script = Vec::new();
        generate(self.shell, &mut command, PROGRAM, &mut script);
        output::print(String::from_utf8_lossy(&script).trim_end())
    }
}

impl ManArgs {
    /// Writes the pages of `command`.
    pub fn run(self, command: Command) -> Exit {
        let written = std::fs::create_dir_all(&self.folder)
            .and_then(|()| clap_mangen::generate_to(command, &self.folder));
        match written {
            Ok(()) => {
                output::print(&format!("{}: man pages of {PROGRAM} and its commands", self.folder.display()))
            }
            Err(error) => {
                output::failed(format!("{}: cannot write man pages: {error}", self.folder.display()))
            }
        }
    }
}

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
pub fn add_suggestions(mut error: Error, command: &Command, typed: &[String]) -> Error {
    let text = |kind: ContextKind, error: &Error| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let below = find_innermost(command, typed);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let Some(name) = text(ContextKind::InvalidSubcommand, &error) else { return error };
            let names: Vec<&str> = below.get_subcommands().map(Command::get_name).collect();
            let suggested: Vec<String> = match below.get_name() {
                // What is shown by its name alone.
                "show" => ["task", "model", "benchmark"].map(|kind| format!("show {kind} {name}")).to_vec(),
                _ => find_swapped(&name, &names)
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
fn find_innermost<'a>(command: &'a Command, typed: &[String]) -> &'a Command {
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
fn find_swapped<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    let letters = |name: &str| {
        let mut letters: Vec<char> = name.to_lowercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    names.iter().find(|known| letters(known) == letters(name)).copied()
}
