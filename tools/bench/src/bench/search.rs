//! Exact search beside faiss and the reference: the same rows, machine and threads, and whether both sides
//! found the same documents. Tables have ratios first, then the figures.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;
use xtask::document::{machine, put_table};
use xtask_start::command::{root, run_cargo, status, target_folder};

use crate::bench::environment::{RATIOS, ratio, rounds, variable};
use crate::bench::sides::json_of;
use crate::measure::Cost;

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
    let text = markdown(&rows);
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
            row.agreements.push(compare(&folder, SIDES[0], side, depth)?);
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

/// Sides in the order of the table; the last one uses all that the processor has, whatever the others do.
const SIDES: [&str; 3] = ["mteb-host", "faiss", "mteb"];

/// One size and set of instructions: what the sides needed, and how the others' documents agree with ours.
struct Row {
    pub size: [usize; 3],
    pub only_avx2: bool,
    /// How many of the sides run.
    pub sides: usize,
    /// What ran on our side.
    pub kernels: String,
    /// The runs of each side.
    pub costs: [Vec<Cost>; 3],
    pub agreements: Vec<Agreement>,
}

impl Row {
    /// Nothing measured yet.
    pub fn new(size: [usize; 3], only_avx2: bool) -> Self {
        let sides = if only_avx2 { 2 } else { SIDES.len() };
        Self {
            size,
            only_avx2,
            sides,
            kernels: String::new(),
            costs: Default::default(),
            agreements: Vec::new(),
        }
    }

    fn name(&self) -> String {
        let [documents, dimension, depth] = self.size;
        format!("{documents} × {dimension}, {depth}{}", if self.only_avx2 { ", AVX2 only" } else { "" })
    }

    /// A side's figure over ours, run by run: the middle, and in brackets the least and the most. Empty if the side did not run.
    fn ratio(&self, side: usize, figure: fn(&Cost) -> f64) -> String {
        ratio(self.costs[side].iter().map(figure), self.costs[0].iter().map(figure), 1)
    }
}

/// Both tables, with the machine they were made on.
fn markdown(rows: &[Row]) -> String {
    let mut text = format!(
        "Machine: {}. {RATIOS}\n\n\
         | documents × dimension, k | time: faiss | mteb | processor time: faiss | mteb | memory: faiss | mteb | kernels that ran |\n\
         |---|---:|---:|---:|---:|---:|---:|---|\n",
        machine()
    );
    for row in rows {
        let ratios = FIGURES.map(|figure| format!("{} | {}", row.ratio(1, figure), row.ratio(2, figure)));
        text += &format!("| {} | {} | {} |\n", row.name(), ratios.join(" | "), row.kernels);
    }
    text += "\n| documents × dimension, k | side | seconds | processor, s | memory, MB | other order of ties, ranks | other documents |\n\
             |---|---|---:|---:|---:|---:|---:|\n";
    for row in rows {
        for (index, (side, costs)) in SIDES.iter().zip(&row.costs).take(row.sides).enumerate() {
            let Cost { seconds, processor, peak } = Cost::middle(costs);
            let agreement = match index.checked_sub(1).and_then(|other| row.agreements.get(other)) {
                Some(found) => format!("{} of {} | {}", found.swapped, found.ranks, found.wrong),
                None => " | ".to_owned(),
            };
            let megabytes = peak / 1e6;
            text += &format!(
                "| {} | {side} | {seconds:.2} | {processor:.2} | {megabytes:.0} | {agreement} |\n",
                row.name()
            );
        }
    }
    text
}

const FIGURES: [fn(&Cost) -> f64; 3] = [|cost| cost.seconds, |cost| cost.processor, |cost| cost.peak];

/// Scores that differ by no more may be those of a tie: sides add in other orders.
const TIE: f32 = 1e-6;

/// How two lists of the best documents differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Agreement {
    /// Ranks at which both name a document.
    pub ranks: usize,
    /// Ranks at which they name different documents whose scores tie.
    pub swapped: usize,
    /// Ranks at which they name different documents whose scores do not tie.
    pub wrong: usize,
}

/// Compares the files that two sides wrote to `folder`.
fn compare(folder: &Path, one: &str, other: &str, depth: usize) -> Result<Agreement, String> {
    let side = |name: &str| -> Result<_, String> {
        let ids = read(&folder.join(format!("{name}.ids")))?;
        Ok((ids, read(&folder.join(format!("{name}.scores")))?))
    };
    let ((ids, scores), (other_ids, other_scores)) = (side(one)?, side(other)?);
    if [scores.len(), other_ids.len(), other_scores.len()] != [ids.len(); 3] {
        return Err(format!(
            "{one} and {other} found different numbers of documents in {}",
            folder.display()
        ));
    }
    let mut agreement = Agreement::default();
    let lists = ids.chunks(depth).zip(scores.chunks(depth));
    let other_lists = other_ids.chunks(depth).zip(other_scores.chunks(depth));
    for (one, other) in lists.zip(other_lists) {
        add(&mut agreement, one, other);
    }
    Ok(agreement)
}

/// One query. At a rank with two different documents their scores must tie, and so must the scores that either side gives
/// to our document; a document that the other side lacks must tie with its last.
fn add(
    agreement: &mut Agreement,
    (ids, scores): (&[u32], &[u32]),
    (other_ids, other_scores): (&[u32], &[u32]),
) {
    let near = |one: u32, other: u32| (f32::from_bits(one) - f32::from_bits(other)).abs() <= TIE;
    for rank in 0..ids.len() {
        agreement.ranks += 1;
        let elsewhere = other_ids.iter().position(|&id| id == ids[rank]).unwrap_or(ids.len() - 1);
        let tied = near(scores[rank], other_scores[rank]) && near(scores[rank], other_scores[elsewhere]);
        if !tied {
            agreement.wrong += 1;
        } else if ids[rank] != other_ids[rank] {
            agreement.swapped += 1;
        }
    }
}

fn read(path: &Path) -> Result<Vec<u32>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect())
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

    fn agreement(one: &[(u32, f32)], other: &[(u32, f32)]) -> [usize; 2] {
        let split = |list: &[(u32, f32)]| -> (Vec<u32>, Vec<u32>) {
            list.iter().map(|&(id, score)| (id, score.to_bits())).unzip()
        };
        let ((ids, scores), (other_ids, other_scores)) = (split(one), split(other));
        let mut agreement = Agreement::default();
        add(&mut agreement, (&ids, &scores), (&other_ids, &other_scores));
        [agreement.swapped, agreement.wrong]
    }

    #[test]
    fn only_ties_may_be_swapped() {
        let ours = [(7, 0.9), (8, 0.5), (9, 0.5)];
        assert_eq!(agreement(&ours, &ours), [0, 0]);
        assert_eq!(agreement(&ours, &[(7, 0.9), (9, 0.5), (8, 0.5)]), [2, 0]);
        assert_eq!(agreement(&ours, &[(7, 0.9), (8, 0.5), (6, 0.5)]), [1, 0]);
        assert_eq!(agreement(&ours, &[(7, 0.9), (8, 0.5), (9, 0.4)]), [0, 1]);
        assert_eq!(agreement(&ours, &[(8, 0.9), (7, 0.5), (9, 0.5)]), [0, 2]);
    }
}
