//! Builds mteb-host with its default plugins, and starts it.

pub mod build;
pub mod command;
pub mod lint;
pub mod paths;
