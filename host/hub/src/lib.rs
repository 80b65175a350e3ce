//! Fetches datasets and models of the hub into the cache that the ecosystem shares.
//!
//! A file that any tool has put there is used as it is. What is fetched is checked for size, and for its hash where the
//! hub gives one, before it is named; a download that was cut goes on where it stopped, and a machine without network
//! reads what is there. What a hub says is never believed to be a place: names are checked before they become paths.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod access;
mod cache;
mod client;
mod download;
mod environment;
mod error;
mod etag;
mod hub;
mod kept_lists;
mod listing;
mod model_files;
mod names;
mod pace;
mod place;
mod remote;
mod repository;
mod request;
mod retry;

pub use access::Access;
pub use download::{Brought, NoReport, Progress, Report};
pub use environment::SettingError;
pub use error::HubError;
pub use hub::Hub;
pub use kept_lists::KeptLists;
pub use model_files::{code_files, model_files};
pub use remote::listed_files;
pub use repository::{Kind, RemoteFile, Repository};

pub mod reply {
    //! What a hub says in a line: names of commits, hashes, addresses of pages. For tools that give the readers of them damaged lines.

    use crate::client::next_page;
    use crate::etag::Etag;
    use crate::repository::Commit;

    /// The name of bytes in an `ETag` header, if it is one that can name a file.
    pub fn etag(header: &str) -> Option<String> {
        Etag::parse(header).map(|etag| etag.as_str().to_owned())
    }

    /// The commit in an `X-Repo-Commit` header or in the note of a branch, if it is one.
    pub fn commit(text: &str) -> Option<String> {
        Commit::parse(text.trim()).map(|commit| commit.as_str().to_owned())
    }

    /// The address of the next page in a `Link` header.
    pub fn page(header: &str) -> Option<String> {
        next_page(header)
    }
}
