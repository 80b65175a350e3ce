//! Outcomes of single items, as runs kept them beside their results: read, held to these, paired for two models, and made into
//! what the means of a board are worth.
//!
//! What a row of a file is follows from the type of its task (`docs/outcomes.md`).

mod board_items;
mod clusterings;
mod contradicted;
mod files;
mod kept;
mod origin;
mod outcomes_fault;
mod paired;
mod pairs;
mod read_side;
mod side;

pub use board_items::add_item_statistics;
pub use contradicted::leave_out_contradicted;
pub use files::OutcomeFiles;
pub use mteb_items::outcomes::Items;
