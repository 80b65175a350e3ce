//! What types of tasks of one's own cost: STS of the host, the same by a pack in Rust, and by a class in Python, in turns.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use mteb_files::hex;
use sha2::{Digest, Sha256};

use crate::bench::environment::{largest, variable};
use crate::bench::letters;
use crate::bench::rounds::{rounds, spread};
use crate::measure::middle;
use crate::watch::{Peaks, watch};
use xtask::document::put_table;
use xtask::machine::machine;
use xtask_start::build::release;
use xtask_start::command::{root, run_cargo, target_folder};

/// Pairs of texts: twice as many rows of 384 numbers.
const PAIRS: usize = 100_000;

/// The plugin with the type `Likeness`, which computes what STS does.
const PACK: &str = "own_type_pack";

/// Rounds of all sides.
const ROUNDS: usize = 3;

/// The card whose evaluator must be trusted.
const PYTHON: &str = "python.toml";

/// A side: its name, its card, and the most that it may take, as a multiple of the first.
const SIDES: [(&str, &str, f64); 3] = [
    ("STS of the host", "host.toml", 1.0),
    ("a type of a pack in Rust", "rust.toml", 1.1),
    ("a type in Python", PYTHON, 2.0),
];

/// One run.
#[derive(Clone, Copy)]
struct Run {
    seconds: f64,
    peaks: Peaks,
}

/// Runs the benchmark and writes its table; a trial (`MTEB_LARGEST`, the number of pairs) prints it alone.
pub fn own_types() -> Result<ExitCode, String> {
    release()?;
    let trial = largest()?;
    let pairs = trial.unwrap_or(PAIRS);
    let folder = target_folder().join("bench/own-types");
    let plugins = plugins(&folder.join("plugins"))?;
    let sha256 = write(&folder, pairs).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut runs: [Vec<Run>; 3] = Default::default();
    for _ in 0..rounds(ROUNDS)? {
        for ((name, card, _), runs) in SIDES.iter().zip(&mut runs) {
            let run = run(command(&folder, &plugins, card, &sha256))?;
            eprintln!("{:.1} s {name}", run.seconds);
            runs.push(run);
        }
    }
    let text = markdown(pairs, &runs);
    println!("{text}");
    if trial.is_none() {
        put_table(&root().join("docs/benchmarks.md"), "own-types", &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A folder with the model and the pack, which the benchmarks' own list trusts.
fn plugins(folder: &Path) -> Result<PathBuf, String> {
    run_cargo(&["build", "--release", "--package", "mteb-host-tests", "--example", PACK])?;
    let file = format!("lib{PACK}.so");
    let built = target_folder().join("release/examples").join(&file);
    fs::create_dir_all(folder)
        .and_then(|()| fs::copy(built, folder.join(file)))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    letters::plugin(folder)
}

/// Writes rows and cards, and gives the SHA-256 of the class in Python.
fn write(folder: &Path, pairs: usize) -> io::Result<String> {
    fs::create_dir_all(folder.join("data"))?;
    let mut rows = BufWriter::new(fs::File::create(folder.join("data/test.jsonl"))?);
    for number in 0..pairs {
        // Texts whose letters differ, for these are what the model counts, and scores that do not follow from them.
        let [left, right] = [7919, 104_729].map(|factor| letters_of(number.wrapping_mul(factor)));
        writeln!(
            rows,
            r#"{{"sentence1": "teks {left}", "sentence2": "kalimat {right}", "score": {}}}"#,
            (number * 37) % 6
        )?;
    }
    rows.into_inner()?.sync_all()?;
    let source = fs::read(root().join("tools/bench/scripts/likeness.py"))?;
    fs::write(folder.join("likeness.py"), &source)?;
    let card = |name: &str, kind: &str, more: &str| {
        format!(
            "schema = 1\nname = \"{name}\"\ntype = \"{kind}\"\n{more}description = \"Made.\"\nlanguages = [\"ind-Latn\"]\n\n\
             [dataset]\npath = \"data\"\n"
        )
    };
    fs::write(folder.join("host.toml"), card("CostOfHost", "STS", ""))?;
    fs::write(folder.join("rust.toml"), card("CostOfRust", "Likeness", ""))?;
    let scores = ["", "cosine_", "manhattan_", "euclidean_"].iter().flat_map(|prefix| {
        ["pearson", "spearman"].map(|name| format!("{prefix}{name} = {{ low = -1.0 }}\n"))
    });
    let declared = format!(
        "\n[task_type]\nabout = \"Follows what people said of two texts.\"\nmain_score = \"cosine_spearman\"\n\n[task_type.columns]\n\
         sentence1 = {{ holds = \"text\" }}\nsentence2 = {{ holds = \"text\" }}\nscore = {{ holds = \"number\" }}\n\n[task_type.scores]\n{}",
        scores.collect::<String>()
    );
    let python = card("CostOfPython", "LikenessInPython", "evaluator = \"python:likeness.py:Likeness\"\n");
    fs::write(folder.join(PYTHON), python + &declared)?;
    Ok(hex(&Sha256::digest(&source)))
}

/// The digits of a number as letters from a to j.
fn letters_of(number: usize) -> String {
    number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}

fn command(folder: &Path, plugins: &Path, card: &str, sha256: &str) -> Command {
    let mut command = letters::host();
    command.args(["run", "--quiet", "--no-cache", "--overwrite", "always", "--model", letters::MODEL]);
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

fn markdown(pairs: usize, runs: &[Vec<Run>; 3]) -> String {
    let mut text = format!(
        "Machine: {}. {pairs} pairs, {} rows of 384 numbers ({} MB), {} runs a side, in turns.\n\n\
         | what scores | seconds | of the host's own | aim | host, MB | worker, MB |\n|---|---:|---:|---:|---:|---:|\n",
        machine(),
        2 * pairs,
        2 * pairs * 384 * 4 / 1_000_000,
        runs[0].len()
    );
    for ((name, _, most), of_side) in SIDES.iter().zip(runs) {
        let ratios = of_side.iter().zip(&runs[0]).map(|(run, host)| run.seconds / host.seconds);
        let peak = |of: fn(&Run) -> u64| middle(of_side.iter().map(|run| of(run) as f64)) / 1e6;
        text += &format!(
            "| {name} | {:.1} | {} | {most} | {:.0} | {:.0} |\n",
            middle(of_side.iter().map(|run| run.seconds)),
            spread(ratios, 2),
            peak(|run| run.peaks.host),
            peak(|run| run.peaks.worker)
        );
    }
    text
}
