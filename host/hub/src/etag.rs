//! What a hub says identifies the bytes of a file, and the name that the cache gives them.

use std::io;
use std::path::Path;

use mteb_files::{digest, sha256};
use sha1::{Digest, Sha1};

/// Longest name of bytes.
const LONGEST: usize = 128;

/// An ETag that can name a file: letters, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Etag(String);

impl Etag {
    /// The ETag of a header, without what says that it is a weak one, and without quotation marks. A hash is written in small
    /// letters, as every tool writes it that shares the cache.
    pub fn parse(header: &str) -> Option<Self> {
        let text = header.trim().trim_start_matches("W/").trim_matches('"');
        let is_name = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        (is_name && !text.is_empty() && text.len() <= LONGEST)
            .then(|| Self(if is_hash(text) { text.to_ascii_lowercase() } else { text.to_owned() }))
    }

    /// The name of the bytes.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True if it is a hash, so that bytes can be checked by it.
    pub fn is_hash(&self) -> bool {
        is_hash(&self.0)
    }

    /// The hash `listed` if it is of the same kind as this one, and another.
    pub fn contradiction<'a>(&self, listed: &'a str) -> Option<&'a str> {
        let is_other = self.is_hash()
            && is_hash(listed)
            && self.0.len() == listed.len()
            && !self.0.eq_ignore_ascii_case(listed);
        is_other.then_some(listed)
    }

    /// The hash by which bytes can be checked: this one, else the one `listed`, if that is a hash.
    pub fn hash_or<'a>(&'a self, listed: Option<&'a str>) -> Option<&'a str> {
        if self.is_hash() { Some(&self.0) } else { listed.filter(|listed| is_hash(listed)) }
    }
}

/// True for a SHA-256 and for a hash of git.
fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The hash of the file at `path`, of the kind of `hash`, if it is another one.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn other_hash(hash: &str, path: &Path) -> std::io::Result<Option<String>> {
    Ok(hash_like(hash, path)?.filter(|found| !found.eq_ignore_ascii_case(hash)))
}

/// The hash of the file in the form of `etag`: SHA-256 for 64 hex digits (large files), git's blob hash for 40;
/// `None` for an etag of another form, which says nothing about the bytes.
pub(crate) fn hash_like(etag: &str, path: &Path) -> io::Result<Option<String>> {
    let is_hex = etag.bytes().all(|byte| byte.is_ascii_hexdigit());
    match etag.len() {
        64 if is_hex => sha256(mteb_files::open(path)?).map(Some),
        40 if is_hex => {
            let mut hasher = Sha1::new();
            hasher.update(format!("blob {}\0", path.metadata()?.len()).as_bytes());
            digest(hasher, mteb_files::open(path)?).map(Some)
        }
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hashes_of_one_kind_contradict_each_other() {
        let (git, other, sha256) = ("a".repeat(40), "b".repeat(40), "c".repeat(64));
        let etag = Etag(git.clone());
        assert_eq!(etag.contradiction(&other), Some(other.as_str()));
        assert_eq!(
            [git.to_uppercase(), sha256, "x".repeat(40)].map(|hash| etag.contradiction(&hash).is_some()),
            [false; 3]
        );
        let nameless = Etag("abc-1".to_owned());
        assert_eq!(nameless.contradiction(&other), None);
        assert_eq!(nameless.hash_or(Some(&other)), Some(other.as_str()));
        assert_eq!([nameless.hash_or(Some("v2")), nameless.hash_or(None)], [None, None]);
        assert_eq!(etag.hash_or(Some(&other)), Some(git.as_str()));
    }

    #[test]
    fn an_etag_names_a_file_or_is_none() {
        let parsed = |header: &str| Etag::parse(header).map(|etag| etag.as_str().to_owned());
        assert_eq!(parsed("W/\"abc-1\"").as_deref(), Some("abc-1"));
        assert_eq!(
            [parsed(&"AB".repeat(32)), parsed("ABC")],
            [Some("ab".repeat(32)), Some("ABC".to_owned())]
        );
        for header in ["", "\"\"", "../x", "a/b", "a.lock", "a b", &"a".repeat(129)] {
            assert_eq!(parsed(header), None, "{header}");
        }
        assert!(Etag::parse(&"a".repeat(64)).unwrap().is_hash());
        assert!(!Etag::parse("abc-1").unwrap().is_hash());
    }

    #[test]
    fn hashes_are_those_of_sha256sum_and_git_hash_object() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "hello\n").unwrap();
        let hash = |digits: usize| hash_like(&"0".repeat(digits), &path).unwrap();
        let sha256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
        assert_eq!(hash(64).as_deref(), Some(sha256));
        assert_eq!(hash(40).as_deref(), Some("ce013625030ba8dba906f756967f9e9ca394464a"));
        assert_eq!(hash(32), None);
    }
}
