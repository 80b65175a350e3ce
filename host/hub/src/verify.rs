//! Checks that bytes are those that the hub announced: the name of a blob is the hash of its bytes.

use std::io::{self, Read};
use std::path::Path;

use sha1::Sha1;
use sha2::{Digest, Sha256};

/// The hash of the file in the form of `etag`: SHA-256 for 64 hex digits (large files), git's blob hash for 40;
/// `None` for an etag of another form, which says nothing about the bytes.
pub(crate) fn hash_like(etag: &str, path: &Path) -> io::Result<Option<String>> {
    let is_hex = etag.bytes().all(|byte| byte.is_ascii_hexdigit());
    match etag.len() {
        64 if is_hex => digest(Sha256::new(), path).map(Some),
        40 if is_hex => {
            let mut hasher = Sha1::new();
            hasher.update(format!("blob {}\0", path.metadata()?.len()).as_bytes());
            digest(hasher, path).map(Some)
        }
        _ => Ok(None),
    }
}

fn digest<D: Digest>(mut hasher: D, path: &Path) -> io::Result<String> {
    let mut file = mteb_files::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => hasher.update(&buffer[..read]),
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
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
