//! `cargo xtask prove`: scores made data with the reference and the host, and keeps the outcome of each
//! task in a table. The README has the counts of that table, and of the tasks that run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::command::{root, run_cargo, status, target_folder};

/// The verdicts, one line a task: name, verdict, subsets, what more is to be said.
const TABLE: &str = "registries/proofs.tsv";

const USAGE: &str =
    "usage: cargo xtask prove [--python FILE] [--host FILE] [--sample COUNT] [--seed N] [--resume] [TASK…]";

/// Of all made data; the sample that `cargo xtask test` proves again is drawn by it, too.
const SEED: u64 = 1;

/// Tasks that `cargo xtask test` proves again.
const SAMPLE: usize = 40;

struct Options {
    python: PathBuf,
    host: Option<PathBuf>,
    sample: Option<usize>,
    seed: u64,
    /// True to go on where a run that was cut off stopped.
    resume: bool,
    tasks: Vec<String>,
}

/// Proves the named tasks, or all, and writes their verdicts into the table; with `--sample` compares them with it.
pub fn prove(args: &[String]) -> Result<ExitCode, String> {
    let options = Options::read(args)?;
    let table = read_table()?;
    let tasks = match options.sample {
        Some(count) => draw_tasks(&table, count, options.seed),
        None => options.tasks.clone(),
    };
    let found = score_tasks(&options, &tasks)?;
    if options.sample.is_some() {
        return compare_tables(&table, &found);
    }
    let mut table = if tasks.is_empty() { BTreeMap::new() } else { table };
    table.extend(found.verdicts);
    let lines: Vec<&str> = table.values().map(String::as_str).collect();
    let file = root().join(TABLE);
    let text = format!("{}\ntask\tverdict\tsubsets\tdetail\n{}\n", found.versions, lines.join("\n"));
    fs::write(&file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    println!("{}", counts(&table));
    Ok(ExitCode::SUCCESS)
}

/// Proves a sample again where MTEB_REFERENCE names a Python with the reference; the README counts as the table does.
pub fn check() -> Result<(), String> {
    let table = read_table()?;
    check_counts(&table.iter().map(|(task, line)| (task.as_str(), verdict(line))).collect())?;
    if std::env::var_os("MTEB_REFERENCE").is_none() {
        println!("no task was proved again: MTEB_REFERENCE names no Python with mteb 2.26.24");
        return Ok(());
    }
    prove(&["--sample".to_owned(), SAMPLE.to_string()]).map(drop)
}

impl Options {
    fn read(args: &[String]) -> Result<Self, String> {
        let python = std::env::var_os("MTEB_REFERENCE").map(PathBuf::from);
        let (mut python, mut host, mut sample, mut seed) = (python, None, None, SEED);
        let (mut resume, mut tasks) = (false, Vec::new());
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(USAGE.to_owned());
            match arg.as_str() {
                "--python" => python = Some(PathBuf::from(value()?)),
                "--host" => host = Some(PathBuf::from(value()?)),
                "--sample" => sample = Some(value()?.parse().map_err(|_| USAGE.to_owned())?),
                "--seed" => seed = value()?.parse().map_err(|_| USAGE.to_owned())?,
                "--resume" => resume = true,
                option if option.starts_with('-') => return Err(USAGE.to_owned()),
                task => tasks.push(task.to_owned()),
            }
        }
        let python = python.ok_or(
            "expected a Python in which mteb 2.26.24 is installed, found none; name it with `--python FILE` or MTEB_REFERENCE",
        )?;
        Ok(Self { python, host, sample, seed, resume, tasks })
    }
}

/// What a run of the script found.
struct Found {
    /// The line of versions.
    versions: String,
    /// Lines by task.
    verdicts: BTreeMap<String, String>,
}

fn score_tasks(options: &Options, tasks: &[String]) -> Result<Found, String> {
    let host = match &options.host {
        Some(host) => host.clone(),
        None => {
            run_cargo(&["build", "--package", "mteb-host", "--package", "mteb-plugin-random"])?;
            target_folder().join("debug/mteb-host")
        }
    };
    let output = target_folder().join("proofs.tsv");
    let mut command = Command::new(&options.python);
    command.arg(root().join("xtask/prove")).arg("--host").arg(absolute(&host)?);
    command.arg("--registries").arg(root().join("registries")).arg("--output").arg(&output);
    command
        .args(["--seed", &options.seed.to_string()])
        .args(options.resume.then_some("--resume"))
        .args(tasks);
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONHASHSEED", "0");
    if !status(&mut command)?.success() {
        return Err("the tasks could not be proved".to_owned());
    }
    let text = fs::read_to_string(&output).map_err(|error| format!("{}: {error}", output.display()))?;
    let (versions, lines) = text.split_once('\n').unwrap_or((&text, ""));
    Ok(Found { versions: versions.to_owned(), verdicts: by_task(lines) })
}

fn absolute(path: &Path) -> Result<PathBuf, String> {
    path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))
}

fn read_table() -> Result<BTreeMap<String, String>, String> {
    let file = root().join(TABLE);
    let text = if file.exists() { fs::read_to_string(&file) } else { Ok(String::new()) };
    let text = text.map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(by_task(&text.lines().skip(2).collect::<Vec<_>>().join("\n")))
}

fn by_task(lines: &str) -> BTreeMap<String, String> {
    let lines = lines.lines().filter_map(|line| Some((line.split('\t').next()?.to_owned(), line.to_owned())));
    lines.collect()
}

fn verdict(line: &str) -> &str {
    line.split('\t').nth(1).unwrap_or_default()
}

/// `count` of the tasks that the table calls equal, drawn by `seed`.
fn draw_tasks(table: &BTreeMap<String, String>, count: usize, seed: u64) -> Vec<String> {
    let mut tasks: Vec<&String> =
        table.iter().filter(|(_, line)| verdict(line) == "equal").map(|(task, _)| task).collect();
    let (mut state, mut drawn) = (seed, Vec::new());
    while drawn.len() < count && !tasks.is_empty() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let place = usize::try_from(state >> 33).unwrap_or_default() % tasks.len();
        drawn.push(tasks.swap_remove(place).clone());
    }
    drawn
}

fn compare_tables(table: &BTreeMap<String, String>, found: &Found) -> Result<ExitCode, String> {
    let is_other = |(task, line): &(&String, &String)| {
        table.get(*task).is_none_or(|known| verdict(known) != verdict(line))
    };
    let others: Vec<&str> = found.verdicts.iter().filter(is_other).map(|(_, line)| line.as_str()).collect();
    if others.is_empty() {
        println!("{} tasks proved again", found.verdicts.len());
        return Ok(ExitCode::SUCCESS);
    }
    Err(format!("expected the verdicts of {TABLE}, found others:\n{}", others.join("\n")))
}

fn counts(table: &BTreeMap<String, String>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in table.values() {
        *counts.entry(verdict(line)).or_default() += 1;
    }
    let counts: Vec<String> =
        counts.into_iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    format!("{} tasks: {}", table.len(), counts.join(", "))
}

/// Fails if the README does not say how many tasks run, are verified, differ, and could not be made.
/// `verdicts` are those of all tasks.
fn check_counts(verdicts: &BTreeMap<&str, &str>) -> Result<(), String> {
    let read = |name: &str| fs::read_to_string(root().join(name)).map_err(|error| format!("{name}: {error}"));
    let (text, registry) = (read("README.md")?, read("registries/mteb.toml")?);
    match expected_words(verdicts, &tasks(&registry)).into_iter().find(|words| !text.contains(words)) {
        None => Ok(()),
        Some(words) => Err(format!(
            "README.md: expected the counts of `registries/proofs.tsv`, \"{words}\", found others or none"
        )),
    }
}

/// The tasks that a registry names.
fn tasks(registry: &str) -> BTreeSet<&str> {
    let list = registry.split_once("tasks = [").and_then(|(_, rest)| rest.split_once(']'));
    list.map_or("", |(list, _)| list).split('"').skip(1).step_by(2).collect()
}

/// The words that the README must have; of tasks without made data only if there are any.
fn expected_words(verdicts: &BTreeMap<&str, &str>, tasks: &BTreeSet<&str>) -> Vec<String> {
    let count = |verdict: &str| verdicts.values().filter(|found| **found == verdict).count();
    let unsupported = tasks.iter().filter(|task| verdicts.get(**task) == Some(&"unsupported")).count();
    let (runs, all) = (group_digits(tasks.len() - unsupported), group_digits(tasks.len()));
    let unmade = count("not made");
    let words = [
        format!("{runs} of mteb's {all} text tasks"),
        format!("{} are verified", group_digits(count("equal"))),
        format!("the {} tasks where something differs", group_digits(count("differs"))),
    ];
    let unmade =
        (unmade > 0).then(|| format!("the {} for which no data could be generated", group_digits(unmade)));
    words.into_iter().chain(unmade).collect()
}

/// A number as people write it: 1,281.
fn group_digits(number: usize) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", group_digits(number / 1000), number % 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_run_are_counted_among_those_of_the_registry() {
        let registry =
            "tasks = [\n    \"A\",\n    \"B\",\n    \"C\",\n]\n[[benchmark]]\ntasks = [\n    \"D\",\n]\n";
        let verdicts =
            [("A", "equal"), ("B", "unsupported"), ("C", "mean"), ("D", "unsupported"), ("E", "differs")];
        let found = expected_words(&verdicts.into_iter().collect(), &tasks(registry));
        assert_eq!(
            found,
            ["2 of mteb's 3 text tasks", "1 are verified", "the 1 tasks where something differs"]
        );
        assert_eq!(
            [group_digits(47), group_digits(1281), group_digits(1_000_024)],
            ["47", "1,281", "1,000,024"]
        );
    }
}
