//! A task of a registry.

use std::path::PathBuf;
use std::sync::Arc;

use mteb_card::TaskCard;

use crate::reading::source::RegistrySource;
use crate::selecting::pattern::TaskPattern;

/// One task and where its card came from.
#[derive(Clone, Debug)]
pub struct TaskEntry {
    /// The card.
    pub card: Arc<TaskCard>,
    /// Where the card came from.
    pub origin: Origin,
    /// Name of the registry that brought it.
    pub registry: String,
    /// The registry's file, beside which its lock lies; of a card on its own the card's.
    pub home: RegistrySource,
    /// What the registry takes of the task.
    pub taken: TaskPattern,
    /// The tasks whose mean this one is.
    pub members: Vec<Arc<TaskEntry>>,
}

/// Where a card came from; relative data paths start there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A task pack.
    Pack(String),
    /// A file.
    File(PathBuf),
    /// The binary.
    Embedded(String),
}

impl Origin {
    /// Where the card came from, for messages.
    pub fn shown(&self) -> String {
        match self {
            Self::Pack(pack) => format!("the task pack {pack}"),
            Self::File(path) => path.display().to_string(),
            Self::Embedded(name) => name.clone(),
        }
    }
}
