//! Feeds a reader with damaged input for as long as asked, and runs the machine faults as often as asked.

use std::process::{ExitCode, Stdio};

use crate::command::{exit_code, root, status};
use crate::document::put_table;
use crate::runner;

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
