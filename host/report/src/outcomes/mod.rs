//! Outcomes of single items, as runs kept them beside their results: read, held to these, paired for two models, and made into
//! what the means of a board are worth.
//!
//! What a row of a file is follows from the type of its task (`docs/outcomes.md`).

mod board_items;
mod files;
mod origin;
mod read_side;
mod side;
mod unit_outcomes;

pub use board_items::add_item_statistics;
pub use files::OutcomeFiles;
pub use mteb_items::outcomes::Items;
pub use unit_outcomes::leave_out_contradicted;
