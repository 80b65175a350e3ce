//! Exact search beside faiss and the reference: the same rows, machine and threads, and the same documents found.

mod agreement;
mod table;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::bench::environment::variable;
use crate::bench::sides::json_of;
use crate::command::{root, run_cargo, status, target_folder};
use crate::document::put_table;
use crate::measure::Cost;
use table::{Row, SIDES};

/// Documents, numbers of a row, documents wanted for a query.
const SIZES: [[usize; 3]; 3] = [[100_000, 384, 100], [100_000, 1024, 1000], [1_000_000, 384, 100]];

const QUERIES: usize = 1000;

/// Documents from which on one run of each side has to do.
const LARGE: usize = 1_000_000;

/// Threads of each side.
const THREADS: &str = "2";

/// Runs the benchmark and writes its table.
pub fn search() -> Result<ExitCode, String> {
    run_cargo(&["build", "--release", "--package", "mteb-search", "--example", "search_speed"])?;
    let rounds = match variable("MTEB_ROUNDS") {
        Some(text) => {
            text.to_str().and_then(|text| text.parse().ok()).ok_or("MTEB_ROUNDS: expected a number")?
        }
        None => 3,
    };
    let rows = SIZES.into_iter().map(|size| measure(size, rounds)).collect::<Result<Vec<_>, _>>()?;
    let text = table::markdown(&rows);
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "search", &text)?;
    let same = rows.iter().flat_map(|row| &row.agreements).all(|agreement| agreement.wrong == 0);
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// All sides in turn, `rounds` times unless there are many documents, so that they meet the same state of the machine.
fn measure(size: [usize; 3], rounds: usize) -> Result<Row, String> {
    let [documents, dimension, depth] = size;
    let folder = target_folder().join(format!("bench/search/{documents}x{dimension}"));
    make(&folder, documents, dimension)?;
    let mut costs: [Vec<Cost>; 3] = Default::default();
    for _ in 0..if documents < LARGE { rounds } else { 1 } {
        for (side, costs) in SIDES.into_iter().zip(&mut costs) {
            costs.push(run(side, &folder, dimension, depth)?);
        }
    }
    let compare = |side: &str| agreement::compare(&folder, "mteb-host", side, depth);
    let agreements = [compare(SIDES[1])?, compare(SIDES[2])?];
    Ok(Row { size, costs: costs.map(|costs| Cost::middle(&costs)), agreements })
}

/// Writes the rows, unless they are there.
fn make(folder: &Path, documents: usize, dimension: usize) -> Result<(), String> {
    if folder.join("queries.f32").exists() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|error| format!("cannot write to {}: {error}", folder.display()))?;
    let mut command = python("make");
    command.arg(folder).args([documents, dimension, QUERIES].map(|number| number.to_string()));
    let status = status(&mut command)?;
    if status.success() { Ok(()) } else { Err(format!("failed: {command:?}")) }
}

/// Runs a side in a process of its own.
fn run(side: &str, folder: &Path, dimension: usize, depth: usize) -> Result<Cost, String> {
    let mut command = if side == SIDES[0] {
        let mut command = Command::new(target_folder().join("release/examples/search_speed"));
        command.env("RAYON_NUM_THREADS", THREADS);
        command
    } else {
        python(side)
    };
    command.arg(folder).args([dimension, depth].map(|number| number.to_string()));
    let found = json_of(&mut command)?;
    let number =
        |key: &str| found[key].as_f64().ok_or_else(|| format!("{side}: no number `{key}` in {found}"));
    Ok(Cost { seconds: number("seconds")?, processor: number("processor")?, peak: number("peak")? })
}

fn python(side: &str) -> Command {
    let of = |name: &str| variable(name).map(PathBuf::into_os_string);
    let any = || of("MTEB_PYTHON").unwrap_or_else(|| OsString::from("python3"));
    let program = if side == "faiss" { of("MTEB_FAISS_PYTHON").unwrap_or_else(any) } else { any() };
    let mut command = Command::new(program);
    command.arg(root().join("xtask/bench/search.py")).arg(side).env("OMP_NUM_THREADS", THREADS);
    command
}
