//! Parts of the checks that mostly wait for the network: they begin beside what is compiled, and are reported in their turn.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command};

use crate::command::target_folder;

/// These parts, which need nothing that another part makes.
const PARTS: [&str; 3] = ["site", "browser", "python"];

/// The parts that have begun, each in a process of its own whose output goes to a file.
pub struct Ahead(Vec<Begun>);

struct Begun {
    part: &'static str,
    process: Child,
    output: PathBuf,
}

impl Ahead {
    /// Begins those of `parts` that can begin ahead of their turn.
    ///
    /// # Errors
    /// If a process cannot be started.
    pub fn begin(parts: impl Iterator<Item = &'static str>) -> Result<Self, String> {
        let parts = parts.filter(|part| PARTS.contains(part));
        parts.map(Begun::begin).collect::<Result<_, _>>().map(Self)
    }

    /// Waits for `part` and shows what it printed; `None` if it has not begun.
    pub fn finish(&mut self, part: &str) -> Option<Result<(), String>> {
        let place = self.0.iter().position(|begun| begun.part == part)?;
        Some(self.0.remove(place).finish())
    }

    /// Waits for the parts whose turn never came, so that none of them is cut off in the middle of a download.
    pub fn finish_all(self) {
        for begun in self.0 {
            let part = begun.part;
            if let Err(fault) = begun.finish() {
                eprintln!("{part}: {fault}");
            }
        }
    }
}

impl Begun {
    fn begin(part: &'static str) -> Result<Self, String> {
        let folder = target_folder().join("ahead");
        let output = folder.join(format!("{part}.txt"));
        let cannot = |error: std::io::Error| format!("{}: {error}", output.display());
        fs::create_dir_all(&folder).map_err(cannot)?;
        let file = File::create(&output).map_err(cannot)?;
        let program = std::env::current_exe().map_err(|error| format!("cargo xtask part {part}: {error}"))?;
        let mut command = Command::new(program);
        command.args(["part", part]).stdout(file.try_clone().map_err(cannot)?).stderr(file);
        let process = command.spawn().map_err(|error| format!("cargo xtask part {part}: {error}"))?;
        Ok(Self { part, process, output })
    }

    fn finish(mut self) -> Result<(), String> {
        let status =
            self.process.wait().map_err(|error| format!("cargo xtask part {}: {error}", self.part))?;
        eprint!("{}", fs::read_to_string(&self.output).unwrap_or_default());
        // What failed has said so in its output.
        if status.success() { Ok(()) } else { Err(format!("failed: cargo xtask part {}", self.part)) }
    }
}
