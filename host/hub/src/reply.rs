//! What a hub says in a line: names of commits, hashes, addresses of pages. For tools that give the readers of them damaged lines.

use crate::client::next_page;
use crate::commit::Commit;
use crate::etag::Etag;

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
