//! Times files that are parsed, recorded, and read from the record: `cargo run --release --example parse_speed FILE…`.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use mteb_data::mapped::{Recorded, Recorder};
use mteb_data::{Wanted, open_rows};

/// The quickest of so many counts.
const TIMES: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        let (path, record) = (Path::new(&path), std::env::temp_dir().join("parse_speed.table"));
        let place = path.display().to_string();
        let parse = || open_rows(path, &Wanted::All)?.read_rows(usize::MAX);
        let table = parse()?;
        let parsing = quickest(|| parse().map(drop))?;
        let recording = quickest(|| {
            let mut recorder = Recorder::new(BufWriter::new(File::create(&record)?), "k");
            recorder.add(&place, usize::MAX, &table)?;
            recorder.finish().map(drop)
        })?;
        let hashing =
            quickest(|| std::io::copy(&mut File::open(path)?, &mut blake3::Hasher::new()).map(drop))?;
        let mapping =
            quickest(|| Recorded::open(File::open(&record)?, "k")?.read(&place, usize::MAX).map(drop))?;
        let megabytes = table.memory() as f64 / 1e6;
        println!(
            "{place}: {megabytes:.1} MB of cells; parsed {parsing:.4} s, hashed {hashing:.4} s, recorded {recording:.4} s, read from the record {mapping:.4} s"
        );
        std::fs::remove_file(&record)?;
    }
    Ok(())
}

fn quickest<E>(mut run: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let mut best = f64::MAX;
    for _ in 0..TIMES {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}
