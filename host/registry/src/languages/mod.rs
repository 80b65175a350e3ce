//! Languages as cards name them, and as people do.

pub mod language;
pub mod macrolanguages;
