//! The host's own sources of result files, for they are in no library.

#[path = "../../host/engine/src/results/json.rs"]
#[allow(dead_code, reason = "the host uses the rest")]
mod json;
#[path = "../../host/engine/src/results/result_file.rs"]
#[allow(dead_code, reason = "the host uses the rest")]
mod result_file;

pub use json::Json;
pub use result_file::ResultFile;

/// As the host's.
pub const PROTOCOL_VERSION: &str = "2.26.24";
