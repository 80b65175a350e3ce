//! What is asked of the hub, and what its answers mean.

use std::io::Read;
use std::time::Instant;

use crate::error::Failure;
use crate::etag::Etag;
use crate::pace::read_all;
use crate::repository::{AtCommit, Commit};
use crate::request::{Asker, MOST_REDIRECTS, header, is_other_part, is_part, place};
use crate::{Access, HubError, Kind, Repository, SettingError};

/// Most bytes of an answer that is no file.
const LONGEST_ANSWER: usize = 64 << 20;

/// Asks the hub.
pub(crate) struct Client {
    pub asker: Asker,
}

/// What the hub says of a file before it is fetched.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Metadata {
    /// What names the bytes.
    pub etag: Etag,
    /// Bytes.
    pub size: u64,
}

/// The bytes of a file from some place on.
pub(crate) struct FileBody {
    /// Place of the first byte: 0 if the server sends the whole file although a part was asked for.
    pub start: u64,
    pub reader: Box<dyn Read>,
}

/// One page of a list, and the address of the next.
pub(crate) struct Page {
    pub text: Vec<u8>,
    pub next: Option<String>,
}

impl Client {
    pub fn new(access: &Access) -> Result<Self, SettingError> {
        Asker::new(access).map(|asker| Self { asker })
    }

    /// The commit that a branch or tag stands for.
    pub fn commit(&self, repository: &Repository) -> Result<Commit, Failure> {
        let revision = escape(&repository.revision, true);
        let url = format!("{}/revision/{revision}", self.api(repository));
        let response = self.asker.follow(&url, None, repository, "")?;
        let deadline = Instant::now() + 2 * self.asker.timeout();
        let text = read_all(response.into_body().into_reader(), LONGEST_ANSWER, deadline)?;
        let answer: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
        let found = answer["sha"].as_str().unwrap_or_default();
        Commit::parse(found)
            .ok_or_else(|| Failure::Final(other_commit(repository, "", "a commit of 40 hex digits", found)))
    }

    /// One page of the list of a repository's files, and the address of the next.
    pub fn page(
        &self,
        at: &AtCommit,
        next: Option<&str>,
        most: usize,
        deadline: Instant,
    ) -> Result<Page, Failure> {
        let first = format!("{}/tree/{}?recursive=true", self.api(&at.repository), at.commit);
        let url = next.unwrap_or(&first);
        let response = self.asker.follow(url, None, &at.repository, "")?;
        let next =
            header(&response, "link").and_then(|link| next_page(&link)).map(|next| absolute(&next, url));
        let text = read_all(response.into_body().into_reader(), most, deadline)?;
        Ok(Page { text, next })
    }

    /// Hash and size of a file, which must be of the commit that was asked for.
    pub fn metadata(&self, at: &AtCommit, file: &str) -> Result<Metadata, Failure> {
        let mut url = self.file_url(at, file);
        let mut commit = None;
        for _ in 0..MOST_REDIRECTS {
            let response = self.asker.request("HEAD", &url, None)?;
            commit = commit.or_else(|| header(&response, "x-repo-commit"));
            let linked = header(&response, "x-linked-etag");
            let next = self.asker.next(&response, &url)?;
            // A large file lies elsewhere; the hub says what it is before it sends us there.
            if let (Some(next), None) = (&next, &linked) {
                url.clone_from(next);
                continue;
            }
            if next.is_none() {
                self.asker.check(&response, &url, &at.repository, file)?;
            }
            let etag = linked.or_else(|| header(&response, "etag"));
            let size = header(&response, "x-linked-size").or_else(|| header(&response, "content-length"));
            let size = size.and_then(|size| size.parse().ok());
            let (Some(commit), Some(etag), Some(size)) = (commit, etag, size) else {
                return Err(unusual(&url, "`X-Repo-Commit`, `ETag` and `Content-Length`"));
            };
            if Commit::parse(&commit).as_ref() != Some(&at.commit) {
                let expected = format!("the commit {}", at.commit);
                return Err(Failure::Final(other_commit(&at.repository, file, &expected, &commit)));
            }
            let etag = Etag::parse(&etag)
                .ok_or_else(|| unusual(&url, "an `ETag` of letters, digits and hyphens"))?;
            return Ok(Metadata { etag, size });
        }
        Err(self.asker.too_many())
    }

    /// The bytes of `file` from place `start` on.
    pub fn body(&self, at: &AtCommit, file: &str, start: u64) -> Result<FileBody, Failure> {
        let url = self.file_url(at, file);
        let ask = |start: u64| self.asker.follow(&url, (start > 0).then_some(start), &at.repository, file);
        let (mut start, mut response) = match ask(start) {
            // The file ends where the rest was asked for: once more as a whole, and what then lacks is said.
            Err(Failure::Beyond) => (0, ask(0)?),
            response => (start, response?),
        };
        if start > 0 && is_other_part(&response, start) {
            // Bytes from anywhere would pass for the beginning.
            (start, response) = (0, ask(0)?);
        }
        if is_other_part(&response, start) {
            let found = header(&response, "content-range").unwrap_or_default();
            let message = format!("expected the whole file, found a part of it (`Content-Range: {found}`)");
            return Err(Failure::Passing(message));
        }
        let start = if is_part(&response, start) { start } else { 0 };
        Ok(FileBody { start, reader: Box::new(response.into_body().into_reader()) })
    }

    fn api(&self, repository: &Repository) -> String {
        let kind = match repository.kind {
            Kind::Dataset => "datasets",
            Kind::Model => "models",
        };
        format!("{}/api/{kind}/{}", self.asker.endpoint, repository.id)
    }

    fn file_url(&self, at: &AtCommit, file: &str) -> String {
        let kind = match at.repository.kind {
            Kind::Dataset => "datasets/",
            Kind::Model => "",
        };
        let (id, file) = (&at.repository.id, escape(file, false));
        format!("{}/{kind}{id}/resolve/{}/{file}", self.asker.endpoint, at.commit)
    }
}

fn other_commit(repository: &Repository, file: &str, expected: &str, found: &str) -> HubError {
    let place = if file.is_empty() { String::new() } else { format!("{file}: ") };
    let name = if file.is_empty() { "its answer" } else { "`X-Repo-Commit`" };
    HubError::Commit {
        repository: Box::new(repository.clone()),
        place: format!("{place}expected {expected} in {name} of the hub"),
        found: found.chars().take(80).collect(),
    }
}

fn unusual(url: &str, expected: &str) -> Failure {
    Failure::answer(format!("{url}: expected {expected} in the answer"))
}

/// The address of the next page in a `Link` header.
pub(crate) fn next_page(link: &str) -> Option<String> {
    let entry = link.split(',').find(|entry| entry.contains("rel=\"next\""))?;
    let (_, rest) = entry.split_once('<')?;
    rest.split_once('>').map(|(address, _)| address.to_owned())
}

/// The address that a `Link` header of the answer at `url` names, be it whole, from the root of that host, or beside `url`.
fn absolute(link: &str, url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    match link {
        _ if link.contains("://") => link.to_owned(),
        _ if link.starts_with('/') => format!("{}{link}", place(url)),
        _ if link.starts_with('?') => format!("{path}{link}"),
        _ => format!("{}/{link}", path.rsplit_once('/').map_or(path, |(folder, _)| folder)),
    }
}

/// Percent-encodes what has a meaning in an address; `/` too if it is one name.
fn escape(text: &str, one_name: bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => escaped.push(byte.into()),
            b'/' if !one_name => escaped.push('/'),
            byte => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_as_paths_or_as_one_part() {
        assert_eq!(escape("data/ind Latn#1.csv", false), "data/ind%20Latn%231.csv");
        assert_eq!(escape("refs/convert/parquet", true), "refs%2Fconvert%2Fparquet");
    }

    #[test]
    fn a_next_page_may_be_named_from_the_root_of_the_host() {
        let page = "https://hub/api/datasets/a/b/tree/c?recursive=true";
        assert_eq!(absolute("https://other/x?cursor=a", page), "https://other/x?cursor=a");
        assert_eq!(absolute("/api/x?cursor=a", page), "https://hub/api/x?cursor=a");
        assert_eq!(absolute("?cursor=a", page), "https://hub/api/datasets/a/b/tree/c?cursor=a");
        assert_eq!(absolute("d?cursor=a", page), "https://hub/api/datasets/a/b/tree/d?cursor=a");
        assert_eq!(absolute("//evil/x", page), "https://hub//evil/x", "no other host gets what is the hub's");
    }

    #[test]
    fn the_next_page_is_read_from_the_link() {
        let link = "<https://hub/api/x?cursor=a>; rel=\"next\", <https://hub/api/x>; rel=\"first\"";
        assert_eq!(next_page(link).as_deref(), Some("https://hub/api/x?cursor=a"));
        assert_eq!(next_page("<https://hub/api/x>; rel=\"first\""), None);
    }
}
