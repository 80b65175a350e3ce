//! The cards and the rows of all editions, as they are in the library.

use crate::packed::Packed;

/// One dataset of the pack.
#[derive(Debug)]
pub struct Dataset {
    /// Task name; `Name@1` for the task of the first edition.
    pub name: &'static str,
    /// The card, as TOML.
    pub card: Packed,
    /// File name without suffix (a split, or a part of a ranking task) and content.
    pub files: &'static [(&'static str, Packed)],
}

/// Every dataset: those of the present edition by name, then those of earlier ones.
pub const DATASETS: &[Dataset] = include!(concat!(env!("OUT_DIR"), "/datasets.rs"));
