//! Reads evaluation data into tables of texts and numbers that remember where each row came from.
//!
//! `Folder` reads a dataset laid out as on the hub (front matter, configs, splits, globs); `read_file` reads one
//! file. Both give a [`Table`]. Nothing here knows what a task is.

mod error;
mod table;
mod texts;

pub use error::DataError;
pub use table::{Column, Table};
pub use texts::Texts;
