//! A file of a repository as the hub lists it.

use serde::{Deserialize, Serialize};

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
