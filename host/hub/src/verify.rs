//! Checks that bytes are those that the hub announced: the name of a blob is the hash of its bytes.

use std::io;
use std::path::Path;

use mteb_files::{digest, sha256};
use sha1::Digest;
use sha1::Sha1;

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
