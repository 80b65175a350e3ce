//! Runs the hot paths under callgrind.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use xtask_start::command::{run_cargo, target_folder};

/// The function whose instructions are counted, with all that it calls.
const COUNTED: &str = "*hot_paths*counted_work*";

/// Builds the program and counts each of its paths.
///
/// # Errors
/// If valgrind is missing, the processor has no AVX2, or a path fails.
pub fn count_all() -> Result<BTreeMap<String, u64>, String> {
    check_processor()?;
    check_valgrind()?;
    // The release build without symbols would hide the counted function.
    run_cargo(&["build", "--profile", "profiling", "--package", "mteb-bench", "--example", "hot_paths"])?;
    let program = target_folder().join("profiling/examples/hot_paths");
    let program = program.canonicalize().map_err(|error| format!("{}: {error}", program.display()))?;
    let names = output(&mut Command::new(&program))?;
    let names = String::from_utf8_lossy(&names.stdout).into_owned();
    names.lines().map(|name| Ok((name.to_owned(), count(&program, name)?))).collect()
}

/// What `rustc --version` says.
pub fn compiler() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let said = output(Command::new(rustc).arg("--version").current_dir(xtask_start::command::root()))?;
    Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
}

/// The instructions of one path.
fn count(program: &Path, name: &str) -> Result<u64, String> {
    let folder = empty_folder(name)?;
    // Paths of fixed length and nothing from the environment: both lie in memory and are read.
    let mut command = Command::new("valgrind");
    command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command.env("RAYON_NUM_THREADS", "1").current_dir(&folder);
    command.args(["--tool=callgrind", "--callgrind-out-file=callgrind.out"]);
    command.arg(format!("--toggle-collect={COUNTED}"));
    output(command.arg(program).args([name, "."]))?;
    let counts = folder.join("callgrind.out");
    let text = fs::read_to_string(&counts).map_err(|error| format!("{}: {error}", counts.display()))?;
    total(&text).filter(|count| *count > 0).ok_or_else(|| {
        format!(
            "{}: expected a line `totals:` with the instructions of {COUNTED}, found none",
            counts.display()
        )
    })
}

/// The sum that callgrind writes at the end of its file.
fn total(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

fn empty_folder(name: &str) -> Result<PathBuf, String> {
    let folder = target_folder().join("bench/instructions").join(name);
    let fault = |error| format!("{}: {error}", folder.display());
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(fault(error)),
        _ => fs::create_dir_all(&folder).map_err(fault)?,
    }
    Ok(folder)
}

fn check_valgrind() -> Result<(), String> {
    match Command::new("valgrind").arg("--version").output() {
        Ok(said) if said.status.success() => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err("expected the program `valgrind`, found none; install it with `apt-get install valgrind`, \
                 `dnf install valgrind` or `pacman -S valgrind`"
                .to_owned())
        }
        Ok(said) => Err(format!("`valgrind --version` failed ({})", said.status)),
        Err(error) => Err(format!("cannot run valgrind: {error}")),
    }
}

/// The table has the counts of code for AVX2, which callgrind offers where the processor has it.
#[cfg(target_arch = "x86_64")]
fn check_processor() -> Result<(), String> {
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") { Ok(()) } else { Err(no_avx2()) }
}

#[cfg(not(target_arch = "x86_64"))]
fn check_processor() -> Result<(), String> {
    Err(no_avx2())
}

fn no_avx2() -> String {
    "expected a processor with AVX2 and FMA, whose instructions are recorded, found another one".to_owned()
}

fn output(command: &mut Command) -> Result<Output, String> {
    let said = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if said.status.success() {
        return Ok(said);
    }
    Err(format!("{command:?} failed ({}): {}", said.status, String::from_utf8_lossy(&said.stderr)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_the_sum_at_the_end() {
        assert_eq!(total("events: Ir\nsummary: 12\nfn=(1) work\n1 12\ntotals: 12\n"), Some(12));
        assert_eq!(total("events: Ir\n"), None);
    }
}
