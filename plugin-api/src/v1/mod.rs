//! Version 1 of the plugin interface. It is frozen: growth is a `v2` beside it, or a new method of `call`.

mod abi;
mod author;
mod error;
#[doc(hidden)]
pub mod export;
#[cfg(feature = "host")]
mod library;
mod macros;
mod mapped;
pub mod measure;
mod rows;
pub mod task_type;

pub use abi::VERSION;
pub use author::{LOADING, Model, ModelConfig, Role, Task, TaskPack};
pub use error::{PluginError, code};
#[cfg(feature = "host")]
pub use library::{Bundled, Library, ModelHandle, OpenError, TaskHandle};
pub use rows::{ENCODE_ROWS, EncodeRows, EncodedRows};
