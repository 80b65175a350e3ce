//! Asks a plugin what it brings, in a worker of its own.

use std::collections::BTreeMap;

use mteb_plugin_api::Manifest;
use serde_json::Value;

use super::memory::Declaration;
use super::{FoundPlugin, LibraryFile, Request, Start, Worker, WorkerError};
use crate::settings::Settings;

/// What to do about a plugin that does not say in time what it brings.
pub const TOO_LATE: &str = "one that takes long to load needs a longer `--plugin-timeout`";

/// The manifest and the cards of the plugin in `file`.
///
/// # Errors
/// If the plugin cannot be asked, or says what it may not.
pub fn ask(file: &LibraryFile, settings: &Settings) -> Result<Declaration, WorkerError> {
    let invalid = |message: String| WorkerError::Unreadable(format!("{}: {message}", file.path.display()));
    let start = Start { time_limit: settings.introduction, late: TOO_LATE, ..Start::with(file, settings) };
    let mut worker = Worker::start(start)?;
    let (manifest, _) = worker.ask(&Request::Open, &[])?;
    let manifest: Manifest = serde_json::from_value(manifest)
        .map_err(|error| invalid(format!("the manifest is not valid: {error}")))?;
    let mut cards = BTreeMap::new();
    for task in &manifest.tasks {
        let (card, _) = worker.ask(&Request::Card { task: task.clone() }, &[])?;
        match card {
            Value::String(card) => cards.insert(task.clone(), card),
            other => return Err(invalid(format!("expected a card as text, found: {other}"))),
        };
    }
    Ok(Declaration { manifest, cards })
}

impl FoundPlugin {
    /// The plugin in `file`, whose code runs for it, whether anybody trusts it or not.
    ///
    /// # Errors
    /// If the plugin cannot be asked, or says what it may not.
    pub fn unlisted(file: &LibraryFile, settings: &Settings) -> Result<Self, WorkerError> {
        let Declaration { manifest, cards } = ask(file, settings)?;
        let LibraryFile { path, checksum, folders, .. } = file.clone();
        Ok(Self { path, checksum, library_folders: folders, manifest, cards, installed: false })
    }
}
