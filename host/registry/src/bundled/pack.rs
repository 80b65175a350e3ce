//! The packed files, as `build.rs` writes them.

use super::blocks::{Blocks, Span};

/// A file and where it lies.
#[derive(Debug)]
pub struct Packed {
    /// Path below `registries/`.
    pub path: &'static str,
    /// Where in the path its name without folders begins.
    pub name: usize,
    /// Its text.
    pub text: Span,
    /// Its content as JSON.
    pub json: Option<Span>,
}

include!(concat!(env!("OUT_DIR"), "/pack.rs"));
