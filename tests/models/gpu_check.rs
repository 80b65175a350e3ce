//! The check of a GPU, rehearsed on the processor: what is not as it must be ends it with 1, and is named.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, plugin_folder, python, root};
use serde_json::Value;

#[test]
fn a_plugin_that_gives_no_rows_of_the_models_does_not_pass() {
    let Some(python) = python() else { return };
    let (folder, built) = (tempfile::tempdir().unwrap(), plugin_folder());
    let mut check = Command::new(built.join("mteb-bench"));
    check
        .args(["gpu-check", "--device", "cpu", "--parts", "equality", "--budget", "3600", "--python"])
        .arg(&python);
    check.arg("--binaries").arg(&built).arg("--plugin").arg(built.join("examples/librandom_encoder.so"));
    // Two models do: what fails is found in the first.
    let golden = folder.path().join("golden");
    for place in ["texts.json", "models/bert", "models/cross-bert"] {
        copy(&root().join("tests/golden/torch").join(place), &golden.join(place));
    }
    check.arg("--golden").arg(&golden).arg("--out").arg(folder.path());
    let run = Run::of(&mut check).unwrap();
    assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
    let report = fs::read_to_string(folder.path().join("gpu-check.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let findings = report["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["part"] == "equality" && finding["verdict"] == "FAILED"));
    let page = fs::read_to_string(folder.path().join("gpu-check.md")).unwrap();
    assert!(page.contains("nothing of this was run on a GPU") && page.contains("| FAILED |"), "{page}");
    assert!(!folder.path().join("work").exists(), "what was made is removed");
}

/// A file, or a folder with all that lies below it.
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        for entry in fs::read_dir(from).unwrap().flatten() {
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
    }
}

#[test]
fn a_gpu_that_is_not_there_is_said_before_anything_is_made() {
    let Some(python) = python() else { return };
    let (folder, built) = (tempfile::tempdir().unwrap(), plugin_folder());
    let mut check = Command::new(built.join("mteb-bench"));
    check
        .args(["gpu-check", "--python"])
        .arg(&python)
        .arg("--out")
        .arg(folder.path())
        .env("CUDA_VISIBLE_DEVICES", "");
    check.arg("--binaries").arg(&built).arg("--plugin").arg(built.join("examples/librandom_encoder.so"));
    let run = Run::of(check.arg("--golden").arg(root().join("tests/golden/torch"))).unwrap();
    assert_eq!(run.code, Some(2), "{}{}", run.stdout, run.stderr);
    assert!(
        run.stderr.contains("expected a GPU that the PyTorch of") && run.stderr.contains("`--device cpu`"),
        "{}",
        run.stderr
    );
}
