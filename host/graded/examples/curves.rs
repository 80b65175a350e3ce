//! How long the curves of a whole study take: `cargo xtask bench curves`, or by itself `cargo run --release -p mteb-graded --example curves [FOLDER]`.
//!
//! 128 systems, 24 datasets, 3 judges, 1,000 queries each, depth 100, made data. Rankings are read from files, one a dataset, as numbers of
//! pool documents (4 bytes each); the time of making them is not counted. In FOLDER the last dataset is left for another program to measure:
//! `ranks` (systems × queries × depth, u32) and `grades` (judges × queries × pool, f64), little-endian.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use mteb_graded::evaluate::{Grades, Ranks, Unjudged, curves};
use mteb_measures::random::Generator;

const SYSTEMS: usize = 128;
const DATASETS: usize = 24;
const JUDGES: usize = 3;
const QUERIES: usize = 1000;
const DEPTH: usize = 100;
const POOL: usize = 400;

fn main() -> Result<(), Box<dyn Error>> {
    let kept = std::env::args().nth(1);
    let folder = tempfile::tempdir()?;
    let mut generator = Generator::new(22);
    let (mut reading, mut measuring, mut last, mut checks) =
        (Duration::ZERO, Duration::ZERO, Duration::ZERO, Vec::new());
    for dataset in 0..DATASETS {
        let file = folder.path().join(format!("{dataset}.ranks"));
        write(&file, &mut generator)?;
        let grades: Vec<Grades> = (0..JUDGES).map(|_| grades(&mut generator)).collect();
        let begin = Instant::now();
        let systems = read(&file)?;
        reading += begin.elapsed();
        let begin = Instant::now();
        let found = curves(&systems, &grades, &[6.0, 7.0, 6.5], Unjudged::Zero);
        last = begin.elapsed();
        measuring += last;
        checks = found[0].iter().flat_map(|curves| [curves.ndcg[9], curves.recall[99]]).collect();
        if let Some(kept) = kept.as_ref().filter(|_| dataset + 1 == DATASETS) {
            fs::copy(&file, Path::new(kept).join("ranks"))?;
            let values = grades.iter().flat_map(Grades::values);
            let bytes: Vec<u8> = values.flat_map(|value| value.to_le_bytes()).collect();
            fs::write(Path::new(kept).join("grades"), bytes)?;
        }
        fs::remove_file(file)?;
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"))
        .unwrap_or("0");
    println!(
        "{{\"reading\": {}, \"measuring\": {}, \"last\": {}, \"peak_kb\": {peak}, \"checks\": {checks:?}}}",
        reading.as_secs_f64(),
        measuring.as_secs_f64(),
        last.as_secs_f64()
    );
    Ok(())
}

fn write(file: &Path, generator: &mut Generator) -> std::io::Result<()> {
    let mut bytes = Vec::with_capacity(SYSTEMS * QUERIES * DEPTH * 4);
    for _ in 0..SYSTEMS * QUERIES {
        // A stride without a common divisor with the size of the pool visits no document twice.
        let (start, stride) =
            (generator.next_u32() as usize, [1, 3, 7, 9, 11, 13][generator.next_u32() as usize % 6]);
        for rank in 0..DEPTH {
            bytes.extend((((start + rank * stride) % POOL) as u32).to_le_bytes());
        }
    }
    fs::write(file, bytes)
}

fn read(file: &Path) -> std::io::Result<Vec<Ranks>> {
    let bytes = fs::read(file)?;
    let places: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    Ok(places.chunks(QUERIES * DEPTH).map(|system| Ranks::new(system.chunks(DEPTH))).collect())
}

/// One tenth is relevant, a fifth has some gain, the rest none.
fn grades(generator: &mut Generator) -> Grades {
    let mut grade = || match generator.random_f64() {
        share if share < 0.1 => 6.0 + 4.0 * generator.random_f64(),
        share if share < 0.3 => 6.0 * generator.random_f64(),
        _ => 0.0,
    };
    let values = (0..QUERIES * POOL).map(|_| grade()).collect();
    Grades::new((0..=QUERIES).map(|query| query * POOL).collect(), values)
}
