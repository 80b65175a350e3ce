//! Names of files in the cache that are called by a hash.

use std::ffi::OsStr;
use std::path::Path;

/// True if `name` is `length` hexadecimal digits and then `.` and `ending`.
pub fn is_hash(name: &Path, length: usize, ending: &str) -> bool {
    let is_hex = |stem: &str| {
        stem.len() == length && stem.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let stem = name.file_stem().and_then(OsStr::to_str);
    stem.is_some_and(is_hex) && name.extension().unwrap_or_default() == ending
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_told_from_a_name() {
        let is_hash = |name: &str| is_hash(Path::new(name), 4, "rows");
        assert!(is_hash("/x/0af9.rows"));
        assert!(!is_hash("mine.rows") && !is_hash("0af9.row") && !is_hash("0AF9.rows") && !is_hash("0af9"));
    }
}
