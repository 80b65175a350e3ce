//! The packed files, as `build.rs` writes them.

use crate::blocks::{Blocks, Span};

/// A file and where it lies.
#[derive(Debug)]
pub struct Packed {
    /// Path below `registries/`.
    pub path: &'static str,
    /// Its text.
    pub text: Span,
    /// Its content as JSON.
    pub json: Option<Span>,
}

include!(concat!(env!("OUT_DIR"), "/pack.rs"));
