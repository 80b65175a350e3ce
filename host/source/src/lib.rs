//! From a task card to the tables of a unit: finds the dataset, reads the parts, renames columns.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod absent;
mod belebele;
mod columns;
mod continued;
mod datasets;
mod error;
mod facts;
mod item_texts;
mod lock;
mod model_folder;
mod needed;
mod note;
mod numbered;
mod own_data;
mod pack_rows;
mod places;
mod query_rows;
mod ranking;
mod rows;
mod sources;
mod stores;
mod tables;
#[cfg(test)]
mod tests;
mod there;
mod transform;

pub use error::SourceError;
pub use facts::{Since, UnitSource};
pub use item_texts::{query_texts, row_texts};
pub use model_folder::{ModelFolder, is_repository_name, model_folder};
pub use needed::NeededFile;
pub use note::{About, Note};
pub use ranking::PartFiles;
pub use sources::DataSources;
pub use there::absent_files;
