//! The cards of `cards/` and the JSON lines of `data/`, as they are in the library.

/// One dataset of the pack.
#[derive(Debug)]
pub struct Dataset {
    /// Task name; also the name of its card and of its data folder.
    pub name: &'static str,
    /// The card, as TOML.
    pub card: &'static str,
    /// File name without suffix (a split, or a part of a ranking task) and content.
    pub files: &'static [(&'static str, &'static str)],
}

/// Every dataset, by name.
pub const DATASETS: &[Dataset] = include!(concat!(env!("OUT_DIR"), "/datasets.rs"));
