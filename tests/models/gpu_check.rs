//! The check of a GPU, rehearsed on the processor: what is not as it must be ends it with 1, and is named.

use std::process::Command;

use mteb_host_tests::{Run, plugin_folder, python, root};
use serde_json::Value;

#[test]
fn a_plugin_that_gives_no_rows_of_the_models_does_not_pass() {
    let Some(python) = python() else { return };
    let (folder, built) = (tempfile::tempdir().unwrap(), plugin_folder());
    let mut check = Command::new(built.join("xtask"));
    check
        .args(["gpu-check", "--device", "cpu", "--parts", "equality", "--budget", "3600", "--python"])
        .arg(&python);
    check.arg("--binaries").arg(&built).arg("--plugin").arg(built.join("libmteb_plugin_random.so"));
    check.arg("--golden").arg(root().join("tests/golden/torch")).arg("--out").arg(folder.path());
    let run = Run::of(&mut check).unwrap();
    assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
    let report = std::fs::read_to_string(folder.path().join("gpu-check.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let findings = report["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["part"] == "equality" && finding["verdict"] == "FAILED"));
    let page = std::fs::read_to_string(folder.path().join("gpu-check.md")).unwrap();
    assert!(page.contains("nothing of this was run on a GPU") && page.contains("| FAILED |"), "{page}");
    assert!(!folder.path().join("work").exists(), "what was made is removed");
}

#[test]
fn a_gpu_that_is_not_there_is_said_before_anything_is_made() {
    let Some(python) = python() else { return };
    let (folder, built) = (tempfile::tempdir().unwrap(), plugin_folder());
    let mut check = Command::new(built.join("xtask"));
    check
        .args(["gpu-check", "--python"])
        .arg(&python)
        .arg("--out")
        .arg(folder.path())
        .env("CUDA_VISIBLE_DEVICES", "");
    check.arg("--binaries").arg(&built).arg("--plugin").arg(built.join("libmteb_plugin_random.so"));
    let run = Run::of(check.arg("--golden").arg(root().join("tests/golden/torch"))).unwrap();
    assert_eq!(run.code, Some(2), "{}{}", run.stdout, run.stderr);
    assert!(
        run.stderr.contains("expected a GPU that the PyTorch of") && run.stderr.contains("`--device cpu`"),
        "{}",
        run.stderr
    );
}
