//! Finds registries, reads them and the cards that they name, and knows where the data of a card is.

pub mod among_cards;
pub mod beside;
pub mod cards;
pub mod folder;
pub mod load;
pub mod loaded;
pub mod lock;
pub mod lock_use;
pub mod model_cards;
pub mod named;
pub mod named_cards;
pub mod near_files;
pub mod own_measures;
pub mod own_type;
pub mod pack_edition;
pub mod pack_entries;
pub mod place;
pub mod plain_path;
pub mod read_ahead;
pub mod reader;
pub mod source;
pub mod taken_tasks;
pub mod text;
