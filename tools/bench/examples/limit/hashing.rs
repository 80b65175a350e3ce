//! What is hashed: texts for the keys of the cache of embeddings, and data files for locks.

use std::fs::{self, File};

use mteb_cache::Key;
use mteb_measures::random::SplitMix64;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::{Ceiling, Fault, Ground, Part, Work, group_digits, made};

const BLAKE3: &str = "BLAKE3";
const SHA256: &str = "SHA-256, one thread";

const TEXTS: usize = 100_000;
const WORDS: usize = 40;
const BYTES: usize = 64 << 20;

/// Bytes that one thread hashes at a time for the ceiling: about the length of a text, as a hash of more has more to do at once.
const PIECE: usize = 256;

/// The ceilings and the parts.
pub fn prepare(ground: &Ground) -> Result<(Vec<Ceiling>, Vec<Part>), Fault> {
    let bytes = vec![7u8; ground.size(BYTES)];
    let file = ground.path("data.bin");
    fs::write(&file, &bytes)?;
    let amount = bytes.len() as f64;
    let data = Part {
        name: "hash, a data file",
        what: format!("{:.1} MB", amount / 1e6),
        needs: vec![(SHA256, amount)],
        work: Box::new(move || Ok(mteb_files::sha256(File::open(&file)?)?.len())),
    };
    let whole = bytes.clone();
    let sha: Work = Box::new(move || Ok(Sha256::digest(&whole).len()));
    let blake: Work = Box::new(move || {
        Ok(bytes.par_chunks(PIECE).map(|piece| usize::from(blake3::hash(piece).as_bytes()[0]) + 1).sum())
    });
    let ceilings = vec![
        Ceiling { name: BLAKE3, unit: "bytes", amount, work: blake },
        Ceiling { name: SHA256, unit: "bytes", amount, work: sha },
    ];
    Ok((ceilings, vec![keys(ground), data]))
}

/// The keys of texts.
fn keys(ground: &Ground) -> Part {
    let mut random = SplitMix64::new(9);
    let count = ground.size(TEXTS);
    let texts: Vec<String> = (0..count).map(|_| made::text(&mut random, WORDS)).collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    Part {
        name: "hash, keys of texts",
        what: format!("{} texts, {:.1} MB", group_digits(count), bytes as f64 / 1e6),
        needs: vec![(BLAKE3, bytes as f64)],
        work: Box::new(move || {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            Ok(Key::of_texts(&[0; 32], 0, "", &texts).len())
        }),
    }
}
