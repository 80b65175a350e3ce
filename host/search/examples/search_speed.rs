//! Times a search over embeddings in files; the benchmark `cargo xtask bench search` runs it.
//!
//! usage: search_speed FOLDER DIMENSION DEPTH [cosine]
//!
//! `FOLDER` holds `queries.f32` and `documents.f32`, raw little-endian rows. The documents are read in chunks while the
//! clock runs. Writes the documents' numbers (u32, best first, `DEPTH` a query) to `mteb-host.ids` and their scores (f32)
//! to `mteb-host.scores`, and prints seconds of the clock and of the processor, the most resident memory and the kernels that
//! ran, each with the share of queries that it was asked (of every chunk of documents), as JSON. With `MTEB_ONLY_AVX2=1` in the environment nothing beyond AVX2 is used.

use std::error::Error;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use mteb_measures::ranking::DocumentIds;
use mteb_search::{Heap, Scored, Search, Similarity, compare};
use rayon::prelude::*;

/// Documents in memory at a time: the protocol's chunk.
const CHUNK: usize = 50_000;

/// Bytes that one read asks for.
const READ: usize = 1 << 20;

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
    if std::env::var_os("MTEB_ONLY_AVX2").is_some_and(|value| value == "1") {
        mteb_search::pretend_avx2();
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, dimension, depth, kind @ ..] = args.as_slice() else {
        return Err("usage: search_speed FOLDER DIMENSION DEPTH [cosine]".into());
    };
    let (folder, dimension, depth) = (PathBuf::from(folder), dimension.parse()?, depth.parse()?);
    let kind = if kind.is_empty() { Similarity::Dot } else { Similarity::Cosine };
    let queries = rows(&folder.join("queries.f32"))?;
    let documents = File::open(folder.join("documents.f32"))?;
    let count = documents.metadata()?.len() as usize / (size_of::<f32>() * dimension);
    let ids = Ids((0..count).map(|document| format!("{document:0WIDTH$}")).collect());
    let (begin, before) = (Instant::now(), processor()?);
    let search = Search::new(kind, queries, dimension, depth);
    let mut found = best(&search, &documents, (count, dimension), depth, &ids)?;
    let (seconds, processor) = (begin.elapsed().as_secs_f64(), processor()? - before);
    found.par_iter_mut().for_each(|found| found.sort_by(|&a, &b| compare(&ids, b, a)));
    let found = found.concat();
    let numbers: Vec<u32> = found.iter().map(|item| item.0).collect();
    let scores: Vec<f32> = found.iter().map(|item| item.1).collect();
    std::fs::write(folder.join("mteb-host.ids"), bytemuck::cast_slice(&numbers))?;
    std::fs::write(folder.join("mteb-host.scores"), bytemuck::cast_slice(&scores))?;
    let asked = (search.queries() * count.div_ceil(CHUNK)).max(1) as f64;
    let kernels: Vec<_> =
        search.ran().iter().map(|&(name, queries)| (name, queries as f64 / asked)).collect();
    println!(
        "{}",
        serde_json::json!({ "seconds": seconds, "processor": processor, "peak": peak()?, "kernels": kernels })
    );
    Ok(())
}

fn best(
    search: &Search,
    documents: &File,
    (count, dimension): (usize, usize),
    depth: usize,
    ids: &Ids,
) -> Result<Vec<Vec<Scored>>, Box<dyn Error>> {
    let mut heaps = vec![Heap::new(depth); search.queries()];
    let mut chunk = vec![0.0; CHUNK.min(count) * dimension];
    for first in (0..count).step_by(CHUNK) {
        let chunk = &mut chunk[..CHUNK.min(count - first) * dimension];
        read(documents, first * dimension * size_of::<f32>(), chunk)?;
        let floors: Vec<f32> = heaps.iter().map(Heap::floor).collect();
        let best = search.best(chunk, dimension, first as u32, ids, &floors)?;
        heaps.par_iter_mut().zip(best).for_each(|(heap, best)| {
            best.into_iter().for_each(|item| heap.push(ids, item));
        });
    }
    Ok(heaps.into_iter().map(Heap::into_items).collect())
}

fn rows(path: &Path) -> io::Result<Vec<f32>> {
    let file = File::open(path)?;
    let mut rows = vec![0.0; file.metadata()?.len() as usize / size_of::<f32>()];
    read(&file, 0, &mut rows)?;
    Ok(rows)
}

fn read(file: &File, start: usize, numbers: &mut [f32]) -> io::Result<()> {
    let parts = bytemuck::cast_slice_mut::<f32, u8>(numbers).par_chunks_mut(READ).enumerate();
    parts.try_for_each(|(index, part)| file.read_exact_at(part, (start + index * READ) as u64))
}

/// Seconds that all threads have worked.
fn processor() -> Result<f64, Box<dyn Error>> {
    let mut nanoseconds = 0;
    for thread in std::fs::read_dir("/proc/self/task")? {
        let text = std::fs::read_to_string(thread?.path().join("schedstat"))?;
        nanoseconds +=
            text.split_whitespace().next().ok_or("expected a number in schedstat")?.parse::<u64>()?;
    }
    Ok(nanoseconds as f64 / 1e9)
}

/// Most resident memory so far, in bytes.
fn peak() -> Result<u64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes =
        line.and_then(|line| line.split_whitespace().next()).ok_or("expected VmHWM in the status")?;
    Ok(kibibytes.parse::<u64>()? * 1024)
}
