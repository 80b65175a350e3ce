//! A file of a repository as the hub lists it.

use serde::{Deserialize, Serialize};

/// A file of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteFile {
    /// Path inside the repository.
    pub path: String,
    /// Bytes.
    pub size: u64,
}
