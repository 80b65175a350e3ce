//! Times a search over bits; the benchmark `cargo xtask bench bits` runs it.
//!
//! usage: bits_speed FOLDER DIMENSION DEPTH ROUNDS
//!
//! `FOLDER` holds `queries.f32` and `documents.f32`, raw little-endian rows; their bits are in memory when the clock starts. Writes
//! the distances (i32, nearest first, `DEPTH` a query) to `mteb-host.distances`, and prints the seconds of each round as JSON.

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use mteb_measures::ranking::DocumentIds;
use mteb_search::{Bits, HammingSearch};

/// Rows that are read at a time.
const ROWS: usize = 10_000;

/// Digits of a document's id.
const WIDTH: usize = 8;

/// Ids of equal width in one text: the documents' numbers.
struct Ids(String);

impl DocumentIds for Ids {
    fn id(&self, document: u32) -> &str {
        &self.0[WIDTH * document as usize..][..WIDTH]
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, dimension, depth, rounds] = args.as_slice() else {
        return Err("usage: bits_speed FOLDER DIMENSION DEPTH ROUNDS".into());
    };
    let (folder, dimension, depth) = (PathBuf::from(folder), dimension.parse()?, depth.parse()?);
    let documents = bits(&folder.join("documents.f32"), dimension)?;
    let queries = bits(&folder.join("queries.f32"), dimension)?;
    let floors = vec![f32::NEG_INFINITY; queries.rows()];
    let search = HammingSearch::new(queries, depth);
    let ids = Ids((0..documents.rows()).map(|document| format!("{document:0WIDTH$}")).collect());
    let (mut seconds, mut distances) = (Vec::new(), Vec::new());
    for _ in 0..rounds.parse()? {
        let begin = Instant::now();
        let found = search.best(&documents, 0, &ids, &floors)?;
        seconds.push(begin.elapsed().as_secs_f64());
        distances = found.concat().iter().map(|&(_, score)| -score as i32).collect();
    }
    std::fs::write(folder.join("mteb-host.distances"), bytemuck::cast_slice(&distances))?;
    println!("{}", serde_json::json!({ "seconds": seconds }));
    Ok(())
}

/// The bits of the rows in a file, which need not fit into memory.
fn bits(path: &Path, dimension: usize) -> Result<Bits, Box<dyn Error>> {
    let mut file = BufReader::new(File::open(path)?);
    let mut bits = Bits::new(&[], dimension);
    let mut rows = vec![0.0f32; ROWS * dimension];
    loop {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut rows);
        let mut filled = 0;
        while filled < bytes.len() {
            match file.read(&mut bytes[filled..])? {
                0 => break,
                count => filled += count,
            }
        }
        bits.extend(&rows[..filled / size_of::<f32>()]);
        if filled < ROWS * dimension * size_of::<f32>() {
            return Ok(bits);
        }
    }
}
