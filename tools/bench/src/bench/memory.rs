//! Memory of retrieval: a corpus of two sizes through the real binary, and the most memory its processes
//! held. The corpus is made, always the same one, and written without ever holding it.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use flate2::Compression;
use flate2::write::GzEncoder;
use mteb_measures::random::SplitMix64;
use xtask::document::put_table;
use xtask_start::build::release;
use xtask_start::command::{root, target_folder};

use crate::bench::environment::variable;
use crate::bench::sides;
use crate::bench::sides::host_command as host;
use crate::measure::{Peaks, watch};

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
        let (folder, text_bytes) = make_folder(documents)?;
        let mut command = on(&folder, host());
        measure_run(documents.to_string(), text_bytes, command.args(["--model", "hashing"]))
    };
    let rows = sizes()?.into_iter().map(measure).collect::<Result<Vec<_>, _>>()?;
    finish("memory", &rows)
}

/// The same with a model whose embeddings are kept, twice: all are encoded, then all are read.
pub fn memory_with_cache() -> Result<ExitCode, String> {
    release()?;
    let mut rows = Vec::new();
    for documents in sizes()? {
        let (folder, text_bytes) = make_folder(documents)?;
        let plugins = sides::letters_plugin(&folder.join("plugins"))?;
        for run in ["encoded", "from the cache"] {
            let mut command = on(&folder, sides::letters_host());
            command.args(["--model", sides::LETTERS, "--plugin-dir"]).arg(&plugins);
            rows.push(measure_run(format!("{documents}, {run}"), text_bytes, &mut command)?);
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
fn make_folder(documents: usize) -> Result<(PathBuf, u64), String> {
    let folder = target_folder().join("bench/memory").join(documents.to_string());
    let text_bytes = write_corpus(&folder, documents, QUERIES)
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

fn measure_run(documents: String, text_bytes: u64, command: &mut Command) -> Result<Row, String> {
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

/// Words that the documents are made of; frequent ones first, as in a language.
const VOCABULARY: u64 = 50_000;
const REGISTRY: &str = "schema = 1\nname = \"memory\"\ncards = [\"cards\"]\n";

const CARD: &str = "\
schema = 1
name = \"MadeRetrieval\"
type = \"Retrieval\"
description = \"Made for the benchmark of memory.\"
languages = [\"ind-Latn\"]

[dataset]
path = \"../data\"
";

/// Writes the task with as many documents and queries into `folder`; gives the bytes of the documents' texts. A query
/// consists of words of the one document that is relevant.
pub fn write_corpus(folder: &Path, documents: usize, wanted: usize) -> io::Result<u64> {
    let (cards, data) = (folder.join("cards"), folder.join("data"));
    fs::create_dir_all(&cards)?;
    fs::create_dir_all(data.join("qrels"))?;
    fs::write(folder.join("memory.toml"), REGISTRY)?;
    fs::write(cards.join("made.toml"), CARD)?;
    let mut corpus =
        GzEncoder::new(BufWriter::new(File::create(data.join("corpus.jsonl.gz"))?), Compression::fast());
    let mut queries = BufWriter::new(File::create(data.join("queries.jsonl"))?);
    let mut qrels = BufWriter::new(File::create(data.join("qrels/test.tsv"))?);
    writeln!(qrels, "query-id\tcorpus-id\tscore")?;
    let (mut text_bytes, mut asked) = (0, 0);
    for number in 0..documents {
        let mut random = SplitMix64::new(number as u64);
        let count = 30 + random.below(40);
        let words: Vec<String> = (0..count).map(|_| word(rank(&mut random))).collect();
        let text = words.join(" ");
        text_bytes += text.len() as u64;
        writeln!(corpus, r#"{{"_id": "doc-{number}", "title": "{} {number}", "text": "{text}"}}"#, words[0])?;
        while asked < wanted && number == asked * documents / wanted {
            let query: Vec<&str> = words.iter().step_by(4).map(String::as_str).collect();
            writeln!(queries, r#"{{"_id": "q{asked}", "text": "{}"}}"#, query.join(" "))?;
            writeln!(qrels, "q{asked}\tdoc-{number}\t1")?;
            asked += 1;
        }
    }
    corpus.finish()?.flush()?;
    queries.flush()?;
    qrels.flush()?;
    Ok(text_bytes)
}

/// Two or three syllables.
fn word(mut rank: u64) -> String {
    const SYLLABLES: [&str; 40] = [
        "ba", "be", "bi", "da", "di", "du", "ga", "ha", "hi", "ja", "ka", "ki", "ku", "la", "li", "lu", "ma",
        "me", "mi", "na", "ni", "nu", "pa", "pe", "pu", "ra", "ri", "ru", "sa", "se", "si", "su", "ta", "ti",
        "tu", "wa", "ya", "kan", "nya", "ngan",
    ];
    let mut word = String::new();
    for _ in 0..3 {
        word += SYLLABLES[(rank % 40) as usize];
        rank /= 40;
    }
    word
}

/// The rank of a word: the smaller, the more often, about as Zipf's law says.
fn rank(random: &mut SplitMix64) -> u64 {
    let share = random.below(1 << 20) as f64 / f64::from(1 << 20);
    (VOCABULARY as f64).powf(share) as u64
}
