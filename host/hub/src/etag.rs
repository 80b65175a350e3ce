//! What a hub says identifies the bytes of a file, and the name that the cache gives them.

use std::path::Path;

use crate::verify::hash_like;

/// Longest name of bytes.
const LONGEST: usize = 128;

/// An ETag that can name a file: letters, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Etag(String);

impl Etag {
    /// The ETag of a header, without what says that it is a weak one, and without quotation marks.
    pub fn parse(header: &str) -> Option<Self> {
        let text = header.trim().trim_start_matches("W/").trim_matches('"');
        let is_name = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        (is_name && !text.is_empty() && text.len() <= LONGEST).then(|| Self(text.to_owned()))
    }

    /// The name of the bytes.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True if it is a hash, so that bytes can be checked by it.
    pub fn is_hash(&self) -> bool {
        matches!(self.0.len(), 40 | 64) && self.0.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    /// The hash `listed` if it is of the same kind as this one, and another.
    pub fn contradiction<'a>(&self, listed: &'a str) -> Option<&'a str> {
        let listed = Self(listed.to_owned()).is_hash().then_some(listed)?;
        let is_other = self.is_hash() && self.0.len() == listed.len() && !self.0.eq_ignore_ascii_case(listed);
        is_other.then_some(listed)
    }

    /// The hash of the file at `path` if it is another one.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn other_hash(&self, path: &Path) -> std::io::Result<Option<String>> {
        Ok(hash_like(&self.0, path)?.filter(|hash| !hash.eq_ignore_ascii_case(&self.0)))
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
        assert_eq!(Etag("abc-1".to_owned()).contradiction(&other), None);
    }

    #[test]
    fn an_etag_names_a_file_or_is_none() {
        let parsed = |header| Etag::parse(header).map(|etag| etag.as_str().to_owned());
        assert_eq!(parsed("W/\"abc-1\"").as_deref(), Some("abc-1"));
        for header in ["", "\"\"", "../x", "a/b", "a.lock", "a b", &"a".repeat(129)] {
            assert_eq!(parsed(header), None, "{header}");
        }
        assert!(Etag::parse(&"a".repeat(64)).unwrap().is_hash());
        assert!(!Etag::parse("abc-1").unwrap().is_hash());
    }
}
