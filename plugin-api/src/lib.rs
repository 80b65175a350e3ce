//! The stable plugin interface of mteb-host.
//!
//! A plugin is a dynamic library. A **model plugin** implements [`v1::Model`] and ends with
//! [`export_model!`](crate::export_model); a **task pack** implements [`v1::TaskPack`] and ends with
//! [`export_task_pack!`](crate::export_task_pack). The host (feature `host`) opens libraries with
//! `v1::Library`. This crate does no input or output of its own, but for rows that it writes to the memory that a host names.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

#[cfg(feature = "schema")]
pub mod schema;
#[cfg(feature = "testkit")]
pub mod testkit;
pub mod v1;

/// The types that plugins and the host share.
pub use mteb_plugin_types as card;
pub use mteb_plugin_types::{
    Brackets, Identity, Loading, LoadingDtype, MODEL_OPTIONS, Manifest, ModelInfo, ModelOption, OptionType,
    PaddingSide, PluginKind, Prompts, RowForm, RowStep, Similarity, chosen_options, name_and_edition,
};
