//! Outcomes of single items, as runs kept them beside their results: read, held to these, and paired for two models.
//!
//! What a row of a file is follows from its columns (`docs/outcomes.md`), whatever the type of the task is called.

mod clusterings;
mod files;
mod found;
mod label_sets;
mod origin;
mod paired;
mod predictions;
mod queries;
mod side;
mod similarities;
mod summaries;
mod table;

pub use files::OutcomeFiles;
