//! Version 1 of the plugin interface. It is frozen: growth is a `v2` beside it, or a new method of `call`.

mod abi;
#[cfg(feature = "host")]
mod bundled;
mod error;
#[doc(hidden)]
pub mod export;
mod handles;
#[cfg(feature = "host")]
mod library;
mod macros;
mod mapped;
pub mod measure;
mod model;
mod rankings;
mod rows;
mod task;
pub mod task_type;
mod version;

#[cfg(feature = "host")]
pub use bundled::Bundled;
pub use error::{PluginError, code};
#[cfg(feature = "host")]
pub use library::{Library, ModelHandle, OpenError, TaskHandle};
pub use model::{LOADING, Model, ModelConfig, Role};
pub use rows::{ENCODE_ROWS, EncodeRows, EncodedRows};
pub use task::{Task, TaskPack};
pub use version::VERSION;
