//! Fetches datasets and models of the hub into the cache that the ecosystem shares.
//!
//! A file that any tool has put there is used as it is. What is fetched is checked for size, and for its hash where the
//! hub gives one, before it is named; a download that was cut goes on where it stopped, and a machine without network
//! reads what is there. What a hub says is never believed to be a place: names are checked before they become paths.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod access;
mod cache;
mod certificates;
mod client;
mod commit;
mod download;
mod error;
mod etag;
mod hub;
mod kept_lists;
mod listing;
mod model_files;
mod names;
mod pace;
mod place;
mod progress;
mod proxy;
mod remote;
pub mod reply;
mod repository;
mod request;
mod retry;
mod setting_error;
mod watched;

pub use access::Access;
pub use error::HubError;
pub use hub::Hub;
pub use kept_lists::KeptLists;
pub use model_files::{code_files, model_files};
pub use progress::{Brought, NoReport, Progress, Report};
pub use remote::listed_files;
pub use repository::{Kind, RemoteFile, Repository};
pub use setting_error::SettingError;
