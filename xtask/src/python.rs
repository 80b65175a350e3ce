//! The Python environment of the tests: one virtual environment with pinned packages, whose torch is also the libtorch of the
//! plugin that links it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::command::{root, status, target_folder};

/// Makes the environment and says where its interpreter is.
pub fn make_environment() -> Result<ExitCode, String> {
    println!("{}", environment()?.display());
    Ok(ExitCode::SUCCESS)
}

/// The interpreter of the environment, which pip fills on the first call; `MTEB_PYTHON` names another.
pub fn environment() -> Result<PathBuf, String> {
    if let Some(python) = std::env::var_os("MTEB_PYTHON").filter(|value| !value.is_empty()) {
        return Ok(python.into());
    }
    const FAILED: &str = "the Python environment of the tests could not be made; `MTEB_PYTHON` names an interpreter that has its packages";
    let wanted = root().join("xtask/python/requirements.txt");
    fill_environment(&target_folder().join("python"), &wanted, "2.3 GB")
        .map_err(|fault| format!("{fault}: {FAILED}"))
}

/// The interpreter of the environment in `folder`, which pip fills with what the file `wanted` pins unless it has done so; `size` is
/// about what that fetches.
///
/// # Errors
/// If the environment cannot be made.
pub fn fill_environment(folder: &Path, wanted: &Path, size: &str) -> Result<PathBuf, String> {
    let list = fs::read_to_string(wanted).map_err(|error| format!("{}: {error}", wanted.display()))?;
    if !is_made(folder, &list) {
        println!("making a Python environment ({size} to fetch) in {}", folder.display());
        make(folder, wanted)?;
        let done = complete(folder);
        fs::write(&done, &list).map_err(|error| format!("cannot write {}: {error}", done.display()))?;
    }
    let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder.join("bin/python"))
}

/// The interpreter of the environment, or the one that `MTEB_PYTHON` names, if it is there.
pub fn find_environment() -> Option<PathBuf> {
    let named = std::env::var_os("MTEB_PYTHON").filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = target_folder().join("python");
    named.or_else(|| Some(complete(&folder).canonicalize().ok()?.with_file_name("bin/python")))
}

/// The packages of the environment, if it is made: the folder in which `torch` and `nvidia` lie.
pub fn packages() -> Option<PathBuf> {
    let folder = target_folder().join("python");
    complete(&folder).exists().then_some(())?;
    let found = fs::read_dir(folder.join("lib")).ok()?.flatten();
    found.map(|entry| entry.path().join("site-packages")).find(|packages| packages.join("torch/lib").is_dir())
}

/// The interpreter that was chosen for the developer commands.
pub fn python() -> Command {
    Command::new(std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into()))
}

fn make(folder: &Path, wanted: &Path) -> Result<(), String> {
    succeed(python().args(["-m", "venv", "--clear"]).arg(folder))?;
    let mut pip = Command::new(folder.join("bin/python"));
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-compile",
        "--no-cache-dir",
        "--require-hashes",
    ]);
    succeed(pip.args(["--only-binary=:all:", "--requirement"]).arg(wanted))?;
    compile(folder)
}

/// What no test imports, a third of all sources: the tests of the packages, and architectures of transformers that no test has.
const NOT_IMPORTED: &str = "site-packages/(.*/tests/|pip/|torch/testing/_internal/(common_|opinfo/)\
                            |transformers/models/(?!auto/|bert/)[^/]+/(?!__init__|configuration_))";

/// Compiles the packages to bytecode, on all cores. Tests start many interpreters, none of which may write into the environment; from
/// sources alone each of them takes three times as long to import what it needs.
fn compile(folder: &Path) -> Result<(), String> {
    let mut compiler = Command::new(folder.join("bin/python"));
    compiler.args(["-m", "compileall", "-qq", "-j", "0", "-x", NOT_IMPORTED]).arg(folder.join("lib"));
    // Packages hold templates that are no Python; the exit status counts them as failures.
    status(&mut compiler).map(|_| ())
}

fn is_made(folder: &Path, list: &str) -> bool {
    fs::read_to_string(complete(folder)).is_ok_and(|found| found == list)
}

fn complete(folder: &Path) -> PathBuf {
    folder.join("complete")
}

fn succeed(command: &mut Command) -> Result<(), String> {
    if status(command)?.success() { Ok(()) } else { Err("pip failed".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_pip_fetches_is_pinned_by_version_and_hash() {
        for name in [
            "xtask/python/requirements.txt",
            "xtask/python/use.txt",
            "xtask/python/wheel.txt",
            "xtask/torch/requirements.txt",
            "xtask/torch/models.txt",
            "xtask/distributed/requirements.txt",
            "tools/site/requirements.txt",
        ] {
            let text = fs::read_to_string(root().join(name)).unwrap().replace("\\\n", " ");
            let wanted: Vec<&str> = text
                .lines()
                .filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#'))
                .collect();
            assert!(!wanted.is_empty(), "{name}");
            for line in wanted {
                assert!(line.contains("==") && line.contains("--hash=sha256:"), "{name}: {line}");
            }
        }
    }
}
