//! A registry that was read.

use std::sync::Arc;

use mteb_plugin_api::Registry;

use super::entry::TaskEntry;

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
