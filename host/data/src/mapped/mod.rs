//! Rows that were parsed before, in a form that is mapped into memory and not parsed again.
//!
//! A file of this form holds, piece after piece, what one reader gave for one data file: [`Recorder`] writes it,
//! [`Recorded`] gives the same tables again. Strings are not copied out of the map; numbers are, since they are few
//! beside the strings, and cells of any kind stand there as JSON. Where rows came from is kept too, but not the name of
//! the data file: what is recorded belongs to its content, wherever that lies.
//!
//! The pieces are of the sizes that were asked for when the file was parsed, because the type of a column may depend
//! on which rows are read together: who asks for other pieces parses.
//!
//! The form, little-endian, all sections aligned to 8 bytes: sections of cells, the head as JSON ([`head`]), then the
//! 56 bytes of the trailer: offset of the head, its length (`u64` each), its BLAKE3 hash (32 bytes), `MTEBTAB1`.

mod head;
mod map;
mod read;
mod write;

pub use head::{MAGIC, RecordFault};
pub(crate) use map::MappedTexts;
pub use read::Recorded;
pub use write::Recorder;

/// Says which readers made a record: it differs wherever their source or the crates that they use do.
pub const READERS: &str = env!("MTEB_DATA_READERS");
