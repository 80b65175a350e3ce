//! Memory of retrieval: a made corpus of two sizes through the real binary, and the most memory its processes held.

mod corpus;
mod watch;

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use crate::bench::{variable, write};
use crate::build::release;
use crate::command::{root, target_folder};
use watch::{Peaks, watch};

/// Documents of the corpora, unless `MTEB_DOCUMENTS` says otherwise.
const DOCUMENTS: [usize; 2] = [200_000, 2_000_000];

/// One run.
struct Row {
    documents: usize,
    text_bytes: u64,
    peaks: Peaks,
    seconds: f64,
}

/// Runs the benchmark and writes its table.
pub fn memory() -> Result<ExitCode, String> {
    release()?;
    let rows = sizes()?.into_iter().map(measure).collect::<Result<Vec<_>, _>>()?;
    let table = markdown(&rows);
    println!("{table}");
    write(&root().join("docs/benchmarks.md"), "memory", &table)?;
    Ok(ExitCode::SUCCESS)
}

fn sizes() -> Result<Vec<usize>, String> {
    let Some(given) = variable("MTEB_DOCUMENTS") else { return Ok(DOCUMENTS.to_vec()) };
    let given = given.to_string_lossy().into_owned();
    let number = |text: &str| text.trim().parse().ok();
    let numbers: Option<Vec<usize>> = given.split(',').map(number).collect();
    numbers.ok_or_else(|| format!("MTEB_DOCUMENTS: expected numbers with commas between, found {given}"))
}

fn measure(documents: usize) -> Result<Row, String> {
    let folder = target_folder().join("bench/memory").join(documents.to_string());
    let text_bytes = corpus::write(&folder, documents)
        .map_err(|error| format!("{}: cannot write the corpus: {error}", folder.display()))?;
    let begin = Instant::now();
    let peaks = run(&folder)?;
    Ok(Row { documents, text_bytes, peaks, seconds: begin.elapsed().as_secs_f64() })
}

/// Runs the host on the corpus in `folder`, with a cache of its own that is empty at the start.
fn run(folder: &Path) -> Result<Peaks, String> {
    let cache = folder.join("cache");
    if cache.exists() {
        std::fs::remove_dir_all(&cache).map_err(|error| format!("{}: {error}", cache.display()))?;
    }
    let mut command = Command::new(target_folder().join("release").join("mteb-host"));
    command.args(["run", "--model", "hashing", "--overwrite", "always", "--quiet"]);
    command.arg("--registry").arg(folder.join("memory.toml"));
    command.arg("--output-folder").arg(folder.join("results"));
    command.env("MTEB_HOST_CACHE", &cache).stdout(Stdio::null());
    let mut host = command.spawn().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let (peaks, status) = watch(&mut host).map_err(|error| format!("cannot watch the host: {error}"))?;
    if status.success() { Ok(peaks) } else { Err(format!("{command:?} failed: {status}")) }
}

fn markdown(rows: &[Row]) -> String {
    let mut text = format!(
        "Machine: {}.\n\n| documents | text, MB | host, MB | host without mapped pages, MB | worker, MB | seconds |\n\
         |---:|---:|---:|---:|---:|---:|\n",
        crate::bench::machine()
    );
    for Row { documents, text_bytes, peaks: Peaks { host, host_own, worker }, seconds } in rows {
        let [text_size, host, own, worker] =
            [*text_bytes, *host, *host_own, *worker].map(|bytes| bytes / 1_000_000);
        text += &format!("| {documents} | {text_size} | {host} | {own} | {worker} | {seconds:.0} |\n");
    }
    text
}
