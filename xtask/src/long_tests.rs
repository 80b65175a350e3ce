//! Tests that run only when they are asked for: shards on real Slurm and real Ray, and the manifests of
//! Kubernetes beside its published schemas; readers of damaged input; kills at random moments.

use std::process::{Command, ExitCode, Stdio};

use crate::command::{exit_code, root, status, succeed, target_folder};
use crate::document::put_table;
use crate::{python, runner};

/// Packages of Debian and of Ubuntu with Slurm, what it trusts by, and the programs for networks of its own.
const PACKAGES: [&str; 5] = ["slurmctld", "slurmd", "slurm-client", "munge", "iproute2"];

/// One program of each.
const PROGRAMS: [&str; 5] = ["slurmctld", "slurmd", "sbatch", "munged", "ip"];

/// What pip fetches, pinned by hash.
const PYTHON: &str = "xtask/distributed/requirements.txt";

/// By this variable the tests find the interpreter with Ray and the schemas.
const INTERPRETER: &str = "MTEB_DISTRIBUTED_PYTHON";

/// The tests, which no other command runs.
const TESTS: &str = "clusters::real::";
const USAGE: &str = "usage: cargo xtask test-distributed [slurm|ray|kubernetes]…";

/// Installs what is missing, then runs the tests of all engines, or of those that are named, one after the other.
///
/// # Errors
/// If something cannot be installed, or the tests do not build.
pub fn test_distributed(engines: &[String]) -> Result<ExitCode, String> {
    if !engines.iter().all(|engine| matches!(engine.as_str(), "slurm" | "ray" | "kubernetes")) {
        return Err(USAGE.to_owned());
    }
    let is_meant = |engine: &str| engines.is_empty() || engines.iter().any(|named| named == engine);
    if is_meant("slurm") || is_meant("ray") {
        check_rights()?;
    }
    if is_meant("slurm") {
        install_slurm()?;
    }
    let interpreter = match is_meant("ray") || is_meant("kubernetes") {
        true => Some(python::fill_environment(
            &target_folder().join("distributed"),
            &root().join(PYTHON),
            "200 MB",
        )?),
        false => None,
    };
    let filters = match engines {
        [] => vec![TESTS.to_owned()],
        named => named.iter().map(|engine| format!("{TESTS}{engine}")).collect(),
    };
    // One at a time: each starts daemons of its own, and two of a kind would share their ports.
    let fixed = ["--ignored", "--test-threads", "1"].map(str::to_owned);
    let words: Vec<String> = fixed.into_iter().chain(filters).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut tests = runner::end_to_end(&words)?;
    if let Some(interpreter) = interpreter {
        tests.env(INTERPRETER, interpreter);
    }
    Ok(exit_code(status(&mut tests)?))
}

/// Slurm starts jobs as their users, and networks of one's own are for root.
fn check_rights() -> Result<(), String> {
    if is_root() {
        return Ok(());
    }
    Err("expected root, who may make networks and start slurmd, found another user; run it with `sudo -E`, or only \
         `cargo xtask test-distributed kubernetes`"
        .to_owned())
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn install_slurm() -> Result<(), String> {
    if PROGRAMS.iter().all(|program| is_on_path(program)) {
        return Ok(());
    }
    let packages = PACKAGES.join(" ");
    if !has_program("apt-get", &["--version"]) {
        return Err(format!(
            "expected {} on the path, or apt-get, which installs them ({packages}); found neither",
            PROGRAMS.join(", ")
        ));
    }
    println!("installing {packages}");
    let failed = |fault: String| {
        format!("{fault}: Slurm cannot be installed here; the tests of other engines run without it")
    };
    succeed(Command::new("apt-get").args(["update", "--quiet"])).map_err(failed)?;
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--quiet", "--no-install-recommends"]).args(PACKAGES);
    succeed(install.env("DEBIAN_FRONTEND", "noninteractive")).map_err(failed)
}

fn has_program(program: &str, arguments: &[&str]) -> bool {
    let run = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    run.is_ok_and(|status| status.success())
}

fn is_on_path(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

/// Kills of each kind unless asked otherwise.
const SOAK: &str = "100";

/// `cargo xtask fuzz TARGET SECONDS`.
pub fn fuzz(args: &[String]) -> Result<ExitCode, String> {
    let [target, seconds] = args else {
        return Err(
            "usage: cargo xtask fuzz TARGET SECONDS; targets are the folders of tests/fuzz/corpus".to_owned()
        );
    };
    let mut command = runner::end_to_end(&["--ignored", "--exact", "fuzz::long", "--nocapture"])?;
    command.env("MTEB_FUZZ_TARGET", target).env("MTEB_FUZZ_SECONDS", seconds);
    Ok(exit_code(status(&mut command)?))
}

/// `cargo xtask soak [COUNT]`: writes what it measured into docs/reliability.md.
pub fn soak(args: &[String]) -> Result<ExitCode, String> {
    let count = args.first().map_or(SOAK, String::as_str);
    let mut command = runner::end_to_end(&["faults::soak", "--nocapture", "--test-threads", "1"])?;
    command.env("MTEB_SOAK", count).stdout(Stdio::piped());
    let output = command.output().map_err(|error| format!("cannot run the tests: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    print!("{said}");
    if !output.status.success() {
        return Ok(exit_code(output.status));
    }
    let rows: String = said
        .lines()
        .filter_map(|line| line.split_once("soak | ").map(|(_, row)| format!("| {row}\n")))
        .collect();
    let table = format!("| fault | times | lost |\n|---|---:|---|\n{rows}");
    put_table(&root().join("docs/reliability.md"), "soak", &table)?;
    Ok(ExitCode::SUCCESS)
}
