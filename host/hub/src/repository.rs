//! What a repository of the hub is called, and the name of a commit: 40 hex digits, and nothing
//! that could lead elsewhere as a path.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a repository holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Texts and labels.
    Dataset,
    /// Weights and a tokenizer.
    Model,
}

/// A repository at one revision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Repository {
    /// What it holds.
    pub kind: Kind,
    /// Its name, as `organisation/name`.
    pub id: String,
    /// A commit of 40 hex digits, a branch or a tag.
    pub revision: String,
}

impl Repository {
    /// The dataset `id` at `revision`.
    pub fn dataset(id: &str, revision: &str) -> Self {
        Self { kind: Kind::Dataset, id: id.to_owned(), revision: revision.to_owned() }
    }

    /// The model `id` at `revision`.
    pub fn model(id: &str, revision: &str) -> Self {
        Self { kind: Kind::Model, id: id.to_owned(), revision: revision.to_owned() }
    }

    /// True if the revision is a commit, so that what it holds can never change.
    pub fn is_pinned(&self) -> bool {
        self.revision.len() == 40 && self.revision.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    /// The repository as the ecosystem's cache names it.
    pub(crate) fn named(&self) -> hf_hub::Repo {
        let kind = match self.kind {
            Kind::Dataset => hf_hub::RepoType::Dataset,
            Kind::Model => hf_hub::RepoType::Model,
        };
        hf_hub::Repo::with_revision(self.id.clone(), kind, self.revision.clone())
    }
}

impl fmt::Display for Repository {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Dataset => "dataset",
            Kind::Model => "model",
        };
        write!(formatter, "{kind} {} at {}", self.id, self.revision)
    }
}

/// A file of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteFile {
    /// Path inside the repository.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Hash of the bytes as the list has it: SHA-256 of a large file, git's of a small one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

/// A commit; a text of any other form is none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Commit(String);

impl Commit {
    /// The commit that `text` names, in lower case.
    pub fn parse(text: &str) -> Option<Self> {
        let is_commit = text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_commit.then(|| Self(text.to_ascii_lowercase()))
    }

    /// Its 40 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Commit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A repository at a commit: what its files hold never changes.
#[derive(Clone, Debug)]
pub(crate) struct AtCommit {
    /// As it was asked for, perhaps by the name of a branch.
    pub repository: Repository,
    /// What that stands for.
    pub commit: Commit,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_forty_hex_digits_are_a_commit() {
        let digits = "0123456789ABCDEF0123456789abcdef01234567";
        assert_eq!(Commit::parse(digits).unwrap().as_str(), digits.to_lowercase());
        for text in
            ["", "main", "../../..", &digits[1..], &format!("{digits}0"), &format!("{}/", &digits[1..])]
        {
            assert_eq!(Commit::parse(text), None, "{text}");
        }
    }
}
