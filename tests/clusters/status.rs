//! What lies beside a plan: `status` tells how far shards are from their folders alone, and a second submission
//! repeats no option of the first one.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use mteb_host_tests::{Run, host};
use mteb_shards::{ShardPlan, State};
use serde_json::{Value, json};

use super::stub::{say, write_plan};

#[allow(clippy::disallowed_methods, reason = "a shard says when it was seen by the wall clock")]
fn now() -> f64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs_f64()
}

#[test]
fn every_shard_is_done_running_silent_failed_or_not_begun() {
    let folder = tempfile::tempdir().unwrap();
    let plan = write_plan(folder.path(), 6);
    let now = now();
    say(&plan, 0, State::Done, (2, 0), (now - 900.0, now - 700.0));
    say(&plan, 1, State::Running, (1, 0), (now - 100.0, now - 5.0));
    say(&plan, 2, State::Running, (0, 0), (now - 90_000.0, now - 90_000.0));
    say(&plan, 3, State::Failed, (1, 1), (now - 500.0, now - 400.0));
    say(&plan, 5, State::Done, (2, 0), (now - 900.0, now - 700.0));
    // A folder that was copied from another plan is not taken for a shard of this one.
    let other = ShardPlan::shards_folder(&plan).join("5/shard.json");
    let text = fs::read_to_string(&other).unwrap();
    let hash = ShardPlan::read(&plan).unwrap().hash();
    fs::write(&other, text.replace(&hash, &"0".repeat(64))).unwrap();
    let run = Run::of(host(folder.path()).args(["status", "plan.json", "--json"])).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let answer = run.json().unwrap();
    let states: Vec<&str> =
        answer["shards"].as_array().unwrap().iter().map(|shard| shard["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["done", "running", "silent", "failed", "not_begun", "unreadable"]);
    assert_eq!(answer["counts"]["silent"], 1);
    // An estimated second took one: half of shard 1, and shard 4, by the one that runs.
    let left = answer["seconds_left"].as_f64().unwrap();
    assert!((250.0..350.0).contains(&left), "{left}");
    let run = Run::of(host(folder.path()).args(["status", "plan.json"])).unwrap();
    let last = run.stdout.lines().last().unwrap();
    assert!(
        last.starts_with(
            "1 done, 1 running, 1 silent, 1 failed, 1 unreadable, 1 not begun of 6 shards; 4 of 12 units scored; about"
        ),
        "{last}"
    );
    assert!(
        run.stderr.contains("to resume it: mteb-host run --plan plan.json --shard 3\n"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("shard 2: nothing was heard of it for 25.0 h; it was on node2"),
        "{}",
        run.stderr
    );
}

#[test]
fn watching_ends_when_every_shard_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let plan = write_plan(folder.path(), 2);
    say(&plan, 0, State::Done, (2, 0), (1.0, 2.0));
    let mut command = host(folder.path());
    command.args(["status", "plan.json", "--watch"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    say(&plan, 1, State::Done, (2, 0), (1.0, 2.0));
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.lines().last(), Some("2 done of 2 shards; 4 of 4 units scored"));
}

fn submit(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).env("HF_TOKEN", "hunter2hunter2").arg("submit").args(arguments)).unwrap()
}

fn done(folder: &Path, arguments: &[&str]) -> Run {
    let run = submit(folder, arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn file(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// What is remembered of Slurm.
fn read_remembered(folder: &Path) -> Value {
    let all: Value = serde_json::from_str(&file(folder, "plan-submit.json")).unwrap();
    all["engines"]["slurm"].clone()
}

const FIRST: [&str; 12] = [
    "slurm",
    "plan.json",
    "--gres=gpu:1",
    "--memory",
    "32G",
    "--time",
    "12:00:00",
    "--container",
    "apptainer exec image.sif",
    "--module=cuda",
    "--",
    "--offline",
];

#[test]
fn missing_shards_are_submitted_with_the_options_of_the_first_submission() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let plan = write_plan(folder, 3);
    done(folder, &FIRST);
    let first = file(folder, "plan-slurm/shards.sbatch");
    assert!(first.contains("#SBATCH --array=0-2\n"), "{first}");
    say(&plan, 0, mteb_shards::State::Done, (2, 0), (1.0, 2.0));
    let again = done(folder, &["slurm", "plan.json", "--only-missing"]);
    assert_eq!(file(folder, "plan-slurm/shards.sbatch"), first.replace("--array=0-2", "--array=1-2"));
    assert!(again.stderr.contains("--gres=gpu:1 --memory=32G"), "{}", again.stderr);
    // What is given again replaces what is remembered, and alone that.
    done(folder, &["slurm", "plan.json", "--memory=64G", "--module=gcc", "--", "--device", "cuda"]);
    let changed = first.replace("--mem=32G", "--mem=64G").replace("module load cuda", "module load gcc");
    let found = file(folder, "plan-slurm/shards.sbatch");
    assert_eq!(found.replace(" --device=cuda", ""), changed);
    assert!(found.contains(" --device=cuda") && found.contains(" --offline"), "{found}");
    // The file can be changed, and options can be forgotten.
    let text = file(folder, "plan-submit.json").replace("--memory=64G", "--memory=16G");
    fs::write(folder.join("plan-submit.json"), text).unwrap();
    done(folder, &["slurm", "plan.json"]);
    assert!(file(folder, "plan-slurm/shards.sbatch").contains("#SBATCH --mem=16G\n"));
    done(folder, &["slurm", "plan.json", "--forget", "--cpus=2"]);
    let found = file(folder, "plan-slurm/shards.sbatch");
    assert!(
        found.contains("--cpus-per-task=2\n") && !found.contains("--mem") && !found.contains("--offline")
    );
    assert_eq!(read_remembered(folder)["options"], json!(["--cpus=2"]));
}

#[test]
fn only_files_that_somebody_has_changed_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_plan(folder, 2);
    done(folder, &FIRST);
    done(folder, &["slurm", "plan.json", "--memory=64G"]);
    let script = folder.join("plan-slurm/shards.sbatch");
    let own = file(folder, "plan-slurm/shards.sbatch") + "# mine\n";
    fs::write(&script, &own).unwrap();
    let kept = submit(folder, &["slurm", "plan.json", "--memory=16G"]);
    assert_eq!(kept.code, Some(2));
    assert!(
        kept.stderr.contains("shards.sbatch: expected no file or one as it was written"),
        "{}",
        kept.stderr
    );
    assert_eq!(fs::read_to_string(&script).unwrap(), own);
    done(folder, &["slurm", "plan.json", "--memory=16G", "--replace"]);
    assert!(!fs::read_to_string(&script).unwrap().contains("# mine"));
}

#[test]
fn an_option_that_may_hold_a_secret_is_used_and_not_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_plan(folder, 2);
    for setup in ["export HF_TOKEN=hf_abc", "login hunter2hunter2"] {
        let run = done(folder, &["slurm", "plan.json", "--memory=32G", "--setup", setup]);
        assert!(file(folder, "plan-slurm/shards.sbatch").contains(setup));
        assert!(run.stderr.contains("`--setup` may hold a secret"), "{}", run.stderr);
        assert_eq!(read_remembered(folder)["options"], json!(["--memory=32G"]));
    }
}

#[test]
fn folders_are_remembered_whole_and_a_damaged_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    write_plan(&folder, 2);
    fs::create_dir(folder.join("other")).unwrap();
    done(&folder, &["local", "plan.json", "--output-folder", "scores", "--output", "jobs"]);
    done(&folder.join("other"), &["local", "../plan.json"]);
    let script = file(&folder, "jobs/run.sh");
    assert!(script.contains(&format!("--output-folder {}", folder.join("scores").display())), "{script}");
    fs::write(folder.join("plan-submit.json"), "{\"schema\": 1, \"typo\": 1}").unwrap();
    let damaged = submit(&folder, &["local", "plan.json"]);
    assert_eq!(damaged.code, Some(2));
    assert!(
        damaged.stderr.contains("plan-submit.json: expected the options of earlier submissions"),
        "{}",
        damaged.stderr
    );
}

#[test]
fn options_of_run_that_no_shard_would_take_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    write_plan(folder.path(), 2);
    for (option, said) in [("--allow-env=HF_TOKEN", "expected `NAME=HOST`"), ("--ofline", "--ofline")] {
        let run = submit(folder.path(), &["slurm", "plan.json", "--", option]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains("after `--`: ") && run.stderr.contains(said), "{}", run.stderr);
        assert!(!folder.path().join("plan-slurm").exists());
    }
}
