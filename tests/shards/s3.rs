//! Shards that leave their results in a bucket: `--output-folder s3://…`. Needs `MTEB_PYTHON`, an interpreter with moto.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use mteb_host_tests::{Run, python};
use serde_json::{Value, json};

use super::fixture::{Tasks, assert_same, files};

const ADDRESS: &str = "s3://results/run";

/// Where merged results go.
const MERGED: &str = "s3://results/merged";

/// Shown nowhere.
const KEY: &str = "hunter2hunter2hunter2";

/// A server with an empty bucket.
struct Bucket {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    address: String,
}

impl Bucket {
    fn start() -> Option<Self> {
        let python = python()?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("shards/bucket.py");
        let mut command = Command::new(python);
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let questions = process.stdin.take().unwrap();
        let answers = BufReader::new(process.stdout.take().unwrap());
        let mut bucket = Self { process, questions, answers, address: String::new() };
        bucket.address = bucket.line();
        if bucket.address.is_empty() {
            mteb_host_tests::absent("`MTEB_PYTHON` has no moto, of xtask/python/requirements.txt");
            return None;
        }
        Some(bucket)
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// The names of all objects, each with the time at which it was written.
    fn list_written(&mut self) -> Vec<String> {
        writeln!(self.questions, "list").unwrap();
        let count: usize = self.line().parse().unwrap();
        (0..count).map(|_| self.line()).collect()
    }

    fn names(&mut self) -> Vec<String> {
        let name = |line: String| line.rsplit_once(' ').unwrap().0.to_owned();
        self.list_written().into_iter().map(name).collect()
    }

    /// Writes all objects into a folder.
    fn save(&mut self, folder: &Path) {
        writeln!(self.questions, "save {}", folder.display()).unwrap();
        assert!(self.line().parse::<usize>().unwrap() > 0);
    }

    fn json(&mut self, name: &str) -> Value {
        writeln!(self.questions, "get {name}").unwrap();
        serde_json::from_str(&self.line()).unwrap()
    }

    fn command(&self, tasks: &Tasks, arguments: &[&str]) -> Command {
        let mut command = tasks.command(arguments);
        command.env("AWS_ENDPOINT_URL", &self.address).env("AWS_ACCESS_KEY_ID", "id");
        command.env("AWS_SECRET_ACCESS_KEY", KEY);
        command
    }

    fn host(&self, tasks: &Tasks, arguments: &[&str]) -> Run {
        let run = Run::of(&mut self.command(tasks, arguments)).unwrap();
        assert!(!run.stderr.contains(KEY) && !run.stdout.contains(KEY), "{}", run.stderr);
        run
    }

    fn shard(&self, tasks: &Tasks, shard: &str) -> Run {
        self.host(
            tasks,
            &["run", "--quiet", "--plan", "plan.json", "--shard", shard, "--output-folder", ADDRESS],
        )
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Nothing of what was scored is on this machine any more.
fn forget(tasks: &Tasks) {
    fs::remove_dir_all(tasks.folder().join("plan-shards")).unwrap();
}

#[test]
fn shards_in_a_bucket_merge_to_the_bytes_of_one_run_and_a_missing_one_is_named() {
    let Some(mut bucket) = Bucket::start() else { return };
    let tasks = Tasks::new();
    let single = tasks.single("hashing", "results");
    tasks.plan("hashing", 3, "plan.json");
    for shard in ["0", "2"] {
        let run = bucket.shard(&tasks, shard);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("Sent to {ADDRESS}/{shard}")), "{}", run.stderr);
        forget(&tasks);
    }
    let merge = ["merge", "plan.json", ADDRESS, "--output-folder", "merged"];
    let half = bucket.host(&tasks, &merge);
    assert_eq!(half.code, Some(1));
    let named = format!("run: mteb-host run --plan plan.json --shard 1 --output-folder {ADDRESS}");
    assert!(
        half.stderr.contains("error: shard 1 has not begun: ") && half.stderr.contains(&named),
        "{}",
        half.stderr
    );
    let status = bucket.host(&tasks, &["status", "plan.json", "--output-folder", ADDRESS, "--json"]);
    let status = status.json().unwrap();
    assert_eq!((&status["counts"]["done"], &status["counts"]["not_begun"]), (&json!(2), &json!(1)));
    assert_eq!(status["shards"][2]["folder"], format!("{ADDRESS}/2"));
    assert_eq!(bucket.shard(&tasks, "1").code, Some(0));
    // What was merged before the last shard was there stays in its place.
    let merged = bucket.host(&tasks, &merge);
    assert_eq!(merged.code, Some(0), "{}", merged.stderr);
    assert_same(&single, &files(&tasks.folder().join("merged")));
    assert!(bucket.names().iter().all(|name| !name.contains("/.")), "nothing that is temporary");
}

#[test]
fn a_shard_that_is_killed_while_it_sends_goes_on_elsewhere_from_what_is_there() {
    let Some(mut bucket) = Bucket::start() else { return };
    let tasks = Tasks::new();
    let single = tasks.single("hashing", "results");
    tasks.plan("hashing", 1, "plan.json");
    let arguments = ["run", "--quiet", "--plan", "plan.json", "--shard", "0", "--output-folder", ADDRESS];
    let mut child = bucket.command(&tasks, &arguments).stderr(Stdio::null()).spawn().unwrap();
    let begin = Instant::now();
    while bucket.names().is_empty() && child.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(120), "nothing was sent");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let there = bucket.names().len();
    assert!(there > 0);
    forget(&tasks);
    // Whatever is there rests on nothing that is not.
    let half = bucket.host(&tasks, &["merge", "plan.json", ADDRESS, "--output-folder", "half"]);
    assert!(!half.stderr.contains("are not there"), "{}", half.stderr);
    let run = bucket.shard(&tasks, "0");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("of {ADDRESS}/0 downloaded")), "{}", run.stderr);
    for folder in ["half", "merged"] {
        let merged = bucket.host(&tasks, &["merge", "plan.json", ADDRESS, "--output-folder", folder]);
        assert_eq!(merged.code, Some(0), "{}", merged.stderr);
        assert_same(&single, &files(&tasks.folder().join(folder)));
    }
}

#[test]
fn two_machines_that_send_the_same_shard_at_once_do_no_harm() {
    let Some(mut bucket) = Bucket::start() else { return };
    let tasks = Tasks::new();
    let single = tasks.single("hashing", "results");
    tasks.plan("hashing", 1, "plan.json");
    // Another machine has another folder beside its plan.
    fs::create_dir(tasks.folder().join("there")).unwrap();
    fs::copy(tasks.folder().join("plan.json"), tasks.folder().join("there/plan.json")).unwrap();
    let sending: Vec<Child> = ["plan.json", "there/plan.json"]
        .iter()
        .map(|plan| {
            let arguments = ["run", "--quiet", "--plan", plan, "--shard", "0", "--output-folder", ADDRESS];
            bucket.command(&tasks, &arguments).stderr(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in sending {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    assert_eq!(bucket.json("run/0/shard.json")["state"], "done");
    let merged = bucket.host(&tasks, &["merge", "plan.json", ADDRESS, "--output-folder", "merged"]);
    assert_eq!(merged.code, Some(0), "{}", merged.stderr);
    assert_same(&single, &files(&tasks.folder().join("merged")));
}

#[test]
fn what_cannot_be_sent_stays_and_the_same_command_sends_it() {
    let Some(mut bucket) = Bucket::start() else { return };
    let tasks = Tasks::new();
    tasks.plan("hashing", 2, "plan.json");
    assert_eq!(tasks.shard("plan.json", 0).code, Some(0));
    // No credentials: said at once, with their names, before anything is scored.
    let arguments = ["run", "--quiet", "--plan", "plan.json", "--shard", "0", "--output-folder", ADDRESS];
    let mut none = bucket.command(&tasks, &arguments);
    let run = Run::of(none.env_remove("AWS_SECRET_ACCESS_KEY")).unwrap();
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("found none in `AWS_SECRET_ACCESS_KEY`"), "{}", run.stderr);
    // Credentials go unencrypted to no other machine.
    let mut open = bucket.command(&tasks, &arguments);
    let run = Run::of(open.env("AWS_ENDPOINT_URL", "http://s3.example.org")).unwrap();
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("AWS_ENDPOINT_URL: expected `https://`"), "{}", run.stderr);
    // What was scored without a bucket is sent by the same command with one.
    assert_eq!(bucket.shard(&tasks, "0").code, Some(0));
    assert_eq!(bucket.json("run/0/shard.json")["state"], "done");
    // What another plan has left there is refused.
    tasks.plan("random", 2, "other.json");
    let other =
        bucket.host(&tasks, &["run", "--plan", "other.json", "--shard", "0", "--output-folder", ADDRESS]);
    assert_eq!(other.code, Some(1));
    assert!(other.stderr.contains("found that of another plan"), "{}", other.stderr);
}

#[test]
fn only_shards_go_to_a_bucket() {
    let tasks = Tasks::new();
    let run =
        tasks.host(&["run", "--registry", "mine.toml", "--model", "hashing", "--output-folder", ADDRESS]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("to which only shards of a plan send (`--plan`)"), "{}", run.stderr);
    assert!(!tasks.folder().join("s3:").exists());
}

#[test]
fn merged_results_go_to_a_bucket_and_what_others_merge_later_joins_them() {
    let Some(mut bucket) = Bucket::start() else { return };
    let tasks = Tasks::new();
    let single = tasks.single("hashing", "results");
    tasks.plan("hashing", 2, "plan.json");
    let merge = ["merge", "plan.json", ADDRESS, "--output-folder", MERGED];
    assert_eq!(bucket.shard(&tasks, "0").code, Some(0));
    assert_eq!(bucket.host(&tasks, &merge).code, Some(1), "a shard is missing");
    assert!(bucket.names().iter().any(|name| name.starts_with("merged/")));
    // From folders of shards, too.
    assert_eq!(tasks.shard("plan.json", 1).code, Some(0));
    let from_folders = ["merge", "plan.json", "--output-folder", MERGED];
    let merged = bucket.host(&tasks, &from_folders);
    assert_eq!(merged.code, Some(0), "{}", merged.stderr);
    assert!(
        merged.stdout.contains(&format!("Results are in {MERGED}/mteb-host__hashing/1")),
        "{}",
        merged.stdout
    );
    let here = tempfile::tempdir().unwrap();
    bucket.save(here.path());
    assert_same(&single, &files(&here.path().join("merged")));
    // To merge again writes nothing anew.
    let before = bucket.list_written();
    assert_eq!(bucket.host(&tasks, &from_folders).code, Some(0));
    assert_eq!(bucket.list_written(), before);
    assert!(!tasks.folder().join("s3:").exists());
}

#[test]
fn a_submitted_plan_is_scored_into_a_bucket_and_merged_from_there() {
    let Some(mut bucket) = Bucket::start() else { return };
    let tasks = Tasks::new();
    let single = tasks.single("hashing", "results");
    tasks.plan("hashing", 2, "plan.json");
    let submit = ["submit", "local", "plan.json", "--processes", "2", "--output-folder", MERGED];
    let to_bucket = ["--", "--output-folder", ADDRESS];
    let done = bucket.host(&tasks, &[&submit[..], &["--now"], &to_bucket].concat());
    assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
    assert!(done.stderr.contains(&format!("plan.json --output-folder {ADDRESS}")), "{}", done.stderr);
    let script = fs::read_to_string(tasks.folder().join("plan-local/run.sh")).unwrap();
    assert!(script.ends_with(&format!("--output-folder {MERGED} {ADDRESS}\n")), "{script}");
    assert!(script.contains(&format!("export AWS_ENDPOINT_URL={}", bucket.address)) && !script.contains(KEY));
    let here = tempfile::tempdir().unwrap();
    bucket.save(here.path());
    assert_same(&single, &files(&here.path().join("merged")));
    // What is missing is looked for in the bucket.
    forget(&tasks);
    let none = bucket.host(&tasks, &[&submit[..], &["--only-missing"], &to_bucket].concat());
    assert_eq!(none.code, Some(2));
    assert!(none.stderr.contains("expected a shard that is not done, found none"), "{}", none.stderr);
    assert!(none.stderr.ends_with(&format!("plan.json {ADDRESS}\n")), "{}", none.stderr);
}

#[test]
fn a_bucket_that_is_missing_is_named_with_what_to_do() {
    let Some(bucket) = Bucket::start() else { return };
    let tasks = Tasks::new();
    tasks.plan("hashing", 1, "plan.json");
    let nowhere = "s3://no-such-bucket/run";
    let commands: [&[&str]; 3] = [
        &["run", "--quiet", "--plan", "plan.json", "--shard", "0", "--output-folder", nowhere],
        &["status", "plan.json", "--output-folder", nowhere],
        &["merge", "plan.json", nowhere],
    ];
    for command in commands {
        let run = bucket.host(&tasks, command);
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        let expected = "expected a bucket of this name, found none (NoSuchBucket: ";
        assert!(run.stderr.contains(expected), "{}", run.stderr);
        assert!(run.stderr.contains("error: s3://no-such-bucket/run/0"), "{}", run.stderr);
        assert_eq!(run.stderr.matches("s3://").count(), 1, "{}", run.stderr);
    }
    assert!(!tasks.folder().join("plan-shards/0/shard.json").exists(), "nothing was begun");
}
