//! The virtual environment of the current folder comes with it, whoever made that: its interpreter runs once the user has said so.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};
use tempfile::TempDir;

/// A folder with a task, and an environment whose interpreter leaves a file when it runs.
fn task() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Pairs", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a", "b c", 1.0), ("d", "b c", 2.0), ("e f g", "b", 4.0)]).unwrap();
    interpreter(&folder.path().join(".venv"), "exit 1");
    folder
}

fn interpreter(environment: &Path, more: &str) {
    fs::create_dir_all(environment.join("bin")).unwrap();
    let python = environment.join("bin/python");
    let ran = environment.parent().unwrap().join("ran");
    let says = format!("#!/bin/sh\necho {HAS_RUN} >&2\ntouch {} 2>/dev/null\n{more}\n", ran.display());
    fs::write(&python, says).unwrap();
    for (place, mode) in [(environment, 0o755), (&environment.join("bin"), 0o755), (&python, 0o755)] {
        fs::set_permissions(place, fs::Permissions::from_mode(mode)).unwrap();
    }
}

fn run_host(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = host(folder);
    command.args(arguments).env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX");
    Run::of(&mut command).unwrap()
}

/// What the interpreter says: a worker can leave no file.
const HAS_RUN: &str = "THE INTERPRETER HAS RUN";

const MODEL: [&str; 7] =
    ["run", "--quiet", "--registry", "task.toml", "--offline", "--model", "mteb:maker/model"];

/// True if the interpreter has run since this was asked last.
fn has_run(folder: &Path) -> bool {
    fs::remove_file(folder.join("ran")).is_ok()
}

#[test]
fn an_interpreter_of_this_folder_runs_only_once_it_is_trusted() {
    let folder = task();
    let below = folder.path().join("below");
    fs::create_dir(&below).unwrap();
    let refused = run_host(folder.path(), &MODEL);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    let place = folder.path().canonicalize().unwrap().join(".venv");
    let hint = format!("add `--trust-python {}`", place.display());
    assert!(refused.stderr.contains(&hint), "{}", refused.stderr);
    for place in [folder.path(), &below] {
        let doctor = run_host(place, &["doctor"]);
        assert!(doctor.stdout.contains(&hint), "{}", doctor.stdout);
    }
    assert!(!has_run(folder.path()) && !refused.stderr.contains(HAS_RUN), "nobody has asked for it");
    run_host(folder.path(), &["doctor", "--trust-python", ".venv"]);
    assert!(has_run(folder.path()));
    let doctor = run_host(folder.path(), &["doctor"]);
    assert!(has_run(folder.path()), "it is remembered: {}", doctor.stdout);
    assert!(
        doctor.stdout.contains("The Python interpreter of this virtual environment is trusted"),
        "{}",
        doctor.stdout
    );
    let model = run_host(folder.path(), &MODEL);
    assert!(model.stderr.contains(HAS_RUN), "for models, too: {}", model.stderr);
}

#[test]
fn an_interpreter_that_is_another_now_is_asked_for_again() {
    let folder = task();
    run_host(folder.path(), &["doctor", "--trust-python", ".venv/bin/python"]);
    assert!(has_run(folder.path()));
    interpreter(&folder.path().join(".venv"), "exit 2");
    let refused = run_host(folder.path(), &MODEL);
    assert!(refused.stderr.contains("found one that has changed"), "{}", refused.stderr);
    assert!(!has_run(folder.path()) && !refused.stderr.contains(HAS_RUN));
}

#[test]
fn what_is_no_environment_is_not_trusted_and_a_named_interpreter_needs_no_trust() {
    let folder = task();
    let nothing = run_host(folder.path(), &["doctor", "--trust-python", "nowhere"]);
    assert!(
        nothing.stderr.contains("`--trust-python`: expected a virtual environment with `bin/python`"),
        "{}",
        nothing.stderr
    );
    assert!(!has_run(folder.path()));
    let named = run_host(folder.path(), &[&MODEL[..], &["--python", ".venv"]].concat());
    assert!(named.stderr.contains(HAS_RUN), "{}", named.stderr);
}
