//! `mteb-host plugins`: list, check and lock plugins.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::PlaceArgs;
use crate::exit::Exit;
use crate::output;
use crate::plugins::{
    Catalog, LOCK_FILE, Lock, Request, Start, Trust, Worker, WorkerError, checksum, trust_file,
};
use crate::settings::Settings;

/// Arguments of `plugins`.
#[derive(Args, Debug)]
pub struct PluginsArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the plugins that are found, and the files that are refused.
    List(PlaceArgs),
    /// Run the conformance kit on a plugin. This runs its code: check only what you trust.
    Check {
        /// The plugin's file.
        file: PathBuf,
    },
    /// Trust every plugin in the folders that are given, and write their `plugins.lock`.
    Lock(PlaceArgs),
}

impl PluginsArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.action {
            Action::List(place) => list(&place),
            Action::Check { file } => check(&file),
            Action::Lock(place) => lock(&place),
        }
    }
}

fn list(place: &PlaceArgs) -> Exit {
    let catalog = Catalog::discover(&place.settings());
    for plugin in &catalog.plugins {
        let manifest = &plugin.manifest;
        let brings = manifest.models.iter().chain(&manifest.tasks).cloned().collect::<Vec<_>>().join(", ");
        let line = format!("{} {}: {brings}\n  {}", manifest.name, manifest.version, plugin.path.display());
        if output::print(&line) != Exit::Done {
            return Exit::Failed;
        }
    }
    for refusal in &catalog.refusals {
        output::error(format!("plugin refused: {}", refusal.message));
    }
    if catalog.refusals.is_empty() { Exit::Done } else { Exit::Refused }
}

fn check(file: &Path) -> Exit {
    let faults = checked(file);
    let faults: Vec<String> = match faults {
        Ok((faults, _)) => serde_json::from_value(faults).unwrap_or_default(),
        Err(error) => {
            output::error(&error);
            return if matches!(error, WorkerError::Refused(_)) { Exit::Refused } else { Exit::Failed };
        }
    };
    if faults.is_empty() {
        return output::print(&format!("{}: conforms to plugin interface 1", file.display()));
    }
    for fault in &faults {
        output::error(fault);
    }
    Exit::Refused
}

fn checked(file: &Path) -> Result<(serde_json::Value, Vec<u8>), WorkerError> {
    let io = |source| WorkerError::Io { plugin: file.to_owned(), source };
    let checksum = checksum(file).map_err(io)?;
    let settings = Settings::new(Vec::new(), None, None, false);
    let file = &file.canonicalize().map_err(io)?;
    let mut worker = Worker::start(Start::with(file, &checksum, &settings))?;
    worker.ask(&Request::Check, &[])
}

fn lock(place: &PlaceArgs) -> Exit {
    if place.plugin_dir.is_empty() {
        output::error("expected a folder to lock: give `--plugin-dir DIR`");
        return Exit::Usage;
    }
    let mut trust = Trust::load(Vec::new());
    for folder in &place.plugin_dir {
        match write_lock(folder, &mut trust) {
            Ok(count) => {
                let plugins = output::count(count, "plugin");
                output::print(&format!("{}: {plugins} locked", folder.join(LOCK_FILE).display()));
                output::print(&format!("{}: they are trusted from now on", trust_file().display()));
            }
            Err(error) => {
                output::error(format!("{}: cannot lock: {error}", folder.display()));
                return Exit::Failed;
            }
        }
    }
    Exit::Done
}

fn write_lock(folder: &Path, trust: &mut Trust) -> std::io::Result<usize> {
    let mut plugins = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "so") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let checksum = checksum(&path)?;
            trust.add(&path.canonicalize()?, &checksum).map_err(std::io::Error::other)?;
            plugins.insert(name, checksum);
        }
    }
    let count = plugins.len();
    Lock { schema: 1, plugins }.write(folder)?;
    Ok(count)
}
