//! Memory of retrieval: a made corpus of two sizes through the real binary, and the most memory its processes held.

pub mod corpus;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use crate::bench::environment::variable;
use crate::bench::letters;
use crate::bench::sides::host_command as host;
use crate::measure::{Peaks, watch};
use xtask::document::put_table;
use xtask_start::build::release;
use xtask_start::command::{root, target_folder};

/// Documents of the corpora, unless `MTEB_DOCUMENTS` says otherwise.
const DOCUMENTS: [usize; 2] = [200_000, 2_000_000];

/// Queries of either corpus.
const QUERIES: usize = 300;

/// One run.
struct Row {
    documents: String,
    text_bytes: u64,
    peaks: Peaks,
    seconds: f64,
}

/// Runs the benchmark and writes its table.
pub fn memory() -> Result<ExitCode, String> {
    release()?;
    let measure = |documents| {
        let (folder, text_bytes) = made(documents)?;
        let mut command = on(&folder, host());
        measured(documents.to_string(), text_bytes, command.args(["--model", "hashing"]))
    };
    let rows = sizes()?.into_iter().map(measure).collect::<Result<Vec<_>, _>>()?;
    finish("memory", &rows)
}

/// The same with a model whose embeddings are kept, twice: all are encoded, then all are read.
pub fn memory_with_cache() -> Result<ExitCode, String> {
    release()?;
    let mut rows = Vec::new();
    for documents in sizes()? {
        let (folder, text_bytes) = made(documents)?;
        let plugins = letters::plugin(&folder.join("plugins"))?;
        for run in ["encoded", "from the cache"] {
            let mut command = on(&folder, letters::host());
            command.args(["--model", letters::MODEL, "--plugin-dir"]).arg(&plugins);
            rows.push(measured(format!("{documents}, {run}"), text_bytes, &mut command)?);
        }
    }
    finish("memory-cache", &rows)
}

fn finish(name: &str, rows: &[Row]) -> Result<ExitCode, String> {
    let table = markdown(rows);
    println!("{table}");
    put_table(&root().join("docs/benchmarks.md"), name, &table)?;
    Ok(ExitCode::SUCCESS)
}

fn sizes() -> Result<Vec<usize>, String> {
    let Some(given) = variable("MTEB_DOCUMENTS") else { return Ok(DOCUMENTS.to_vec()) };
    let given = given.to_string_lossy().into_owned();
    let number = |text: &str| text.trim().parse().ok();
    let numbers: Option<Vec<usize>> = given.split(',').map(number).collect();
    numbers.ok_or_else(|| format!("MTEB_DOCUMENTS: expected numbers with commas between, found {given}"))
}

/// A folder with the task and a cache that is empty; and the bytes of the texts.
fn made(documents: usize) -> Result<(PathBuf, u64), String> {
    let folder = target_folder().join("bench/memory").join(documents.to_string());
    let text_bytes = corpus::write(&folder, documents, QUERIES)
        .map_err(|error| format!("{}: cannot write the corpus: {error}", folder.display()))?;
    let cache = folder.join("cache");
    if cache.exists() {
        fs::remove_dir_all(&cache).map_err(|error| format!("{}: {error}", cache.display()))?;
    }
    Ok((folder, text_bytes))
}

/// The host, to score the task in `folder`.
fn on(folder: &Path, mut command: Command) -> Command {
    command.args(["run", "--overwrite", "always", "--quiet", "--registry"]).arg(folder.join("memory.toml"));
    command.arg("--output-folder").arg(folder.join("results"));
    command.env("MTEB_HOST_CACHE", folder.join("cache")).stdout(Stdio::null());
    command
}

fn measured(documents: String, text_bytes: u64, command: &mut Command) -> Result<Row, String> {
    let begin = Instant::now();
    let mut host = command.spawn().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let (peaks, status) = watch(&mut host).map_err(|error| format!("cannot watch the host: {error}"))?;
    if !status.success() {
        return Err(format!("{command:?} failed: {status}"));
    }
    Ok(Row { documents, text_bytes, peaks, seconds: begin.elapsed().as_secs_f64() })
}

fn markdown(rows: &[Row]) -> String {
    let mut text = format!(
        "Machine: {}.\n\n| documents | text, MB | host, MB | host without mapped pages, MB | worker, MB | seconds |\n\
         |---:|---:|---:|---:|---:|---:|\n",
        xtask::document::machine()
    );
    for Row { documents, text_bytes, peaks: Peaks { host, host_own, worker, .. }, seconds } in rows {
        let [text_size, host, own, worker] =
            [*text_bytes, *host, *host_own, *worker].map(|bytes| bytes / 1_000_000);
        text += &format!("| {documents} | {text_size} | {host} | {own} | {worker} | {seconds:.0} |\n");
    }
    text
}
