//! Scores a sample of units again, by the program's own `run` in a folder that goes away.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use mteb_base::{calendar, interrupt};
use mteb_files::sha256;
use mteb_results::{SubsetScores, read_checked};

use super::items::Submitted;
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

/// How the folder begins in which a unit is scored again; the number of the process follows.
const ASIDE: &str = "mteb-host-rerun-";

/// After this time such a folder is of a process that was killed.
const LEFT: Duration = Duration::from_secs(24 * 60 * 60);

/// What came of scoring units again.
#[derive(Default)]
pub struct Again<'b> {
    /// Each unit with its new main score, or with why it does not stand.
    pub verdicts: Vec<(&'b Submitted, Result<f64, RerunFault>)>,
    /// Models of which no unit was scored again, since `run` scored another model.
    pub others: Vec<String>,
    /// The folder of the model that `run` scored.
    pub scored: String,
}

/// Why the score of a unit does not stand.
#[derive(Debug, thiserror::Error)]
pub enum RerunFault {
    /// Another one was found.
    #[error("expected {expected:.6} ± {tolerance} as submitted, found {found:.6} when scored again")]
    OtherScore {
        /// The score as submitted.
        expected: f64,
        /// Largest difference that counts as equal.
        tolerance: f64,
        /// The score now.
        found: f64,
    },
    /// The program cannot be started.
    #[error("cannot be scored again: {0}")]
    NotStarted(#[source] io::Error),
    /// The program gave no score.
    #[error("could not be scored again: {}", .said.as_deref().unwrap_or("it gave no reason"))]
    NoScore {
        /// The last line that it said.
        said: Option<String>,
    },
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
    /// Scores `number` of the `units` again, drawn by `seed`. Of results of several models those of the model count that `run` scores with
    /// its options.
    pub fn score_again<'b>(&self, units: &'b [Submitted], number: usize, seed: u64) -> Again<'b> {
        let is_of =
            |unit: &Submitted, model: &str| unit.place.components().any(|part| part.as_os_str() == model);
        let mut again = Again::default();
        for unit in draw_units(units, seed) {
            let is_of_other = !again.scored.is_empty() && !is_of(unit, &again.scored);
            if again.verdicts.len() == number || interrupt::requested() {
                break;
            }
            if is_of_other {
                again.note_other(unit);
                continue;
            }
            match self.score(unit) {
                Ok((model, score)) => {
                    again.scored.clone_from(&model);
                    if is_of(unit, &model) {
                        again.verdicts.push((unit, self.compare_again(unit, score)));
                    } else {
                        again.note_other(unit);
                    }
                }
                Err(why) => again.verdicts.push((unit, Err(why))),
            }
        }
        again
    }

    fn compare_again(&self, unit: &Submitted, score: f64) -> Result<f64, RerunFault> {
        if (score - unit.score).abs() <= self.tolerance {
            return Ok(score);
        }
        Err(RerunFault::OtherScore { expected: unit.score, tolerance: self.tolerance, found: score })
    }

    /// The folder of the model that `run` scores, and its main score of the unit.
    fn score(&self, unit: &Submitted) -> Result<(String, f64), RerunFault> {
        let name = format!("{ASIDE}{}", std::process::id());
        let aside = Aside(std::env::temp_dir().join(name));
        let program = std::env::current_exe().map_err(RerunFault::NotStarted)?;
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
        let output = command.output().map_err(RerunFault::NotStarted)?;
        score_below(&aside.0, unit).ok_or_else(|| {
            let said = String::from_utf8_lossy(&output.stderr);
            RerunFault::NoScore { said: said.lines().last().map(str::to_owned) }
        })
    }
}

impl Again<'_> {
    fn note_other(&mut self, unit: &Submitted) {
        if !self.others.contains(&unit.model) {
            self.others.push(unit.model.clone());
        }
    }
}

/// Removes the folders of processes that were killed.
pub fn remove_left() {
    for entry in std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        let is_aside = entry.file_name().to_string_lossy().starts_with(ASIDE);
        let made = entry.metadata().and_then(|found| found.modified());
        if is_aside && made.is_ok_and(|made| calendar::since(made) > LEFT) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn first_folder(path: &Path) -> String {
    path.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned()).unwrap_or_default()
}

/// The units in the order of hashes that the seed changes: whoever knows the seed draws the same ones.
fn draw_units(units: &[Submitted], seed: u64) -> Vec<&Submitted> {
    let key =
        |unit: &&Submitted| sha256(format!("{seed}\n{}", unit.to_text()).as_bytes()).unwrap_or_default();
    let mut sorted: Vec<&Submitted> = units.iter().collect();
    sorted.sort_by_cached_key(key);
    sorted
}

/// The folder of the model, and the main score of a unit, in the only result file of its task below `folder`.
fn score_below(folder: &Path, unit: &Submitted) -> Option<(String, f64)> {
    let wanted = format!("{}.json", unit.task);
    let files = mteb_data::files_below(folder).ok()?;
    let file = files.iter().find(|path| path.rsplit('/').next() == Some(&wanted))?;
    let result = read_checked(&folder.join(file)).ok()?;
    let score = result.entry(&unit.split, &unit.subset).map(SubsetScores::main_score);
    Some((first_folder(Path::new(file)), score.filter(|score| !score.is_nan())?))
}
