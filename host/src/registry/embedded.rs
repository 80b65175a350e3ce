//! The registries that are part of the binary.

/// Path below `registries/` and content of every TOML file there.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/registries.rs"));
