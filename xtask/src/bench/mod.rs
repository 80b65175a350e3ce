//! Benchmarks that run both sides in one go and print their ratio.

pub mod datasets;
mod e2e;
pub mod letters;
mod machine;
pub mod made;
mod sides;
mod table;

pub use machine::machine;
pub use sides::{host_command as host, json_of, reference_command};

use std::path::PathBuf;
use std::process::ExitCode;

use crate::build::release;
use crate::command::{root, target_folder};
use crate::document::put_table;

/// Tasks of the hub folder, one or more a task type, with their subsets where the folder does not hold all.
const TASKS: [&str; 10] = [
    "NusaX-senti",
    "Banking77Classification",
    "SIB200Classification",
    "SIB200ClusteringS2S",
    "STSBenchmark",
    "SemRel24STS",
    "NTREXBitextMining:eng_Latn-ind_Latn,ind_Latn-eng_Latn",
    "NusaXBitextMining",
    "Tatoeba",
    "SciFact",
];

/// Runs of the host, of which the middle one counts.
const RUNS: usize = 5;

const USAGE: &str = "\
usage: cargo xtask bench evaluators|encode|memory|memory-cache|once|once-time|search|e2e|start|growth

Needs a Python with mteb 2.26.24 (MTEB_PYTHON, default python3) and a hub folder (MTEB_HUB_DIR, default ../shared/hub).
All but `encode` write their tables into docs/benchmarks.md; `memory`, `memory-cache` and `growth` need neither of the two,
`search` no hub folder but a Python with faiss-cpu (MTEB_FAISS_PYTHON, default the same).
`growth` also draws docs/growth-*.svg; MTEB_LARGEST leaves larger sizes out.";

/// Runs the benchmark that `args` names.
pub fn bench(args: &[String]) -> Result<ExitCode, String> {
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["evaluators"] => evaluators(),
        ["encode"] => crate::bench_encode::encode(),
        ["memory"] => crate::bench_memory::memory(),
        ["once"] => crate::bench_once::once(),
        ["once-time"] => crate::bench_once::once_time(),
        ["memory-cache"] => crate::bench_memory::memory_with_cache(),
        ["e2e"] => e2e::e2e(),
        ["start"] => crate::bench_start::start(),
        ["growth"] => crate::bench_growth::growth(),
        ["search"] => crate::bench_search::search(),
        _ => Err(USAGE.to_owned()),
    }
}

/// Every evaluator beside the reference's, with an encoder that costs next to nothing on both sides.
fn evaluators() -> Result<ExitCode, String> {
    release()?;
    let given = hub_folder();
    let python = variable("MTEB_PYTHON").unwrap_or_else(|| "python3".into());
    let folder = target_folder().join("bench");
    let made = datasets::write(&folder, &given)
        .map_err(|error| format!("{}: cannot write the datasets: {error}", folder.display()))?;
    let tasks: Vec<&str> = TASKS.into_iter().chain(made.iter().map(|task| task.name)).collect();
    let ours = (0..RUNS).map(|_| sides::host(&folder, &tasks)).collect::<Result<Vec<_>, _>>()?;
    let theirs = sides::reference(&python, &folder, &made, &ours[0], None)?;
    let names: Vec<&str> = tasks.iter().filter_map(|task| task.split(':').next()).collect();
    let rows = table::rows(&names, &ours, &theirs)?;
    let text = table::markdown(&rows);
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "evaluators", &text)?;
    let wrong = rows.iter().filter(|row| row.difference > table::TOLERANCE).count();
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A variable of the environment that is not empty.
pub fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The datasets of the reference's tasks, laid out like the hub.
pub fn hub_folder() -> PathBuf {
    variable("MTEB_HUB_DIR").unwrap_or_else(|| root().join("../shared/hub"))
}
