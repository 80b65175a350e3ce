//! What tests of faults share: a slow task, its undisturbed results, what a run may not leave behind, and a
//! small task whose second unit holds the text that makes the faulty model misbehave.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mteb_host_tests::{
    Run, faulty_plugin, host, interruptible, skip, trust, without_times, write_pair_card, write_pairs,
};
use serde_json::Value;

/// Subsets of the slow task.
pub const SUBSETS: [&str; 6] = ["ace", "ban", "ind", "jav", "mad", "sun"];

/// More text than what the host encodes together, so that every unit is encoded and scored before the next.
const LONG: usize = 2 << 20;

/// Writes a task whose every unit takes the model 40 ms, as each has a long text of its own to sleep over.
pub fn write_slow_task(folder: &Path) {
    write_pair_card(folder, "Slow", &SUBSETS).unwrap();
    for (number, subset) in SUBSETS.iter().enumerate() {
        let (sleep, other) = (format!("SLEEP {number}{}", " ".repeat(LONG)), format!("b {number}"));
        let pairs = [(sleep.as_str(), 1.0), ("c d", 3.0 + number as f64 / 4.0), ("e f g", 4.0)];
        write_pairs(folder, subset, pairs.map(|(text, score)| (text, &other, score))).unwrap();
    }
}

/// The command that runs the slow task.
pub fn slow(folder: &Path) -> Command {
    let mut command = command(folder);
    let mut command = interruptible(command.args(["--model", "faulty"]));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The result files below `results` without what depends on the clock, by name.
pub fn results(results: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for file in files(results) {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(results).unwrap().display().to_string();
        let is_result = !name.ends_with("model_meta.json");
        found.push((name, if is_result { without_times(&text).unwrap() } else { text }));
    }
    found.sort();
    found
}

/// The results of a run that nothing disturbed.
pub fn list_undisturbed() -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    write_slow_task(folder.path());
    let run = Run::of(&mut slow(folder.path())).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    results(&folder.path().join("results"))
}

/// Runs the command to its end, and fails unless all is done, the bytes are the `expected` ones and nothing is left.
pub fn finishes(folder: &Path, expected: &[(String, String)]) {
    let run = Run::of(&mut slow(folder)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(results(&folder.join("results")), expected);
    assert_eq!(leftovers(folder), Vec::<PathBuf>::new());
    assert_eq!(processes(folder), 0);
}

/// Temporary files below `folder`.
pub fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let is_temporary = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with('.') || name.contains("tmp") || file.starts_with(folder.join("cache/workers"))
    };
    let mut left: Vec<PathBuf> = files(folder).into_iter().filter(is_temporary).collect();
    left.extend(
        fs::read_dir(folder.join("cache/workers")).into_iter().flatten().map(|entry| entry.unwrap().path()),
    );
    left
}

/// Number of running processes that were started in `folder`, once those that are ending have ended.
pub fn processes(folder: &Path) -> usize {
    let folder = folder.canonicalize().unwrap();
    let count = || numbers().filter(|number| is_running(*number, &folder)).count();
    let until = Instant::now() + Duration::from_secs(5);
    while count() > 0 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    count()
}

/// The processes that `parent` has started.
pub fn children(parent: u32) -> Vec<u32> {
    numbers().filter(|&number| stat(number).is_some_and(|(_, of)| of == parent)).collect()
}

/// Those of them in which plugins run. A process that reads files is not started again: who reads a file that takes too much
/// memory loses the unit.
pub fn plugin_workers(parent: u32) -> Vec<u32> {
    let is_worker = |number: &u32| {
        let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).nth(1) == Some(b"worker")
    };
    children(parent).into_iter().filter(is_worker).collect()
}

/// Sends `signal` to a process; it may be gone.
pub fn signal(process: u32, signal: &str) {
    let _ = Command::new("kill").args([signal, &process.to_string()]).stderr(Stdio::null()).status();
}

/// Waits until the run of `child` has written a result, or has ended.
pub fn first_result(folder: &Path, child: &mut Child) {
    let file = folder.join("results/tests__faulty/1/Slow.json");
    while !file.exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A small file system in memory that goes with this value.
pub struct SmallDisk {
    /// Where it is mounted.
    pub path: PathBuf,
}

impl SmallDisk {
    /// Mounts it at `path`; `None`, after a line that says so, where that is not allowed.
    pub fn mount(path: &Path, options: &str) -> Option<Self> {
        fs::create_dir_all(path).unwrap();
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(path).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self { path: path.to_owned() });
        }
        skip("a file system of its own can be mounted by root alone");
        None
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.path).status();
    }
}

/// The files below `folder`.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() { found.extend(files(&entry.path())) } else { found.push(entry.path()) }
    }
    found
}

fn numbers() -> impl Iterator<Item = u32> {
    fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn is_running(number: u32, folder: &Path) -> bool {
    let is_there = fs::read_link(format!("/proc/{number}/cwd")).is_ok_and(|cwd| cwd == folder);
    is_there && stat(number).is_some_and(|(state, _)| state != 'Z')
}

/// State and parent of a process.
fn stat(number: u32) -> Option<(char, u32)> {
    let stat = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

/// Runs the task with `trigger` in its second unit; the run and what became of the units.
pub fn run_with_trigger(trigger: &str) -> (Run, Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), trigger);
    let run = run(folder.path());
    let units = units(&run);
    (run, units)
}

/// A task of three subsets; the second holds the trigger.
pub fn write_task(folder: &Path, trigger: &str) {
    let subsets = ["ind", "jav", "sun"];
    write_pair_card(folder, "Trigger", &subsets).unwrap();
    for subset in subsets {
        let word = if subset == "jav" { trigger } else { "fine" };
        let pairs = [("a", "b c", 1.0), (word, "b c", 2.0), ("d e f", "b c", 4.0)];
        write_pairs(folder, subset, pairs).unwrap();
    }
}

/// Runs the task of `folder` with the faulty model.
pub fn run(folder: &Path) -> Run {
    run_with(folder, &[])
}

/// The same with more arguments.
pub fn run_with(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(command(folder).args(["--model", "faulty"]).args(arguments)).unwrap()
}

/// A run whose worker waits in the middle of a batch until it is killed.
pub fn run_that_waits(folder: &Path) -> Child {
    write_task(folder, "WAIT");
    let mut command = command(folder);
    command.args(["--model", "faulty"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = command.spawn().unwrap();
    let workers = folder.join("cache/workers");
    let is_there =
        || fs::read_dir(&workers).into_iter().flatten().flatten().any(|of| of.path().join("file").exists());
    while !is_there() {
        std::thread::sleep(Duration::from_millis(5));
    }
    run
}

/// The command without a model; the faulty plugin is installed and trusted.
pub fn command(folder: &Path) -> Command {
    let plugins = folder.join("plugins");
    if !plugins.exists() {
        faulty_plugin("faulty_model", &plugins).unwrap();
        trust(folder, &plugins).unwrap();
    }
    let mut command = host(folder);
    command.args(["run", "--registry", "task.toml", "--json", "--plugin-dir"]).arg(&plugins);
    command
}

/// What became of the units of the first task.
pub fn units(run: &Run) -> Vec<Value> {
    let report = run.json().unwrap_or_else(|_| panic!("no report: {}", run.stderr));
    report["tasks"][0]["units"].as_array().unwrap().clone()
}

/// The states of units.
pub fn states(units: &[Value]) -> Vec<&str> {
    units.iter().map(|unit| unit["state"].as_str().unwrap()).collect()
}
