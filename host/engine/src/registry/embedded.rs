//! The registries that are part of the binary.

/// Path below `registries/`, content, and the content as JSON, of every TOML file there; sorted by path.
pub const FILES: &[(&str, &str, Option<&str>)] = include!(concat!(env!("OUT_DIR"), "/registries.rs"));
