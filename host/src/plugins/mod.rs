//! Plugins: where they are found, how they are checked, and the worker processes that run them.

mod catalog;
mod directories;
mod frame;
mod lock;
mod message;
mod model;
mod pack;
mod process;
mod serve;
mod shared_memory;

pub use catalog::{Catalog, Plugin, checksum};
pub use directories::{PluginDirectory, directories};
pub use lock::{LOCK_FILE, Lock};
pub use message::Request;
pub use model::ModelClient;
pub use pack::PackClient;
pub use process::{Worker, WorkerError};
pub use serve::serve;
