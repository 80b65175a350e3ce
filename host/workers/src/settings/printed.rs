//! Who is told what a plugin prints while it runs.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Hears each line that a plugin prints, with the name of the plugin's file.
#[derive(Clone)]
pub struct Printed(Arc<Hears>);

type Hears = dyn Fn(&str, &str) + Send + Sync;

impl Printed {
    /// What is called with the plugin's file and the line.
    pub fn new(hears: impl Fn(&str, &str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(hears))
    }

    /// Tells of a line that `plugin` printed; an empty one says nothing.
    pub fn line(&self, plugin: &Path, line: &str) {
        if !line.trim().is_empty() {
            (self.0)(&plugin.file_name().unwrap_or_default().to_string_lossy(), line);
        }
    }
}

impl fmt::Debug for Printed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Printed")
    }
}
