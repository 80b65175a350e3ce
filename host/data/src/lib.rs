//! Reads evaluation data into tables of texts and numbers that remember where each row came from.
//!
//! [`Folder`] reads a dataset laid out as on the hub (front matter, configs, splits, globs);
//! [`read_file`] reads one file; [`read_json_lines`] reads rows that are in memory. All give a
//! [`Table`]; [`SplitRows`] gives one a chunk; [`mapped`] keeps what was read in a form that is not
//! parsed again. Nothing here knows what a task is.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod builder;
mod by_name;
mod cell_words;
mod column;
mod delimited;
mod error;
mod fields;
mod files_below;
mod folder;
mod front_matter;
mod input;
mod json;
mod json_row;
mod json_value;
mod likely;
pub mod mapped;
mod members;
mod named_splits;
mod open_rows;
mod operations;
mod own_files;
mod parquet_column;
mod parquet_file;
mod parquet_flat;
mod parquet_nested;
mod place;
mod read_rows;
mod rows_in_cell;
mod saved;
mod split;
mod table;
mod text_form;
mod texts;
mod trec;
mod typed_columns;
mod unfold;
mod utf8;

pub use by_name::{PartNames, is_split_word};
pub use column::Column;
pub use error::{CellFault, DataError, Location, shorten};
pub use files_below::files_below;
pub use folder::Folder;
pub use input::{Bounded, is_bounded, is_readable, may_hold_lists};
pub use json::read_json_lines;
pub use json_value::{each_key_once, written, written_number};
pub use members::Members;
pub use open_rows::{OpenRows, Parsing, open_rows, read_file};
pub use own_files::own_files_below;
pub use read_rows::{ReadRows, Wanted, is_usual_id};
pub use rows_in_cell::RowsInCell;
pub use saved::{SAVED_ADVICE, saved_files};
pub use split::SplitRows;
pub use table::Table;
pub use text_form::TextForm;
pub use texts::Texts;
pub use typed_columns::all_cells;
