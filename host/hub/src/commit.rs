//! The name of a commit: 40 hex digits, and nothing that could lead elsewhere as a path.

use std::fmt;

use crate::Repository;

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
