//! Reads evaluation data into tables of texts and numbers that remember where each row came from.
//!
//! [`Folder`] reads a dataset laid out as on the hub (front matter, configs, splits, globs); [`read_file`] reads one
//! file; [`read_json_lines`] reads rows that are in memory. All give a [`Table`]. Nothing here knows what a task is.

mod builder;
mod delimited;
mod error;
mod folder;
mod front_matter;
mod json;
mod open;
mod parquet_file;
mod table;
mod texts;

pub use error::DataError;
pub use folder::Folder;
pub use json::read_json_lines;
pub use open::read_file;
pub use table::{Column, Table};
pub use texts::Texts;
