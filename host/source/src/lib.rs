//! From a task card to the tables of a unit: finds the dataset, reads the parts, renames columns.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod data_change;
mod datasets;
mod error;
mod item_texts;
mod layout;
mod lock;
mod model_folder;
mod own_data;
mod sources;
mod stores;
#[cfg(test)]
mod tests;
mod transform;
mod unit_source;

pub use data_change::DataChange;
pub use datasets::NeededFile;
pub use error::SourceError;
pub use item_texts::{query_texts, row_texts};
pub use layout::PartFiles;
pub use model_folder::{ModelFolder, is_repository_name, model_folder};
pub use own_data::absent_files;
pub use sources::DataSources;
pub use unit_source::{About, Note, UnitSource};
