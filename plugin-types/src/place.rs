//! Where rows and numbers lie in the memory that host and plugin share.

use serde::{Deserialize, Serialize};

/// Where something lies in the memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// First byte, a multiple of 64.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// How many rows there are.
    pub rows: u64,
    /// Numbers a row; 0 of JSON lines.
    #[serde(default)]
    pub dimension: u64,
}
