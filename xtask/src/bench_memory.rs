//! Memory of retrieval: a made corpus of two sizes through the real binary, and the most memory its processes held.

mod corpus;
mod watch;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use crate::bench::variable;
use crate::build::release;
use crate::command::{root, run_cargo, status, target_folder};
use crate::document::put_table;
use watch::{Peaks, watch};

/// Documents of the corpora, unless `MTEB_DOCUMENTS` says otherwise.
const DOCUMENTS: [usize; 2] = [200_000, 2_000_000];

/// A model whose embeddings are kept, as those of the hashing encoder are not.
const KEPT_MODEL: &str = "changing_model";

/// Numbers a row of that model.
pub const DIMENSION: &str = "384";

/// The variable that names the folder in which the host keeps what it trusts.
pub const TRUST: &str = "MTEB_HOST_DATA";

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
        let mut command = host(&folder);
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
        let plugins = letter_counter(&folder.join("plugins"))?;
        for run in ["encoded", "from the cache"] {
            let mut command = host(&folder);
            command.args(["--model", "changing"]).env("CHANGING_DIMENSION", DIMENSION);
            command.arg("--plugin-dir").arg(&plugins).env(TRUST, plugins.join("trust"));
            rows.push(measured(format!("{documents}, {run}"), text_bytes, &mut command)?);
        }
    }
    finish("memory-cache", &rows)
}

/// Builds the model and puts its plugin alone into `folder`, which is given back. The host trusts it where [`TRUST`] is
/// the folder `trust` there.
pub fn letter_counter(folder: &Path) -> Result<PathBuf, String> {
    run_cargo(&["build", "--release", "--package", "mteb-host-tests", "--example", KEPT_MODEL])?;
    let file = format!("lib{KEPT_MODEL}.so");
    let built = target_folder().join("release/examples").join(&file);
    fs::create_dir_all(folder)
        .and_then(|()| fs::copy(built, folder.join(file)))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut lock = Command::new(target_folder().join("release/mteb-host"));
    lock.args(["plugins", "lock", "--plugin-dir"]).arg(folder).env(TRUST, folder.join("trust"));
    if !status(&mut lock)?.success() {
        return Err(format!("{}: the host does not take the plugin into its trust", folder.display()));
    }
    Ok(folder.to_owned())
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
    let text_bytes = corpus::write(&folder, documents)
        .map_err(|error| format!("{}: cannot write the corpus: {error}", folder.display()))?;
    let cache = folder.join("cache");
    if cache.exists() {
        fs::remove_dir_all(&cache).map_err(|error| format!("{}: {error}", cache.display()))?;
    }
    Ok((folder, text_bytes))
}

/// The host, to score the task in `folder`.
fn host(folder: &Path) -> Command {
    let mut command = Command::new(target_folder().join("release").join("mteb-host"));
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
        crate::bench::machine()
    );
    for Row { documents, text_bytes, peaks: Peaks { host, host_own, worker }, seconds } in rows {
        let [text_size, host, own, worker] =
            [*text_bytes, *host, *host_own, *worker].map(|bytes| bytes / 1_000_000);
        text += &format!("| {documents} | {text_size} | {host} | {own} | {worker} | {seconds:.0} |\n");
    }
    text
}
