//! Checksums of sections, made by all threads.

use rayon::prelude::*;

/// Bytes that one thread takes at a time.
const CHUNK: usize = 1 << 20;

/// The BLAKE3 hash of the BLAKE3 hashes of every [`CHUNK`] of `bytes`, in hexadecimal digits.
pub fn checksum(bytes: &[u8]) -> String {
    let hashes: Vec<[u8; 32]> =
        bytes.par_chunks(CHUNK).map(|chunk| *blake3::hash(chunk).as_bytes()).collect();
    blake3::hash(hashes.as_flattened()).to_hex().to_string()
}
