//! The endpoint of benchmarks, which answers after a fixed time, and a plain load generator to compare with.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::sides::json_of;
use xtask_start::command::{run_cargo, target_folder};

/// The endpoint; it ends with the benchmark.
pub struct SlowEndpoint {
    child: Child,
    /// Where it listens.
    pub address: String,
}

impl SlowEndpoint {
    /// Builds and starts it: every answer is what the file `reply` holds, `pause` milliseconds after the question.
    pub fn start(reply: &Path, pause: usize) -> Result<Self, String> {
        run_cargo(&["build", "--release", "--package", "mteb-remote", "--examples"])?;
        let mut command = wide(&Command::new(target_folder().join("release/examples/slow_endpoint")));
        command.arg(pause.to_string()).arg(reply).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("cannot run {command:?}: {error}"))?;
        let mut address = String::new();
        let said = child.stdout.take().map(|stdout| BufReader::new(stdout).read_line(&mut address));
        match said {
            Some(Ok(length)) if length > 0 => Ok(Self { child, address: address.trim().to_owned() }),
            _ => Err(format!("expected an address from {command:?}, found none")),
        }
    }

    /// Seconds in which `count` questions with the text in `body` are answered, `at_once` of them at a time.
    pub fn load(&self, count: usize, at_once: usize, body: &Path) -> Result<f64, String> {
        let mut command = wide(&Command::new(target_folder().join("release/examples/load")));
        command.arg(&self.address).args([count, at_once].map(|number| number.to_string())).arg(body);
        let found = json_of(&mut command)?;
        match (found["seconds"].as_f64(), found["answers"].as_u64()) {
            (Some(seconds), Some(answers)) if answers == count as u64 => Ok(seconds),
            _ => Err(format!("expected {count} answers, found: {found}")),
        }
    }
}

impl Drop for SlowEndpoint {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        // It may have ended already.
        let _ = self.child.wait();
    }
}

/// The same command with leave to hold as many connections open as are asked for.
pub fn wide(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -n 8192; exec \"$0\" \"$@\""]).arg(command.get_program());
    shell
}
