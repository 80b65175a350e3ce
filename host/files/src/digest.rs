//! Hashes of what a file holds, read block by block, and hashes in hex digits.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// Bytes that are read at once.
const BLOCK: usize = 1 << 18;

/// SHA-256 of all that `reader` gives, as 64 hex digits.
///
/// # Errors
/// If it cannot be read.
pub fn sha256(reader: impl Read) -> io::Result<String> {
    digest(Sha256::new(), reader)
}

/// What `hasher`, which may have begun, comes to after all that `reader` gives, in hex digits.
///
/// # Errors
/// If it cannot be read.
pub fn digest<D: Digest>(mut hasher: D, mut reader: impl Read) -> io::Result<String> {
    let mut block = vec![0; BLOCK];
    loop {
        match reader.read(&mut block)? {
            0 => break,
            read => hasher.update(&block[..read]),
        }
    }
    Ok(hex(&hasher.finalize()))
}

/// `bytes` in lowercase hex digits, two a byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_sha256sum() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(&b"abc"[..]).unwrap(), expected);
    }

    #[test]
    fn every_byte_has_two_digits() {
        assert_eq!(hex(&[0, 9, 171, 255]), "0009abff");
    }
}
