//! `cargo xtask compare`: random data of every task type, scored with the reference and the host for a number of seconds.
//!
//! A case that differs is explained only by values that the reference gives itself when its kernels, products or orders
//! are moved: the value of the host must be one of them, lie between them, or outside by no more than the width of their
//! span, or by one step if the score counts rows. The programs in `xtask/compare` score and judge (`spans.py` has the
//! rule); docs/protocol.md, section 16, states it.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::command::{exit_code, root, run_cargo, status, target_folder};

const USAGE: &str = "usage: cargo xtask compare SECONDS [--seed N] [--first ROUND] [--kinds TYPE,TYPE] [--keep FOLDER] [--python FILE] [--host FILE]";

/// Options that the comparison itself takes.
const PASSED_ON: [&str; 3] = ["--first", "--kinds", "--keep"];

struct Options {
    seconds: u64,
    seed: u64,
    python: PathBuf,
    host: Option<PathBuf>,
    passed_on: Vec<String>,
}

/// Compares for a number of seconds; fails if a number differs that the reference does not reach itself.
pub fn compare(args: &[String]) -> Result<ExitCode, String> {
    let options = Options::read(args)?;
    let host = match options.host {
        Some(host) => host.canonicalize().map_err(|error| format!("{}: {error}", host.display()))?,
        None => {
            let packages = ["mteb-host", "mteb-plugin-random", "mteb-plugin-python"];
            let packages = packages.into_iter().flat_map(|package| ["--package", package]);
            run_cargo(&["build"].into_iter().chain(packages).collect::<Vec<_>>())?;
            target_folder().join("debug/mteb-host")
        }
    };
    let mut command = Command::new(&options.python);
    command.arg(root().join("xtask/compare")).arg("--host").arg(host);
    command.args(["--seconds", &options.seconds.to_string(), "--seed", &options.seed.to_string()]);
    command.args(&options.passed_on);
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONHASHSEED", "0");
    Ok(exit_code(status(&mut command)?))
}

impl Options {
    fn read(args: &[String]) -> Result<Self, String> {
        let python = ["MTEB_REFERENCE", "MTEB_PYTHON"].iter().find_map(std::env::var_os).map(PathBuf::from);
        let (mut seconds, mut seed, mut python, mut host) = (None, None, python, None);
        let mut passed_on = Vec::new();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(USAGE.to_owned());
            match arg.as_str() {
                "--seed" => seed = Some(value()?.parse().map_err(|_| USAGE.to_owned())?),
                "--python" => python = Some(PathBuf::from(value()?)),
                "--host" => host = Some(PathBuf::from(value()?)),
                option if PASSED_ON.contains(&option) => {
                    passed_on.extend([option.to_owned(), value()?.to_owned()]);
                }
                number if seconds.is_none() => seconds = Some(number.parse().map_err(|_| USAGE.to_owned())?),
                _ => return Err(USAGE.to_owned()),
            }
        }
        let python = python.ok_or(
            "expected a Python in which mteb 2.26.24 is installed, found none; name it with `--python FILE` or MTEB_REFERENCE",
        )?;
        // Other data each time, unless a seed is asked for: the last line says which it was.
        let seed = seed.unwrap_or_else(|| u64::from(std::process::id()));
        Ok(Self { seconds: seconds.ok_or(USAGE)?, seed, python, host, passed_on })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::python;

    #[test]
    fn what_the_reference_reaches_and_what_it_does_not_is_as_the_examples_in_python_say() {
        let mut tests = python();
        tests.args(["-m", "unittest", "discover", "--pattern", "test_*.py", "--start-directory"]);
        tests.arg(root().join("xtask/compare")).env("PYTHONDONTWRITEBYTECODE", "1");
        let output = tests.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !said.contains("Ran 0 tests"), "{said}");
    }
}
