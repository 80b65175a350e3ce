//! The wheel: installed into an empty virtual environment, it scores a model without Rust.

use std::path::{Path, PathBuf};
use std::process::Command;

use mteb_host_tests::{Run, plugin_folder, python, root};

use super::{expected, scores};

const TASK: &str = "IndonesianGeneralSTS";

/// The wheel, made from what the tests run, in `folder`.
fn make(python: &Path, folder: &Path) -> PathBuf {
    let mut command = Command::new(python);
    command.arg(root().join("xtask/python/wheel.py")).arg(plugin_folder()).arg(folder);
    let made = Run::of(command.arg(env!("CARGO_PKG_VERSION"))).unwrap();
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    made.stdout.trim().into()
}

/// An empty virtual environment in `folder` with the wheel; gives its programs.
fn install(python: &Path, wheel: &Path, folder: &Path) -> PathBuf {
    let run = |arguments: &[&str]| {
        let done = Run::of(Command::new(python).args(arguments)).unwrap();
        assert_eq!(done.code, Some(0), "{}", done.stderr);
    };
    let (folder, wheel) = (folder.to_str().unwrap(), wheel.to_str().unwrap());
    run(&["-m", "venv", "--without-pip", folder]);
    run(&[
        "-m",
        "pip",
        "--python",
        &format!("{folder}/bin/python"),
        "install",
        "--quiet",
        "--no-index",
        wheel,
    ]);
    Path::new(folder).join("bin")
}

#[test]
fn a_wheel_in_an_empty_environment_scores_a_model_without_rust() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let wheel = make(&python, folder.path());
    let name = wheel.file_name().unwrap().to_str().unwrap();
    let tag = name.split('-').next_back().unwrap().trim_end_matches(".whl");
    let shown = Run::of(Command::new(&python).args(["-m", "auditwheel", "show"]).arg(&wheel)).unwrap();
    assert!(
        tag.starts_with("manylinux_2_") && shown.stdout.contains(&format!("\"{tag}\"")),
        "{}",
        shown.stdout
    );

    let programs = install(&python, &wheel, &folder.path().join("environment"));
    let asked = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(programs.join(program));
        command
            .args(arguments)
            .current_dir(folder.path())
            .env("PATH", &programs)
            .env_remove("MTEB_HOST_PLUGINS");
        command
            .env("MTEB_HOST_CACHE", folder.path().join("cache"))
            .env("MTEB_HOST_DATA", folder.path().join("data"));
        Run::of(&mut command).unwrap()
    };
    let scored = asked(
        "mteb-host",
        &["run", "--registry", "indonesia", "--model", "hashing", "--json", "--task", TASK],
    );
    assert_eq!(scores(&scored), expected(TASK));
    let program = format!(
        "import mteb_host as m; print(len(m.run('hashing', '{TASK}', registry='indonesia', quiet=True).units))"
    );
    let from_python = asked("python", &["-c", &program]);
    assert_eq!((from_python.code, from_python.stdout.trim()), (Some(0), "1"), "{}", from_python.stderr);
}
