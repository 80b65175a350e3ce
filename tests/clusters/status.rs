//! `status` tells how far shards are from their folders alone.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use mteb_host_tests::{Run, host};
use mteb_shards::{ShardPlan, State};

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
