//! A plugin that was found, with what it declares, and the task types of a pack.

use std::collections::BTreeMap;
use std::path::PathBuf;

use mteb_card::{MeasureDeclaration, TASK_TYPE, TaskCard, TaskType, TypeDeclaration};
use mteb_plugin_api::Manifest;
use serde::{Deserialize, Serialize};

/// One plugin and what it declares.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPlugin {
    /// The library's file; `builtin:NAME` of a part of the program.
    pub path: PathBuf,
    /// SHA-256 of the file; of a part of the program, of what it is made of.
    pub checksum: String,
    /// Folders beside it in which it looks for libraries that it links.
    pub library_folders: Vec<PathBuf>,
    /// Its manifest.
    pub manifest: Manifest,
    /// Cards of a task pack: task name, behind it `@` and an earlier edition = TOML text.
    pub cards: BTreeMap<String, String>,
    /// Types of tasks that it declares, by name.
    pub types: BTreeMap<String, PackType>,
    /// Measures over rankings that it declares, by name.
    pub measures: BTreeMap<String, MeasureDeclaration>,
    /// True if it is a part of the program, or lies beside the executable as one.
    pub installed: bool,
}

/// What stands before the hash of its sources in the version of a plugin.
const SOURCES: &str = "+sources.";

impl FoundPlugin {
    /// Its version, for people.
    pub fn version(&self) -> &str {
        let version = &self.manifest.version;
        version.split_once(SOURCES).map_or(version, |(version, _)| version)
    }

    /// What the plugin is made of: the hash of the sources that shape its numbers, which a plugin that is part of the host
    /// says in its version; else the SHA-256 of its file.
    pub fn code(&self) -> String {
        match self.manifest.version.split_once(SOURCES) {
            Some((_, sources)) if self.installed => format!("sources:{sources}"),
            _ => format!("sha256:{}", self.checksum),
        }
    }
}

/// A type that a pack declares, by one of its tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackType {
    /// The task that answers for the type.
    pub task: String,
    /// What is declared of it.
    pub declaration: TypeDeclaration,
}

/// True if a plugin with these features declares types.
pub fn declares_types(features: &[String]) -> bool {
    features.iter().any(|feature| feature == TASK_TYPE)
}

/// The type of a card that the host does not bring.
pub fn own_type_of(card: &str) -> Option<&'static str> {
    match TaskCard::from_toml(card).ok()?.task_type {
        TaskType::Own(own) => Some(own.name()),
        _ => None,
    }
}
