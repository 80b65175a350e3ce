//! Receives the lines that are worth printing while a model is found and started.

use std::sync::Arc;

use mteb_hub::{NoReport, Report};

/// Is told what is worth a line, from several threads at a time.
///
/// Every method does nothing unless it is implemented.
pub trait Listener: Sync {
    /// Something that is worth a line, and changes nothing.
    fn say(&self, message: &str) {
        let _ = message;
    }

    /// Something is odd, but no failure.
    fn warn(&self, message: &str) {
        let _ = message;
    }

    /// Who is told of downloads.
    fn downloads(&self) -> Arc<dyn Report + Send + Sync> {
        Arc::new(NoReport)
    }
}

/// Tells nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Listener for Silent {}
