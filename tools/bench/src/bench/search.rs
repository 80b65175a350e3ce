//! Exact search beside faiss and the reference: the same rows, machine and threads, and the same documents found.

mod agreement;
mod table;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::bench::environment::variable;
use crate::bench::rounds::rounds;
use crate::bench::sides::json_of;
use crate::measure::Cost;
use table::{Row, SIDES};
use xtask::document::put_table;
use xtask_start::command::{root, run_cargo, status, target_folder};

/// Documents, numbers of a row, documents wanted for a query.
const SIZES: [[usize; 3]; 3] = [[100_000, 384, 100], [100_000, 1024, 1000], [1_000_000, 384, 100]];

const QUERIES: usize = 1000;

/// Threads of each side.
const THREADS: &str = "2";

/// What keeps each side within AVX2.
const ONLY_AVX2: [(&str, &str); 3] =
    [("MTEB_ONLY_AVX2", "1"), ("OPENBLAS_CORETYPE", "Haswell"), ("FAISS_SIMD_LEVEL", "AVX2")];

/// Runs the benchmark and writes its table.
pub fn search() -> Result<ExitCode, String> {
    run_cargo(&["build", "--release", "--package", "mteb-search", "--example", "search_speed"])?;
    let rounds = rounds(5)?;
    let mut rows = Vec::new();
    for size in SIZES {
        rows.extend(measure(size, rounds)?);
    }
    let text = table::markdown(&rows);
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "search", &text)?;
    let same = rows.iter().flat_map(|row| &row.agreements).all(|agreement| agreement.wrong == 0);
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// All sides in turn, `rounds` times, so that they meet the same state of the machine: with all that the processor has, and
/// then within AVX2.
fn measure(size: [usize; 3], rounds: usize) -> Result<[Row; 2], String> {
    let [documents, dimension, depth] = size;
    let folder = target_folder().join(format!("bench/search/{documents}x{dimension}"));
    make(&folder, documents, dimension)?;
    let mut rows = [false, true].map(|only_avx2| Row::new(size, only_avx2));
    let mut expected = None;
    for _ in 0..rounds {
        for row in &mut rows {
            for (side, costs) in SIDES.into_iter().zip(&mut row.costs).take(row.sides) {
                let found = run(side, &folder, dimension, depth, row.only_avx2)?;
                costs.push(cost(side, &found)?);
                if side == SIDES[0] {
                    row.kernels = kernels(&found)?;
                    let found = results(&folder)?;
                    if *expected.get_or_insert_with(|| found.clone()) != found {
                        return Err(format!("{}: one run found what another did not", folder.display()));
                    }
                }
            }
        }
    }
    for row in &mut rows {
        for side in &SIDES[1..row.sides] {
            row.agreements.push(agreement::compare(&folder, SIDES[0], side, depth)?);
        }
    }
    Ok(rows)
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

/// Runs a side in a process of its own; gives what it prints.
fn run(side: &str, folder: &Path, dimension: usize, depth: usize, only_avx2: bool) -> Result<Value, String> {
    let mut command = if side == SIDES[0] {
        let mut command = Command::new(target_folder().join("release/examples/search_speed"));
        command.env("RAYON_NUM_THREADS", THREADS);
        command
    } else {
        python(side)
    };
    if only_avx2 {
        command.envs(ONLY_AVX2);
    }
    command.arg(folder).args([dimension, depth].map(|number| number.to_string()));
    json_of(&mut command)
}

fn cost(side: &str, found: &Value) -> Result<Cost, String> {
    let number =
        |key: &str| found[key].as_f64().ok_or_else(|| format!("{side}: no number `{key}` in {found}"));
    Ok(Cost { seconds: number("seconds")?, processor: number("processor")?, peak: number("peak")? })
}

/// The kernels that ran on our side; those that only some of the queries came to, with the share that did.
fn kernels(found: &Value) -> Result<String, String> {
    let wrong = || format!("expected a list `kernels` of names and shares, found: {found}");
    let list = found["kernels"].as_array().filter(|list| !list.is_empty()).ok_or_else(wrong)?;
    let name = |kernel: &Value| match (kernel[0].as_str(), kernel[1].as_f64()) {
        (Some(name), Some(share)) if share < 1.0 => Ok(format!("{name} ({:.1} %)", 100.0 * share)),
        (Some(name), Some(_)) => Ok(name.to_owned()),
        _ => Err(wrong()),
    };
    Ok(list.iter().map(name).collect::<Result<Vec<_>, _>>()?.join(", then "))
}

/// The documents and scores that our side found, byte for byte.
fn results(folder: &Path) -> Result<[Vec<u8>; 2], String> {
    let read = |kind: &str| {
        let path = folder.join(format!("{}.{kind}", SIDES[0]));
        fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    Ok([read("ids")?, read("scores")?])
}

fn python(side: &str) -> Command {
    let of = |name: &str| variable(name).map(PathBuf::into_os_string);
    let any = || of("MTEB_PYTHON").unwrap_or_else(|| OsString::from("python3"));
    let program = if side == "faiss" { of("MTEB_FAISS_PYTHON").unwrap_or_else(any) } else { any() };
    let mut command = Command::new(program);
    command.arg(root().join("tools/bench/scripts/search.py")).arg(side).env("OMP_NUM_THREADS", THREADS);
    // A thread that waits for another sleeps: on a busy machine, turning in a loop would count as work.
    command.env("OMP_WAIT_POLICY", "passive");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_those_that_ran() {
        let found = serde_json::json!({"kernels": [["int8", 1.0], ["int16", 0.25]]});
        assert_eq!(kernels(&found).unwrap(), "int8, then int16 (25.0 %)");
        assert!(kernels(&serde_json::json!({"kernels": []})).is_err());
    }
}
