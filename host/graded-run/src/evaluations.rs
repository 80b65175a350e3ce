//! The evaluations on disk: those that cannot be right are named and skipped, as are those whose
//! pool or judgements have changed since.

use std::path::{Path, PathBuf};

use mteb_graded::GradedError;
use mteb_graded::evaluate::{Board, Evaluated, Grades, JudgeFacts, read_evaluated};
use mteb_graded::pool::read_pool;
use mteb_results::UnitName;

use crate::folder::unreadable;
use crate::{GradedFolder, JudgeStore, judge_stores};

/// The evaluations in `folder`, and a line for each that is skipped.
///
/// # Errors
/// If a folder cannot be read.
pub fn evaluations(folder: &GradedFolder) -> Result<(Vec<Evaluated>, Vec<String>), GradedError> {
    let files = folder.evaluations().map_err(unreadable(folder.path()))?;
    let (mut evaluated, mut faults) = (Vec::new(), Vec::new());
    for file in &files {
        match read(folder, file) {
            Ok(read) => evaluated.push(read),
            Err(fault) => faults.push(format!("{fault}; left out, run `mteb-host graded evaluate` again")),
        }
    }
    Ok((evaluated, faults))
}

/// The evaluation in `file`, which is to be that of the unit whose place this is.
fn read(folder: &GradedFolder, file: &Path) -> Result<Evaluated, EvaluationFault> {
    let read = read_evaluated(file)?;
    let Evaluated { task, split, subset, .. } = &read;
    let unit = UnitName { task, split, subset };
    let own = folder.evaluation(unit);
    // One of an earlier version may lie under its earlier name.
    let is_there =
        file == own || (file == folder.earlier_evaluation(unit) && own.symlink_metadata().is_err());
    if is_there {
        return Ok(read);
    }
    Err(EvaluationFault::OtherPlace { file: file.to_owned(), unit: unit.to_string(), own })
}

/// Why an evaluation is left out.
#[derive(Debug, thiserror::Error)]
enum EvaluationFault {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] GradedError),
    /// It is in the place of another one.
    #[error(
        "{}: expected the evaluation of this place, found that of {unit}, which is {}", .file.display(), .own.display()
    )]
    OtherPlace {
        /// Its file.
        file: PathBuf,
        /// The unit that it is of.
        unit: String,
        /// The place of that unit.
        own: PathBuf,
    },
}

/// A line for each evaluation whose pool or judgements have changed since it was made, as far as both are in `folder`.
pub fn changed_since(folder: &GradedFolder, evaluated: &[Evaluated]) -> Vec<String> {
    // What is wrong with judgements is said by whoever measures by them.
    let judges = judge_stores(folder, &[]).map(|(judges, _)| judges).unwrap_or_default();
    evaluated.iter().filter_map(|evaluated| line(folder, evaluated, &judges)).collect()
}

fn line(folder: &GradedFolder, evaluated: &Evaluated, judges: &[JudgeStore]) -> Option<String> {
    let Evaluated { task, split, subset, .. } = evaluated;
    let unit = UnitName { task, split, subset };
    let pool = read_pool(&folder.pool(unit)).ok()?;
    let changed = if pool.version() == evaluated.pool {
        let board = Board::new(&pool);
        let is_changed = |facts: &&JudgeFacts| {
            let now = judges.iter().find(|judge| judge.card.name == facts.name);
            let now = now.map(|judge| Grades::of(&board, &judge.judgements).hash());
            facts.scores.is_some() && now.is_some() && facts.scores != now
        };
        let names: Vec<&str> =
            evaluated.judges.iter().filter(is_changed).map(|facts| facts.name.as_str()).collect();
        if names.is_empty() {
            return None;
        }
        format!("the judgements of {}", names.join(", "))
    } else {
        "its pool".to_owned()
    };
    Some(format!("{unit}: {changed} changed after it was evaluated; run `mteb-host graded evaluate` again"))
}
