//! A registry that was read.

use std::path::Path;
use std::sync::Arc;

use mteb_card::Registry;

use super::text::read_text;
use crate::entry::TaskEntry;
use crate::{Fault, Locator};

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
