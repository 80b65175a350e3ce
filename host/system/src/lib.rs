//! What each operating system does in its own way. Everything that only Linux has stands here, beside a twin for other systems that
//! does what can be done there: nobody else asks which system this is.

pub mod confine;
pub mod graphics_cards;
mod lacking;
pub mod machine;
pub mod memory_file;
pub mod parent;
pub mod process;
pub mod tile_data;

pub use lacking::lacking;
