//! What a kept table is found by.

use std::path::Path;

use mteb_data::{Wanted, mapped};

/// The key of what is read first when `limit` rows with the `wanted` columns are asked of the file at `path`, whose
/// `content` has this hash: all that decides on what a reader gives, in hexadecimal digits.
pub fn key(content: &str, path: &Path, wanted: &Wanted, limit: usize) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    // The readers go by the suffix of the format and that of a compression behind it.
    let is_compressed = name.ends_with(".gz") || name.ends_with(".zst");
    let suffixes: Vec<&str> = name.rsplit('.').take(if is_compressed { 2 } else { 1 }).collect();
    let mut hasher = blake3::Hasher::new();
    let columns: Vec<&str> = match wanted {
        Wanted::All => Vec::new(),
        Wanted::Named(names) => names.iter().map(String::as_str).collect(),
    };
    let all = if matches!(wanted, Wanted::All) { "all" } else { "named" };
    let limit = limit.to_string();
    for part in [mapped::READERS, content, &limit, all].into_iter().chain(suffixes).chain(columns) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}
