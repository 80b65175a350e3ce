//! Evaluates text-embedding models: from registries and task cards to the scores of a model, on disk.
//!
//! The way of a run: [`settings`] say where things are; [`plugins`] finds plugins, [`registry`] finds tasks; [`model`] starts a
//! model in a worker; [`encode`] asks it for embeddings, which [`cache`] keeps; [`source`] brings the data of a task; [`run`] brings them
//! together and writes [`results`]. Nothing here prints or knows a terminal: who wants to see what happens gives an
//! [`Observer`].

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod atomic_file;
pub mod byte_size;
pub mod cache;
pub mod calendar;
pub mod encode;
mod identity;
pub mod interrupt;
pub mod leftover;
pub mod model;
mod observer;
pub mod parsing;
pub mod plugins;
pub mod registry;
pub mod results;
pub mod run;
pub mod settings;
pub mod source;
pub mod suggest;

pub use observer::{Observer, Silent};
