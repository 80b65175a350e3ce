//! The hot paths of the host, for `cargo xtask bench instructions`: `hot_paths` lists them, `hot_paths NAME FOLDER` runs one.
//!
//! Each path prepares its input from fixed seeds in `FOLDER`. Then `counted_work`, the one function whose
//! instructions callgrind counts, does the work. Everything runs in the main thread, because callgrind decides for
//! each thread whether it counts.

mod computing;
mod files;
mod made;

use std::error::Error;
use std::hint::black_box;
use std::path::Path;

/// Why a path could not run.
type Fault = Box<dyn Error>;

/// Prepared work. It gives how much it found, which is never 0.
type Work = Box<dyn FnMut() -> Result<usize, Fault>>;

/// A path: it prepares its input in the folder.
type HotPath = fn(&Path) -> Result<Work, Fault>;

const PATHS: [(&str, HotPath); 10] = [
    ("bm25", computing::bm25),
    ("exact_search", computing::exact_search),
    ("hashing_encoder", computing::hashing_encoder),
    ("k_means", computing::k_means),
    ("logistic_regression", computing::logistic_regression),
    ("parse_jsonl", files::parse_jsonl),
    ("parse_parquet", files::parse_parquet),
    ("ranking_measures", computing::ranking_measures),
    ("read_cards", files::read_cards),
    ("read_results", files::read_results),
];

fn main() -> Result<(), Fault> {
    // Newer versions of valgrind may know AVX-512; the counts are those of AVX2.
    mteb_search::pretend_avx2();
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.as_slice() {
        [] => PATHS.iter().for_each(|(name, _)| println!("{name}")),
        [name, folder] => {
            let (_, prepare) =
                PATHS.iter().find(|(known, _)| known == name).ok_or("there is no such path")?;
            let mut work = prepare(Path::new(folder))?;
            let found = counted_work(&mut work)?;
            if found == 0 {
                return Err("expected to find something, found nothing".into());
            }
            println!("{found}");
        }
        _ => return Err("usage: hot_paths [NAME FOLDER]".into()),
    }
    Ok(())
}

/// Does the work. callgrind counts from here on until this returns.
#[inline(never)]
fn counted_work(work: &mut Work) -> Result<usize, Fault> {
    // What is left to do here keeps the call from becoming a jump, after which callgrind would find no return.
    black_box(work())
}
