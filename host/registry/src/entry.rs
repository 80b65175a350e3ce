//! A task of a registry, and a registry that was read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_card::{Registry, TaskCard};

use crate::reading::source::RegistrySource;
use crate::reading::text::read_text;
use crate::selecting::pattern::TaskPattern;
use crate::{Fault, Locator};

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
    pub fn label(&self) -> String {
        match self {
            Self::Pack(pack) => format!("the task pack {pack}"),
            Self::File(path) => path.display().to_string(),
            Self::Embedded(name) => name.clone(),
        }
    }
}

/// One registry after reading.
#[derive(Clone, Debug)]
pub struct LoadedRegistry {
    /// What its file says.
    pub registry: Registry,
    /// Its file, for messages.
    pub file: String,
    /// Its tasks, those of included registries too.
    pub tasks: Vec<Arc<TaskEntry>>,
}

impl LoadedRegistry {
    /// True if its file is the user's, and has benchmarks over tasks of registries that it includes.
    pub fn has_wider_benchmarks(&self) -> bool {
        let Registry { include, benchmarks, .. } = &self.registry;
        !include.is_empty() && !benchmarks.is_empty() && Path::new(&self.file).is_file()
    }

    /// A fault at the value of its file that `path` leads to; of the whole file, if it is part of the binary.
    pub fn fault(&self, path: &[&str], message: impl Into<String>) -> Fault {
        match read_text(Path::new(&self.file)) {
            Ok(text) => Locator::new(&text.file, text.text()).fault(path, message),
            Err(_) => Fault::of_file(&self.file, message),
        }
    }
}
