//! Plugins: where they are found, how they are checked, and the worker processes that run them.

mod catalog;
mod child;
mod confine;
mod death;
mod directories;
pub mod frame;
mod lock;
mod message;
mod model;
mod pack;
mod patience;
mod patient;
mod process;
mod serve;
mod shared_memory;
mod temporary;
mod trust;

pub use catalog::{Catalog, Plugin, checksum};
pub use child::{Answering, Silence};
pub use confine::confine;
pub use death::Death;
pub use directories::{PluginDirectory, directories};
pub use lock::{LOCK_FILE, Lock};
pub use message::Request;
pub use model::ModelClient;
pub use pack::PackClient;
pub use patience::Patience;
pub use process::{Start, Worker, WorkerError};
pub use serve::serve;
pub use trust::{Trust, trust_file};
