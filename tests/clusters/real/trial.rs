//! What is scored on real engines: bundled tasks with the random encoder, and slow tasks that give time to disturb them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use mteb_host_tests::{Run, faulty_plugin, host, trust, without_times, write_pair_card, write_pairs};
use serde_json::Value;

use crate::clusters::stub::HOSTILE;

/// Shards of every plan.
pub const SHARDS: usize = 8;

/// Longest time that anything may take here.
pub const PATIENCE: Duration = Duration::from_secs(300);

const SLOW_TASKS: usize = 8;
const SUBSETS: [&str; 4] = ["ace", "ban", "ind", "jav"];

/// Texts over each of which the model sleeps 40 ms.
const SLEEPS: usize = 20;

/// More text than what the host encodes together, so that every unit is encoded and scored before the next.
const LONG: usize = 2 << 20;

/// A folder with a plan, and what a single run gives.
pub struct Trial {
    outer: tempfile::TempDir,
    pub folder: PathBuf,
    expected: Vec<(String, String)>,
}

impl Trial {
    /// All bundled tasks, with the random encoder.
    pub fn bundled() -> Self {
        Self::new(&["--registry", "indonesia", "--model", "random"], |_| {})
    }

    /// Tasks over which the model sleeps, half a minute in all.
    pub fn slow() -> Self {
        let mut selection: Vec<String> =
            ["--model", "faulty", "--plugin-dir", "plugins"].map(str::to_owned).into();
        selection.extend(
            (0..SLOW_TASKS).flat_map(|task| ["--registry".to_owned(), format!("slow{task}/task.toml")]),
        );
        let selection: Vec<&str> = selection.iter().map(String::as_str).collect();
        Self::new(&selection, |folder| {
            (0..SLOW_TASKS).for_each(|task| write_slow_task(&folder.join(format!("slow{task}")), task));
            faulty_plugin("faulty_model", &folder.join("plugins")).unwrap();
        })
    }

    fn new(selection: &[&str], prepare: impl Fn(&Path)) -> Self {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join(HOSTILE);
        fs::create_dir(&folder).unwrap();
        prepare(&folder);
        let plugins = folder.join("plugins");
        if plugins.exists() {
            trust(&folder, &plugins).unwrap();
        }
        let run = |words: &[&str]| {
            let run = Run::of(host(&folder).args(words)).unwrap();
            assert_eq!(run.code, Some(0), "{words:?}: {}{}", run.stdout, run.stderr);
        };
        // The single run shares no cache with the shards.
        let single =
            ["run", "--output-folder", "single", "--quiet", "--cache-dir", "cache of the single run"];
        run(&[&single, selection].concat());
        let shards = SHARDS.to_string();
        run(&[&["plan", "--shards", &shards, "--output", "plan.json"], selection].concat());
        let expected = results(&folder.join("single"));
        assert!(!expected.is_empty());
        Self { outer, folder, expected }
    }

    /// The command line of the host in the folder of the plan.
    pub fn host(&self) -> Command {
        host(&self.folder)
    }

    /// A place without odd letters in its name, for what cannot have them.
    pub fn plain_place(&self, name: &str) -> PathBuf {
        self.outer.path().join(name)
    }

    /// Fails unless the merged results are those of the single run.
    pub fn expect_same(&self) {
        let found = results(&self.folder.join("results"));
        let names =
            |files: &[(String, String)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&found), names(&self.expected));
        for ((name, found), (_, expected)) in found.iter().zip(&self.expected) {
            assert!(
                found == expected,
                "{name}: merged results are not those of the single run\n{found}\n{expected}"
            );
        }
    }

    /// Merges again by hand; the run of the command.
    pub fn merge(&self) -> Run {
        Run::of(self.host().args(["merge", "plan.json"])).unwrap()
    }

    /// What `status` tells.
    pub fn status(&self) -> Value {
        let run = Run::of(self.host().args(["status", "plan.json", "--json"])).unwrap();
        run.json().unwrap_or_else(|_| panic!("{}", run.stderr))
    }

    /// Waits until a shard runs that has scored a unit and not all; gives its number.
    pub fn wait_for_begin(&self) -> usize {
        self.begun_where(|_| true)
    }

    /// The same for a shard of which `is_meant` is true.
    pub fn begun_where(&self, is_meant: impl Fn(&Value) -> bool) -> usize {
        let is_begun = |shard: &&Value| {
            let done = shard["units_done"].as_u64().unwrap();
            shard["state"] == "running"
                && done > 0
                && done < shard["units_total"].as_u64().unwrap()
                && is_meant(shard)
        };
        wait_for("a shard that is under way", || {
            let status = self.status();
            let found = status["shards"].as_array().unwrap().iter().find(is_begun)?;
            Some(found["shard"].as_u64().unwrap() as usize)
        })
    }

    /// Numbers of the processes that score `shard`, not of those that only start them.
    pub fn processes_of(&self, shard: usize) -> Vec<u32> {
        let shard = shard.to_string();
        let is_one = |number: &u32| {
            let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
            let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
            let place = words.iter().position(|word| *word == b"--shard");
            let is_shard = place.is_some_and(|place| words.get(place + 1) == Some(&shard.as_bytes()));
            let plan = self.folder.join("plan.json");
            is_shard
                && words[0].ends_with(b"mteb-host")
                && words.contains(&plan.as_os_str().as_encoded_bytes())
        };
        let numbers = fs::read_dir("/proc").unwrap().flatten();
        numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(is_one).collect()
    }
}

/// Waits until there is an answer.
pub fn wait_for<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("waited {PATIENCE:?} for {what}");
}

/// Ends a process at once.
pub fn kill(process: u32) {
    let _ = Command::new("kill").args(["-KILL", &process.to_string()]).output();
}

/// Runs `command`; fails unless it ends well.
pub fn succeed(command: &mut Command) -> Run {
    let run = Run::of(command).unwrap();
    assert_eq!(run.code, Some(0), "{command:?}: {}{}", run.stdout, run.stderr);
    run
}

fn write_slow_task(folder: &Path, task: usize) {
    fs::create_dir_all(folder).unwrap();
    write_pair_card(folder, &format!("Slow{task}"), &SUBSETS).unwrap();
    for (number, subset) in SUBSETS.iter().enumerate() {
        let long = format!("{task} {number}{}", " ".repeat(LONG));
        let sleeps: Vec<String> = (0..SLEEPS).map(|sleep| format!("SLEEP {task} {number} {sleep}")).collect();
        let slow = sleeps.iter().enumerate().map(|(place, text)| (text.as_str(), "b c", place as f64 % 5.0));
        write_pairs(folder, subset, slow.chain([(long.as_str(), "d e f", 4.0)])).unwrap();
    }
}

/// The files below `folder`, results without what depends on the clock.
fn results(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for file in files(folder) {
        let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
        let name = file.strip_prefix(folder).unwrap().display().to_string();
        let is_result = name.ends_with(".json") && !name.ends_with("model_meta.json");
        found.push((name, if is_result { without_times(&text).unwrap() } else { text }));
    }
    found.sort();
    found
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() { found.extend(files(&entry.path())) } else { found.push(entry.path()) }
    }
    found
}
