//! How many instructions the hot paths of the host take: counted by callgrind, compared with the committed
//! table `tools/bench/instructions.toml`, and said where they have changed since that was recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::{fmt, fs};

use serde::Deserialize;
use xtask_start::command::{root, run_cargo, target_folder};

/// How to write the table again.
const RECORD: &str = "cargo xtask bench instructions --record";

/// Counts all paths. One that takes more instructions than the table allows fails the command.
pub fn instructions() -> Result<ExitCode, String> {
    let recorded = Table::read()?;
    let counted = Table { compiler: compiler()?, counts: count_all()? };
    let changes = changes(&recorded.counts, &counted.counts);
    changes.iter().for_each(|change| println!("{change}"));
    if recorded.compiler != counted.compiler {
        println!("{}", other_compiler(&recorded.compiler, &counted.compiler));
    }
    let failed: Vec<&Change> = changes.iter().filter(|change| change.fails()).collect();
    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("{}", failure(&failed));
    Ok(ExitCode::FAILURE)
}

/// Counts all paths and writes the table.
pub fn record_instructions() -> Result<ExitCode, String> {
    let counted = Table { compiler: compiler()?, counts: count_all()? };
    let before = Table::read().map(|table| table.counts).unwrap_or_default();
    changes(&before, &counted.counts).iter().for_each(|change| println!("{change}"));
    counted.write()?;
    Ok(ExitCode::SUCCESS)
}

fn other_compiler(recorded: &str, found: &str) -> String {
    format!(
        "The counts were recorded with {recorded}, and this is {found}: a change may be the compiler's. \
         `RUSTUP_TOOLCHAIN` chooses another one."
    )
}

fn failure(failed: &[&Change]) -> String {
    let reasons: Vec<String> = failed.iter().map(|change| change.to_string()).collect();
    format!(
        "{FILE}: expected as many instructions as recorded, or at most {PERCENT} % more, found: {}; if that is meant, \
         record the counts with `{RECORD}`",
        reasons.join("; ")
    )
}

/// The function whose instructions are counted, with all that it calls.
const COUNTED: &str = "*hot_paths*counted_work*";

/// Builds the program and counts each of its paths.
///
/// # Errors
/// If valgrind is missing, the processor has no AVX2, or a path fails.
fn count_all() -> Result<BTreeMap<String, u64>, String> {
    check_processor()?;
    check_valgrind()?;
    // The release build without symbols would hide the counted function.
    run_cargo(&["build", "--profile", "profiling", "--package", "mteb-bench", "--example", "hot_paths"])?;
    let program = target_folder().join("profiling/examples/hot_paths");
    let program = program.canonicalize().map_err(|error| format!("{}: {error}", program.display()))?;
    let names = output(&mut Command::new(&program))?;
    let names = String::from_utf8_lossy(&names.stdout).into_owned();
    names.lines().map(|name| Ok((name.to_owned(), count(&program, name)?))).collect()
}

/// What `rustc --version` says.
fn compiler() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let said = output(Command::new(rustc).arg("--version").current_dir(root()))?;
    Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
}

/// The instructions of one path.
fn count(program: &Path, name: &str) -> Result<u64, String> {
    let folder = empty_folder(name)?;
    // Paths of fixed length and nothing from the environment: both lie in memory and are read.
    let mut command = Command::new("valgrind");
    command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command.env("RAYON_NUM_THREADS", "1").current_dir(&folder);
    command.args(["--tool=callgrind", "--callgrind-out-file=callgrind.out"]);
    command.arg(format!("--toggle-collect={COUNTED}"));
    output(command.arg(program).args([name, "."]))?;
    let counts = folder.join("callgrind.out");
    let text = fs::read_to_string(&counts).map_err(|error| format!("{}: {error}", counts.display()))?;
    total(&text).filter(|count| *count > 0).ok_or_else(|| {
        format!(
            "{}: expected a line `totals:` with the instructions of {COUNTED}, found none",
            counts.display()
        )
    })
}

/// The sum that callgrind writes at the end of its file.
fn total(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

fn empty_folder(name: &str) -> Result<PathBuf, String> {
    let folder = target_folder().join("bench/instructions").join(name);
    let fault = |error| format!("{}: {error}", folder.display());
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(fault(error)),
        _ => fs::create_dir_all(&folder).map_err(fault)?,
    }
    Ok(folder)
}

fn check_valgrind() -> Result<(), String> {
    match Command::new("valgrind").arg("--version").output() {
        Ok(said) if said.status.success() => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err("expected the program `valgrind`, found none; install it with `apt-get install valgrind`, \
                 `dnf install valgrind` or `pacman -S valgrind`"
                .to_owned())
        }
        Ok(said) => Err(format!("`valgrind --version` failed ({})", said.status)),
        Err(error) => Err(format!("cannot run valgrind: {error}")),
    }
}

/// The table has the counts of code for AVX2, which callgrind offers where the processor has it.
#[cfg(target_arch = "x86_64")]
fn check_processor() -> Result<(), String> {
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") { Ok(()) } else { Err(no_avx2()) }
}

#[cfg(not(target_arch = "x86_64"))]
fn check_processor() -> Result<(), String> {
    Err(no_avx2())
}

fn no_avx2() -> String {
    "expected a processor with AVX2 and FMA, whose instructions are recorded, found another one".to_owned()
}

fn output(command: &mut Command) -> Result<Output, String> {
    let said = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if said.status.success() {
        return Ok(said);
    }
    Err(format!("{command:?} failed ({}): {}", said.status, String::from_utf8_lossy(&said.stderr)))
}

/// The table's file, below the root of the workspace.
const FILE: &str = "tools/bench/instructions.toml";

const HEAD: &str = "\
# Instructions of the hot paths in tools/bench/examples/hot_paths, which `cargo xtask bench instructions` compares with.
# Written by `cargo xtask bench instructions --record`; another compiler gives other counts.
";

/// Counts and what they were made with.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// What `rustc --version` said.
    pub compiler: String,
    /// Instructions of each path.
    pub counts: BTreeMap<String, u64>,
}

impl Table {
    /// Reads the committed table.
    pub fn read() -> Result<Self, String> {
        let text = fs::read_to_string(path()).map_err(|error| format!("{FILE}: {error}"))?;
        Self::parse(&text)
    }

    /// Writes the table in place of the committed one.
    pub fn write(&self) -> Result<(), String> {
        fs::write(path(), self.text()).map_err(|error| format!("{FILE}: {error}"))
    }

    fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| format!("{FILE}: {error}"))
    }

    fn text(&self) -> String {
        let counts: String = self.counts.iter().map(|(name, count)| format!("{name} = {count}\n")).collect();
        format!("{HEAD}compiler = {:?}\n\n[counts]\n{counts}", self.compiler)
    }
}

fn path() -> PathBuf {
    root().join(FILE)
}

/// Percent by which a path may grow.
const PERCENT: f64 = 3.0;

/// A path's recorded and counted instructions.
#[derive(Debug)]
struct Change {
    pub name: String,
    /// `None` if the table does not have the path.
    pub recorded: Option<u64>,
    /// `None` if the program does not have the path.
    pub counted: Option<u64>,
}

/// All paths of the table and of the program, by name.
fn changes(recorded: &BTreeMap<String, u64>, counted: &BTreeMap<String, u64>) -> Vec<Change> {
    let names: BTreeSet<&String> = recorded.keys().chain(counted.keys()).collect();
    let change = |name: &String| Change {
        name: name.clone(),
        recorded: recorded.get(name).copied(),
        counted: counted.get(name).copied(),
    };
    names.into_iter().map(change).collect()
}

impl Change {
    /// True if the path has grown too much, or only one side has it.
    pub fn fails(&self) -> bool {
        self.percent().is_none_or(|percent| percent > PERCENT)
    }

    fn percent(&self) -> Option<f64> {
        let (recorded, counted) = (self.recorded?, self.counted?);
        Some(100.0 * (counted as f64 - recorded as f64) / recorded as f64)
    }
}

impl fmt::Display for Change {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let name = &self.name;
        match (self.recorded, self.counted) {
            (Some(recorded), Some(counted)) => {
                let percent = self.percent().unwrap_or(0.0);
                write!(out, "{name}: {counted} instructions, {percent:+.2} % of {recorded}")?;
                if percent < -PERCENT { write!(out, "; worth recording") } else { Ok(()) }
            }
            (None, Some(counted)) => write!(out, "{name}: {counted} instructions, none recorded"),
            (_, None) => write!(out, "{name}: recorded, but there is no such path"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_path_the_growth_and_the_command_that_records() {
        let counts = |count| BTreeMap::from([("bm25".to_owned(), count)]);
        let changes = changes(&counts(1000), &counts(1040));
        let text = failure(&changes.iter().collect::<Vec<_>>());
        assert!(text.contains("bm25: 1040 instructions, +4.00 % of 1000"), "{text}");
        assert!(text.ends_with("record the counts with `cargo xtask bench instructions --record`"), "{text}");
    }

    #[test]
    fn the_total_is_the_sum_at_the_end() {
        assert_eq!(total("events: Ir\nsummary: 12\nfn=(1) work\n1 12\ntotals: 12\n"), Some(12));
        assert_eq!(total("events: Ir\n"), None);
    }

    #[test]
    fn what_is_written_is_read() {
        let counts = BTreeMap::from([("bm25".to_owned(), 5), ("k_means".to_owned(), 123_456_789)]);
        let table = Table { compiler: "rustc 1.95.0 (59807616e 2026-04-14)".to_owned(), counts };
        assert_eq!(Table::parse(&table.text()).unwrap(), table);
    }

    #[test]
    fn the_committed_table_can_be_read() {
        assert!(!Table::read().unwrap().counts.is_empty());
    }

    fn of(recorded: Option<u64>, counted: Option<u64>) -> Change {
        Change { name: "bm25".to_owned(), recorded, counted }
    }

    #[test]
    fn a_path_may_grow_by_three_percent_and_shrink_by_any() {
        assert!(!of(Some(1000), Some(1030)).fails());
        assert!(of(Some(1000), Some(1031)).fails());
        assert!(!of(Some(1000), Some(10)).fails());
        assert_eq!(
            of(Some(1000), Some(900)).to_string(),
            "bm25: 900 instructions, -10.00 % of 1000; worth recording"
        );
    }

    #[test]
    fn a_path_that_only_one_side_has_fails() {
        let counts = |name: &str| BTreeMap::from([(name.to_owned(), 5)]);
        let found = changes(&counts("old"), &counts("new"));
        assert!(found.iter().all(Change::fails));
        let found: Vec<String> = found.iter().map(Change::to_string).collect();
        assert_eq!(found, ["new: 5 instructions, none recorded", "old: recorded, but there is no such path"]);
    }
}
