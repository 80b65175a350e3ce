//! Fetches datasets and models of the hub into the cache that the ecosystem shares.
//!
//! A file that any tool has put there is used as it is. What is fetched is checked for size and hash before it is
//! named, a download that was cut goes on where it stopped, and a machine without network reads what is there.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod access;
mod cache;
mod client;
mod download;
mod error;
mod hub;
mod listing;
mod model_files;
mod patience;
mod progress;
mod remote;
mod repository;
mod verify;

pub use access::Access;
pub use error::HubError;
pub use hub::Hub;
pub use model_files::model_files;
pub use progress::{NoReport, Progress, Report};
pub use remote::RemoteFile;
pub use repository::{Kind, Repository};
