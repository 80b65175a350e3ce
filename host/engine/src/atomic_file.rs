//! Files that are either whole or absent, in folders that several processes may write to.

pub use mteb_files::{LockedFolder, write};
