//! Workers that wait for the next file.

use std::sync::{Mutex, PoisonError};

use super::parser::Parser;

/// Workers that are kept for the next file: of a run, one of the reader and one of the scorer.
const KEPT: usize = 2;

/// The workers without a file.
#[derive(Debug, Default)]
pub struct Idle(Mutex<Vec<Parser>>);

impl Idle {
    /// A worker that waits, if there is one.
    pub fn take(&self) -> Option<Parser> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Keeps a worker for the next file, if not enough are kept.
    pub fn put(&self, parser: Parser) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(parser);
        }
    }
}
