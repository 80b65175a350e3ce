//! What was taken without a word, and is refused or named.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};
use tempfile::TempDir;

/// A folder with a task of one unit.
fn task() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Small", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a", "b c", 1.0), ("a b", "b c", 2.0), ("b c", "b c", 4.0)]).unwrap();
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

#[test]
fn a_task_with_a_colon_and_no_subset_is_not_a_task_with_all_of_them() {
    let folder = task();
    let run = run(folder.path(), &["run", "--registry", "task.toml", "--task", "Small:"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("task Small: expected subsets among ind; found: none after the colon"));
}

/// Puts rows as CSV into the place of the task's data, packed by gzip.
fn write_packed(folder: &Path, end: &[u8]) {
    let rows = "sentence1,sentence2,score\na,b c,1\na b,b c,2\nb c,b c,4\n";
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, rows.as_bytes()).unwrap();
    let bytes = [&encoder.finish().unwrap()[..], end].concat();
    let data = folder.join("data/ind");
    fs::remove_dir_all(&data).unwrap();
    fs::create_dir(&data).unwrap();
    fs::write(data.join("test.csv.gz"), bytes).unwrap();
}

#[test]
fn gzip_data_that_is_padded_with_zeros_is_read_and_other_bytes_behind_it_are_refused() {
    let folder = task();
    write_packed(folder.path(), &[0; 5000]);
    let padded = run(folder.path(), &["run", "--quiet", "--registry", "task.toml"]);
    assert_eq!((padded.code, padded.stderr.as_str()), (Some(0), ""));
    write_packed(folder.path(), b"\0\0rest");
    let other = run(folder.path(), &["run", "--quiet", "--registry", "task.toml"]);
    assert_eq!(other.code, Some(1), "{}", other.stderr);
    assert!(
        other.stderr.contains("test.csv.gz: expected complete gzip data, found it damaged"),
        "{}",
        other.stderr
    );
}

#[test]
fn a_name_that_is_megabytes_long_makes_no_message_as_long() {
    let folder = task();
    let name = "x".repeat(3 << 20);
    fs::write(folder.path().join("data/ind/test.jsonl"), format!("{{\"{name}\":1,\"sentence1\":\"a\"}}\n"))
        .unwrap();
    for arguments in [
        &["run", "--quiet", "--registry", "task.toml"][..],
        &["run", "--json", "--registry", "task.toml"],
        &["validate", "--data", "task.toml"],
        &["validate", "--json", "--data", "task.toml"],
        &["stats", "Small", "--registry", "task.toml"],
    ] {
        let run = run(folder.path(), arguments);
        assert_eq!(run.code, Some(1), "{arguments:?}");
        let said = run.stderr.len() + run.stdout.len();
        assert!(said > 0 && said < 20_000, "{arguments:?}: {said} bytes");
        assert!((run.stdout + &run.stderr).contains("characters are left out"), "{arguments:?}");
    }
}

#[test]
fn a_registry_that_is_a_folder_is_named_by_its_kind() {
    let folder = task();
    fs::create_dir(folder.path().join("mine")).unwrap();
    let run = run(folder.path(), &["list", "tasks", "--registry", "mine"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("mine") && run.stderr.contains("found a folder"), "{}", run.stderr);
}

#[test]
fn a_link_in_the_place_of_a_result_is_not_replaced_unasked_wherever_it_leads() {
    let folder = task();
    let results = folder.path().join("results/mteb-host__hashing/1");
    fs::create_dir_all(&results).unwrap();
    let link = results.join("Small.json");
    symlink("/nowhere/mine.json", &link).unwrap();
    let first = run(folder.path(), &["run", "--quiet", "--registry", "task.toml"]);
    assert_eq!(first.code, Some(1), "{}", first.stderr);
    assert_eq!(fs::read_link(&link).unwrap(), Path::new("/nowhere/mine.json"));
    assert!(first.stderr.contains("Small.json: "), "{}", first.stderr);
    let asked = run(folder.path(), &["run", "--quiet", "--registry", "task.toml", "--overwrite", "always"]);
    assert_eq!(asked.code, Some(0), "{}", asked.stderr);
    assert!(link.symlink_metadata().unwrap().is_file());
}

#[test]
fn a_pipe_among_the_results_of_a_leaderboard_is_named() {
    let folder = task();
    assert_eq!(run(folder.path(), &["run", "--quiet", "--registry", "task.toml"]).code, Some(0));
    let pipe = folder.path().join("results/mteb-host__hashing/1/Other.json");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let run = run(folder.path(), &["leaderboard", "--results", "results"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stderr.contains("Other.json: left out: ") && run.stderr.contains("found a pipe"),
        "{}",
        run.stderr
    );
}
