//! The list of a repository's files as the hub gives it.

use std::collections::HashSet;
use std::time::Instant;

use serde::Deserialize;

use crate::client::Client;
use crate::names::check_file;
use crate::repository::AtCommit;
use crate::retry::with_retries;
use crate::{HubError, RemoteFile, Repository};

/// Most files of a repository.
const MOST_FILES: usize = 1_000_000;

/// Most pages of a list; the hub puts 1,000 files on one.
const MOST_PAGES: usize = 2_000;

/// Most bytes of one page.
const LONGEST_PAGE: usize = 64 << 20;

/// Longest time for the whole list, in longest silences.
const LONGEST_LIST: u32 = 20;

#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "type")]
    kind: String,
    path: String,
    #[serde(default)]
    size: u64,
    oid: Option<String>,
    lfs: Option<LargeFile>,
}

/// What the hub says of a file that does not lie in git itself.
#[derive(Deserialize)]
struct LargeFile {
    oid: Option<String>,
}

/// Every file of the repository, sorted by path.
///
/// # Errors
/// If the hub does not answer, or its list has no end, no form or no files that can be.
pub(crate) fn files(client: &Client, at: &AtCommit) -> Result<Vec<RemoteFile>, HubError> {
    let repository = &at.repository;
    let deadline = Instant::now() + LONGEST_LIST * client.asker.timeout();
    let mut list = List::default();
    let mut next: Option<String> = None;
    for _ in 0..MOST_PAGES {
        let page = with_retries(client, repository, "list of files", || {
            client.page(at, next.as_deref(), LONGEST_PAGE, deadline)
        })?;
        let had = list.entries;
        list.add(repository, &page.text)?;
        if page.next.is_none() && list.files.is_empty() {
            return Err(odd(repository, "expected files, found none"));
        }
        if page.next.is_none() {
            list.files.sort_by(|left, right| left.path.cmp(&right.path));
            return Ok(list.files);
        }
        if list.entries == had {
            return Err(odd(repository, "its pages repeat without end"));
        }
        if Instant::now() > deadline {
            return Err(odd(repository, "came too slowly to wait for its end"));
        }
        next = page.next;
    }
    Err(odd(repository, &format!("expected at most {MOST_PAGES} pages, found more")))
}

/// The files of a page of a list, as the hub sends it.
///
/// # Errors
/// If it is no such list, or a name in it leads out of the repository.
pub fn listed_files(repository: &Repository, page: &[u8]) -> Result<Vec<RemoteFile>, HubError> {
    let mut list = List::default();
    list.add(repository, page)?;
    Ok(list.files)
}

#[derive(Default)]
struct List {
    files: Vec<RemoteFile>,
    paths: HashSet<String>,
    entries: usize,
}

impl List {
    fn add(&mut self, repository: &Repository, page: &[u8]) -> Result<(), HubError> {
        let entries: Vec<Entry> =
            serde_json::from_slice(page).map_err(|error| no_list(repository, page, &error))?;
        for Entry { kind, path, size, oid, lfs } in entries {
            if !self.paths.insert(path.clone()) {
                continue;
            }
            self.entries += 1;
            if self.entries > MOST_FILES {
                return Err(odd(repository, &format!("expected at most {MOST_FILES} files, found more")));
            }
            if kind == "file" {
                check_file(repository, &path)?;
                self.files.push(RemoteFile { path, size, hash: lfs.and_then(|lfs| lfs.oid).or(oid) });
            }
        }
        Ok(())
    }
}

fn no_list(repository: &Repository, page: &[u8], error: &serde_json::Error) -> HubError {
    let text = String::from_utf8_lossy(&page[..page.len().min(400)]).into_owned();
    let found =
        if text.trim_start().starts_with('<') { "a web page (HTML)".to_owned() } else { error.to_string() };
    odd(repository, &format!("expected JSON, found {found}"))
}

fn odd(repository: &Repository, message: &str) -> HubError {
    HubError::Client(format!("{repository}: list of files: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(page: &str) -> Result<Vec<RemoteFile>, String> {
        let repository = Repository::dataset("lab/numbers", "main");
        listed_files(&repository, page.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_page_lists_files_and_folders() {
        let page =
            r#"[{"type":"directory","path":"data","size":0},{"type":"file","path":"data/a.csv","size":7}]"#;
        assert_eq!(read(page), Ok(vec![RemoteFile { path: "data/a.csv".to_owned(), size: 7, hash: None }]));
    }

    #[test]
    fn the_hash_of_a_large_file_is_that_of_its_bytes() {
        let page = r#"[{"type":"file","path":"a","size":1,"oid":"aa","lfs":{"oid":"bb","size":1}},
                       {"type":"file","path":"b","size":1,"oid":"cc"}]"#;
        let hashes = read(page).unwrap().into_iter().map(|file| file.hash.unwrap());
        assert_eq!(hashes.collect::<Vec<_>>(), ["bb", "cc"]);
    }

    #[test]
    fn what_is_no_list_is_named() {
        assert_eq!(
            read("<!DOCTYPE html>").unwrap_err(),
            "dataset lab/numbers at main: list of files: expected JSON, found a web page (HTML); check HF_ENDPOINT"
        );
        assert!(read("{}").unwrap_err().contains("expected JSON, found "));
        assert!(read(r#"[{"type":"file","path":"../a"}]"#).unwrap_err().contains("../a"));
    }
}
