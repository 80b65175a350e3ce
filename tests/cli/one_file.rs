//! The program is one file: alone in an empty home it has the default models and the Indonesian pack.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host, host_binary};

const TASK: [&str; 6] = ["run", "--registry", "indonesia", "--task", "IndonesianGeneralSTS", "--json"];

/// The program in a folder with nothing beside it, which sees nothing of this environment.
fn alone(folder: &Path, arguments: &[&str]) -> Run {
    let program = folder.join("bin/mteb-host");
    fs::create_dir_all(folder.join("bin")).unwrap();
    if !program.exists() {
        let _ =
            fs::hard_link(host_binary(), &program).or_else(|_| fs::copy(host_binary(), &program).map(drop));
    }
    let mut command = Command::new(program);
    Run::of(command.args(arguments).current_dir(folder).env_clear().env("HOME", folder)).unwrap()
}

#[test]
fn alone_in_an_empty_home_it_runs_the_bundled_benchmark_as_anywhere() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for model in ["hashing", "random"] {
        let run = alone(folder.path(), &[&TASK[..], &["--model", model]].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let expected = Run::of(host(other.path()).args(TASK).args(["--model", model])).unwrap();
        let score = |run: &Run| run.json().unwrap()["mean_task"].as_f64().unwrap();
        assert_eq!(score(&run), score(&expected), "{model}");
    }
}

#[test]
fn the_plugins_in_it_are_listed_by_name_and_no_file_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let listed = alone(folder.path(), &["list", "plugins", "--json"]).json().unwrap();
    let listed = listed.as_array().unwrap();
    let paths: Vec<&str> = listed.iter().map(|plugin| plugin["path"].as_str().unwrap()).collect();
    let expected = ["api", "hashing-encoder", "indonesia", "python", "random-encoder"];
    assert_eq!(paths, expected.map(|name| format!("builtin:{name}")));
    let checksums = listed.iter().map(|plugin| plugin["sha256"].as_str().unwrap());
    assert!(checksums.clone().all(|checksum| checksum.len() == 64));
    assert_eq!(checksums.collect::<std::collections::BTreeSet<_>>().len(), expected.len());
}
