//! Finds registries, reads them and the cards that they name, and knows where the data of a card
//! is.

pub mod beside;
pub mod cards;
pub mod folder;
pub mod load;
pub mod lock;
pub mod model_cards;
pub mod named;
pub mod named_cards;
pub mod pack_entries;
pub mod place;
pub mod reader;
pub mod source;
pub mod text;
