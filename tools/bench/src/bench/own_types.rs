//! What types of tasks of one's own cost: STS and retrieval of the host, the same by packs in Rust, and by classes in Python, in turns.

mod data;
mod proof;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;
use std::{fs, io};

use crate::bench::environment::{largest, variable};
use crate::bench::letters;
use crate::bench::rounds::{rounds, spread};
use crate::measure::{Peaks, middle, watch};
use xtask::document::{machine, put_table};
use xtask_start::build::release;
use xtask_start::command::{root, run_cargo, target_folder};

use data::{Kind, PYTHON, write};
pub use proof::own_types_proof;

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
    letters::plugin(folder)
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
