//! What types of tasks of one's own cost: STS and retrieval of the host, the same by packs in Rust, and by
//! classes in Python, in turns; and that these give the host's scores with a real model.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use mteb_files::hex;
use serde_json::Value;
use sha2::{Digest, Sha256};
use xtask::document::{machine, put_table};
use xtask_start::build::release;
use xtask_start::command::{root, run_cargo, status, target_folder};

use crate::bench::environment::{hub_folder, largest, rounds, spread, variable};
use crate::bench::sides;
use crate::measure::{Peaks, middle, watch};

/// What is scored, with sizes: pairs of texts, each two rows of 384 numbers, and documents.
const KINDS: [(Kind, [usize; 2]); 2] =
    [(Kind::Pairs, [20_000, 100_000]), (Kind::Documents, [20_000, 100_000])];

/// The plugins with the types `Likeness` and `Finding`, which compute what STS and retrieval do.
const PACKS: [&str; 2] = ["own_type_pack", "own_ranking_pack"];

/// Rounds of all sides.
const ROUNDS: usize = 3;

/// The sides: what scores, its card, and the most that it may take, as a multiple of the first.
const SIDES: [(&str, &str, f64); 3] = [
    ("the host", "host.toml", 1.0),
    ("a pack in Rust", "rust.toml", 1.1),
    ("a class in Python", PYTHON, 2.0),
];

/// One run.
#[derive(Clone, Copy)]
struct Run {
    seconds: f64,
    peaks: Peaks,
}

/// Runs the benchmark and writes its table; a trial (`MTEB_LARGEST`, the number of pairs and documents) prints it alone.
pub fn own_types() -> Result<ExitCode, String> {
    release()?;
    let trial = largest()?;
    let folder = target_folder().join("bench/own-types");
    let plugins = plugins(&folder.join("plugins"))?;
    let rounds = rounds(ROUNDS)?;
    let mut text = format!("Machine: {}. {rounds} runs a side, in turns.\n\n{HEAD}", machine());
    for (kind, sizes) in KINDS {
        for size in trial.map_or(sizes.to_vec(), |size| vec![size]) {
            let folder = folder.join(format!("{}-{size}", kind.name()));
            let sha256 = write(&folder, kind, size)
                .map_err(|error: io::Error| format!("{}: {error}", folder.display()))?;
            let mut runs: [Vec<Run>; 3] = Default::default();
            for _ in 0..rounds {
                for ((name, card, _), runs) in SIDES.iter().zip(&mut runs) {
                    let run = run(command(&folder, &plugins, card, &sha256))?;
                    eprintln!("{:.1} s {} {size}, {name}", run.seconds, kind.name());
                    runs.push(run);
                }
            }
            text += &rows_of(&format!("{size} {}", kind.what()), &runs);
        }
    }
    println!("{text}");
    if trial.is_none() {
        put_table(&root().join("docs/benchmarks.md"), "own-types", &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A folder with the model and the packs, which the benchmarks' own list trusts.
fn plugins(folder: &Path) -> Result<PathBuf, String> {
    for pack in PACKS {
        run_cargo(&["build", "--release", "--package", "mteb-host-tests", "--example", pack])?;
        let file = format!("lib{pack}.so");
        let built = target_folder().join("release/examples").join(&file);
        fs::create_dir_all(folder)
            .and_then(|()| fs::copy(built, folder.join(file)))
            .map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    sides::letters_plugin(folder)
}

fn command(folder: &Path, plugins: &Path, card: &str, sha256: &str) -> Command {
    let mut command = sides::letters_host();
    command.args(["run", "--quiet", "--no-cache", "--overwrite", "always", "--model", sides::LETTERS]);
    command.arg("--registry").arg(folder.join(card)).arg("--plugin-dir").arg(plugins);
    command.arg("--output-folder").arg(folder.join("results"));
    if card == PYTHON {
        command.args(["--trust-plugin", sha256]);
    }
    if let Some(python) = variable("MTEB_PYTHON") {
        command.arg("--python").arg(python);
    }
    command
}

fn run(mut command: Command) -> Result<Run, String> {
    let begin = Instant::now();
    let mut host =
        command.stdout(Stdio::null()).spawn().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let (peaks, status) = watch(&mut host).map_err(|error| format!("cannot watch the host: {error}"))?;
    if !status.success() {
        return Err(format!("{command:?} failed: {status}"));
    }
    Ok(Run { seconds: begin.elapsed().as_secs_f64(), peaks })
}

const HEAD: &str = "\
| data | what scores | seconds | times the host | aim | host, MB | of its own | worker, MB | of its own |
|---|---|---:|---:|---:|---:|---:|---:|---:|
";

fn rows_of(what: &str, runs: &[Vec<Run>; 3]) -> String {
    let mut text = String::new();
    for ((name, _, most), of_side) in SIDES.iter().zip(runs) {
        let ratios = of_side.iter().zip(&runs[0]).map(|(run, host)| run.seconds / host.seconds);
        let peak = |of: fn(&Peaks) -> u64| middle(of_side.iter().map(|run| of(&run.peaks) as f64)) / 1e6;
        text += &format!(
            "| {what} | {name} | {:.1} | {} | {most} | {:.0} | {:.0} | {:.0} | {:.0} |\n",
            middle(of_side.iter().map(|run| run.seconds)),
            spread(ratios, 2),
            peak(|peaks| peaks.host),
            peak(|peaks| peaks.host_own),
            peak(|peaks| peaks.worker),
            peak(|peaks| peaks.worker_own)
        );
    }
    text
}

/// The card whose evaluator must be trusted.
const PYTHON: &str = "python.toml";

/// Queries of a corpus, of which each has one relevant document.
const QUERIES: usize = 1000;

/// What is scored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Pairs of texts, by STS.
    Pairs,
    /// Documents, by retrieval.
    Documents,
}

impl Kind {
    /// Its name, of a folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Documents => "documents",
        }
    }

    /// What a size counts.
    pub fn what(self) -> String {
        match self {
            Self::Pairs => "pairs (STS)".to_owned(),
            Self::Documents => format!("documents, {QUERIES} queries (Retrieval)"),
        }
    }

    /// The type of the host, that of the pack, and the script and the class in Python.
    pub fn types(self) -> (&'static str, &'static str, &'static str, &'static str) {
        match self {
            Self::Pairs => ("STS", "Likeness", "likeness.py", "Likeness"),
            Self::Documents => ("Retrieval", "Finding", "finding.py", "Finding"),
        }
    }

    /// What the card in Python declares.
    pub fn declaration(self) -> String {
        match self {
            Self::Pairs => {
                let scores = ["", "cosine_", "manhattan_", "euclidean_"].iter().flat_map(|prefix| {
                    ["pearson", "spearman"].map(|name| format!("{prefix}{name} = {{ low = -1.0 }}\n"))
                });
                format!(
                    "\n[task_type]\nabout = \"Follows what people said of two texts.\"\nmain_score = \"cosine_spearman\"\n\n\
                     [task_type.columns]\nsentence1 = {{ holds = \"text\" }}\nsentence2 = {{ holds = \"text\" }}\n\
                     score = {{ holds = \"number\" }}\n\n[task_type.scores]\n{}",
                    scores.collect::<String>()
                )
            }
            Self::Documents => {
                let names = ["ndcg", "map", "recall", "precision", "mrr", "hit_rate"];
                let scores = names.iter().flat_map(|name| {
                    [1, 3, 5, 10, 20, 100, 1000].map(|cut| format!("{name}_at_{cut} = {{}}\n"))
                });
                format!(
                    "\n[task_type]\nabout = \"Finds the documents that are relevant to a query.\"\nmain_score = \"ndcg_at_10\"\n\
                     ranking = {{ depth = 1000 }}\n\n[task_type.scores]\n{}",
                    scores.collect::<String>()
                )
            }
        }
    }
}

/// Writes rows and cards, and gives the SHA-256 of the class in Python.
fn write(folder: &Path, kind: Kind, size: usize) -> io::Result<String> {
    fs::create_dir_all(folder.join("data"))?;
    match kind {
        Kind::Pairs => write_pairs(folder, size)?,
        Kind::Documents => write_documents(folder, size)?,
    }
    write_cards(folder, kind, "CostOf", "[dataset]\npath = \"data\"\n")
}

/// Writes the cards of the three sides, each with the table `dataset`.
fn write_cards(folder: &Path, kind: Kind, name: &str, dataset: &str) -> io::Result<String> {
    let (of_host, of_pack, script, class) = kind.types();
    let source = fs::read(root().join("tools/bench/scripts").join(script))?;
    fs::write(folder.join(script), &source)?;
    let card = |side: &str, kind: &str, more: &str| {
        format!(
            "schema = 1\nname = \"{name}{side}\"\ntype = \"{kind}\"\n{more}description = \"Made.\"\nlanguages = [\"ind-Latn\"]\n\n\
             {dataset}"
        )
    };
    let main_score = match kind {
        Kind::Pairs => "main_score = \"cosine_spearman\"\n",
        Kind::Documents => "main_score = \"ndcg_at_10\"\n",
    };
    fs::write(folder.join("host.toml"), card("Host", of_host, main_score))?;
    fs::write(folder.join("rust.toml"), card("Rust", of_pack, main_score))?;
    let more = format!("evaluator = \"python:{script}:{class}\"\n");
    let python = card("Python", &format!("{class}InPython"), &more);
    fs::write(folder.join(PYTHON), python + &kind.declaration())?;
    Ok(hex(&Sha256::digest(&source)))
}

/// Texts whose letters differ, for these are what the model counts, and scores that do not follow from them.
fn write_pairs(folder: &Path, pairs: usize) -> io::Result<()> {
    let mut rows = BufWriter::new(fs::File::create(folder.join("data/test.jsonl"))?);
    for number in 0..pairs {
        let [left, right] = [7919, 104_729].map(|factor| letters_of(number.wrapping_mul(factor)));
        writeln!(
            rows,
            r#"{{"sentence1": "teks {left}", "sentence2": "kalimat {right}", "score": {}}}"#,
            (number * 37) % 6
        )?;
    }
    rows.into_inner()?.sync_all()
}

fn write_documents(folder: &Path, documents: usize) -> io::Result<()> {
    let file = |name: &str| fs::File::create(folder.join("data").join(name)).map(BufWriter::new);
    let mut corpus = file("corpus.jsonl")?;
    for number in 0..documents {
        let text = letters_of(number.wrapping_mul(7919));
        writeln!(corpus, r#"{{"_id": "d{number}", "title": "", "text": "dokumen {text}"}}"#)?;
    }
    let (mut queries, mut qrels) = (file("queries.jsonl")?, file("qrels.tsv")?);
    writeln!(qrels, "query-id\tcorpus-id\tscore")?;
    for number in 0..QUERIES {
        let document = (number * 37) % documents;
        let text = letters_of(document.wrapping_mul(7919) + 1);
        writeln!(queries, r#"{{"_id": "q{number}", "text": "tanya {text}"}}"#)?;
        writeln!(qrels, "q{number}\td{document}\t1")?;
    }
    [corpus, queries, qrels].into_iter().try_for_each(|file| file.into_inner()?.sync_all())
}

/// The digits of a number as letters from a to j.
fn letters_of(number: usize) -> String {
    number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}

/// The model, unless `MTEB_MODEL` names another.
const MODEL: &str = "st:sentence-transformers/all-MiniLM-L6-v2";

/// The tasks, and where their data are.
const TASKS: [(&str, Kind, &str); 2] = [
    (
        "STSBenchmark",
        Kind::Pairs,
        "hub = \"mteb/stsbenchmark-sts\"\nrevision = \"b0fddb56ed78048fa8b90373c8a3cfc37b684831\"",
    ),
    (
        "SciFact",
        Kind::Documents,
        "hub = \"mteb/scifact\"\nrevision = \"d56462d0e63a25450459c4f213e49ffdb866f7f9\"",
    ),
];

/// Largest difference of a pack in Rust, which computes in the same order.
const RUST: f64 = 1e-12;

/// Largest difference of a class in Python, whose sums numpy makes in an order of its own, of 32-bit rows.
const IN_PYTHON: f64 = 1e-5;

/// Runs both tasks by all three sides, each text encoded once, and compares every score that the host has, too.
pub fn own_types_proof() -> Result<ExitCode, String> {
    release()?;
    let folder = target_folder().join("bench/own-types-proof");
    let plugins = plugins(&folder.join("plugins"))?;
    let model = variable("MTEB_MODEL").unwrap_or_else(|| MODEL.into());
    let mut text = format!(
        "Machine: {}. Model: {}.\n\n| task | what scores | scores compared | largest difference | at most |\n|---|---|---:|---:|---:|\n",
        machine(),
        // A folder of one's own is named by its last part.
        model.file_name().unwrap_or(model.as_os_str()).to_string_lossy()
    );
    let mut is_equal = true;
    for (task, kind, data) in TASKS {
        let folder = folder.join(task);
        let sha256 = fs::create_dir_all(&folder)
            .and_then(|()| write_cards(&folder, kind, task, &format!("[dataset]\n{data}\n")))
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut of_host = BTreeMap::new();
        for ((name, card, _), most) in SIDES.iter().zip([0.0, RUST, IN_PYTHON]) {
            let mut command = sides::letters_host();
            command.args(["run", "--quiet", "--overwrite", "always", "--trust-plugin", &sha256, "--model"]);
            command.arg(&model).arg("--hub-dir").arg(hub_folder()).arg("--plugin-dir").arg(&plugins);
            command.arg("--registry").arg(folder.join(card));
            let results = folder.join(format!("results-{card}"));
            command.arg("--output-folder").arg(&results);
            if let Some(python) = variable("MTEB_PYTHON") {
                command.arg("--python").arg(python);
            }
            if !status(&mut command)?.success() {
                return Err(format!("failed: {command:?}"));
            }
            let found = scores(&results)?;
            if of_host.is_empty() {
                of_host = found;
                continue;
            }
            let differences: Vec<f64> =
                found.iter().filter_map(|(key, score)| Some((score - of_host.get(key)?).abs())).collect();
            let largest = differences.iter().copied().fold(0.0, f64::max);
            is_equal &= largest <= most
                && differences.len() >= 8
                && (*card == PYTHON || differences.len() + 1 >= of_host.len());
            text += &format!("| {task} | {name} | {} | {largest:.1e} | {most:.0e} |\n", differences.len());
        }
    }
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "own-types-proof", &text)?;
    Ok(if is_equal { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// All numbers of the one result below `folder`, by their keys.
fn scores(folder: &Path) -> Result<BTreeMap<String, f64>, String> {
    let mut folders = vec![folder.to_owned()];
    let mut found = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        let cannot = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(&folder).map_err(cannot)? {
            let path = entry.map_err(cannot)?.path();
            let is_result = path.extension().is_some_and(|end| end == "json")
                && path.file_name().is_some_and(|name| name != "model_meta.json");
            if path.is_dir() {
                folders.push(path);
            } else if is_result {
                let text = fs::read_to_string(&path).map_err(cannot)?.replace("NaN", "null");
                let value: Value =
                    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
                let entries = value["scores"]["test"][0].as_object().into_iter().flatten();
                found.extend(entries.filter_map(|(key, score)| Some((key.clone(), score.as_f64()?))));
            }
        }
    }
    found.remove("evaluation_time");
    if found.is_empty() {
        Err(format!("{}: expected scores, found none", folder.display()))
    } else {
        Ok(found)
    }
}
