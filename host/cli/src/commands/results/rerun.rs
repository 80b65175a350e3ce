//! Scores a sample of units again, by the program's own `run` in a folder that goes away.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mteb_files::sha256;
use mteb_results::{SubsetScores, read_checked};

use super::submitted::Submitted;
use crate::commands::arguments::FilterArgs;

/// How units are scored again.
pub struct Rerun<'a> {
    /// Registries of the tasks.
    pub filter: &'a FilterArgs,
    /// Further options of `run`.
    pub options: &'a [String],
    /// Largest difference that counts as equal.
    pub tolerance: f64,
}

/// A folder that is removed in the end.
struct Aside(PathBuf);

impl Drop for Aside {
    fn drop(&mut self) {
        // What is left there is of no use to anybody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Rerun<'_> {
    /// Scores `number` of the `units` again, drawn by `seed`: each with its new main score, or with why it does not stand.
    pub fn of<'b>(
        &self,
        units: &'b [Submitted],
        number: usize,
        seed: u64,
    ) -> Vec<(&'b Submitted, Result<f64, String>)> {
        drawn(units, number, seed).into_iter().map(|unit| (unit, self.again(unit))).collect()
    }

    fn again(&self, unit: &Submitted) -> Result<f64, String> {
        let name = format!("mteb-host-rerun-{}", std::process::id());
        let aside = Aside(std::env::temp_dir().join(name));
        let program = std::env::current_exe().map_err(|error| format!("cannot be scored again: {error}"))?;
        let mut command = Command::new(program);
        command.arg("run");
        for registry in &self.filter.registry {
            command.args(["--registry", registry]);
        }
        let task = match unit.subset.as_str() {
            "default" => format!("{}@{}", unit.task, unit.split),
            subset => format!("{}@{}:{subset}", unit.task, unit.split),
        };
        command.args(["--task", &task, "--no-cache", "--quiet", "--output-folder"]).arg(&aside.0);
        command.args(self.options).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let output = command.output().map_err(|error| format!("cannot be scored again: {error}"))?;
        let Some(score) = score_below(&aside.0, unit) else {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().last().unwrap_or("it gave no reason").to_owned();
            return Err(format!("could not be scored again: {last}"));
        };
        if (score - unit.score).abs() <= self.tolerance {
            return Ok(score);
        }
        Err(format!(
            "expected {:.6} ± {} as submitted, found {score:.6} when scored again",
            unit.score, self.tolerance
        ))
    }
}

/// `number` of the units in the order of hashes that the seed changes: whoever knows the seed draws the same ones.
fn drawn(units: &[Submitted], number: usize, seed: u64) -> Vec<&Submitted> {
    let key = |unit: &&Submitted| sha256(format!("{seed}\n{}", unit.shown()).as_bytes()).unwrap_or_default();
    let mut sorted: Vec<&Submitted> = units.iter().collect();
    sorted.sort_by_cached_key(key);
    sorted.truncate(number);
    sorted
}

/// The main score of a unit in the only result file of its task below `folder`.
fn score_below(folder: &Path, unit: &Submitted) -> Option<f64> {
    let wanted = format!("{}.json", unit.task);
    let files = mteb_data::files_below(folder).ok()?;
    let file = files.iter().find(|path| path.rsplit('/').next() == Some(&wanted))?;
    let result = read_checked(&folder.join(file)).ok()?;
    result.entry(&unit.split, &unit.subset).map(SubsetScores::main_score).filter(|score| !score.is_nan())
}
