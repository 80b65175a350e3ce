//! Where the registries of mteb-host lie, for the build script that makes them a part of the program.

/// The folder of this package: `mteb.toml`, `cards/`, `models/` and the others are in it.
pub const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// The manifest of this package, which is no registry.
pub const MANIFEST: &str = "Cargo.toml";
