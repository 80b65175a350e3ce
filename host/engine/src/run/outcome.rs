//! The outcome of a run: every unit with its score or the reason why it has none.

use std::path::PathBuf;

use mteb_measures::aggregate::task_score;
use mteb_models::encode::{Occupation, WorkerSpeed};
use mteb_plugin_api::ModelInfo;
use mteb_results::footprint::Counters;

/// A whole run.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// Name of the model.
    pub model: String,
    /// Revision of the model.
    pub revision: String,
    /// Folder of the result files.
    pub folder: PathBuf,
    /// The tasks in the order in which they were selected.
    pub tasks: Vec<TaskReport>,
    /// How busy the model was.
    pub occupation: Occupation,
    /// What each worker has encoded.
    pub workers: Vec<WorkerSpeed>,
    /// True if the run ended before all tasks were scored: a mean would then be over other tasks
    /// than the selected ones.
    pub interrupted: bool,
}

/// One task of a run.
#[derive(Clone, Debug)]
pub struct TaskReport {
    /// Task name.
    pub task: String,
    /// Task type.
    pub task_type: String,
    /// Key of the main score.
    pub main_score: String,
    /// The units that were asked for.
    pub units: Vec<UnitReport>,
    /// Texts asked for, encoded, and taken from the cache.
    pub counters: Counters,
    /// Seconds in all.
    pub seconds: f64,
}

/// One unit of a task.
#[derive(Clone, Debug)]
pub struct UnitReport {
    /// Split.
    pub split: String,
    /// Subset.
    pub subset: String,
    /// What became of it.
    pub outcome: UnitOutcome,
    /// What the reader of the result should know.
    pub warnings: Vec<String>,
}

/// What became of a unit.
#[derive(Clone, Debug, PartialEq)]
pub enum UnitOutcome {
    /// Scored now; the main score.
    Scored(f64),
    /// Found scored; the main score.
    Found(f64),
    /// A part of its corpus was searched, now or before. The unit is scored when all parts are
    /// merged.
    Searched,
    /// Failed, and why.
    Failed(String),
}

impl UnitOutcome {
    /// The same, of a score that was there already.
    #[must_use]
    pub fn into_found(self) -> Self {
        match self {
            Self::Scored(score) => Self::Found(score),
            other => other,
        }
    }
}

impl RunReport {
    /// A report without tasks.
    pub fn new(info: &ModelInfo, folder: PathBuf) -> Self {
        Self {
            model: info.identity.name.clone(),
            revision: info.identity.revision.clone(),
            folder,
            tasks: Vec::new(),
            occupation: Occupation::default(),
            workers: Vec::new(),
            interrupted: false,
        }
    }

    /// Texts asked for, encoded, and taken from the cache over all tasks.
    pub fn counters(&self) -> Counters {
        self.tasks.iter().map(|task| task.counters).sum()
    }

    /// True if a unit was scored or searched, now or before.
    pub fn has_score(&self) -> bool {
        let mut units = self.tasks.iter().flat_map(|task| &task.units);
        units.any(|unit| !matches!(unit.outcome, UnitOutcome::Failed(_)))
    }

    /// Every failed unit: task, unit and reason.
    pub fn failures(&self) -> impl Iterator<Item = (&TaskReport, &UnitReport, &str)> {
        self.tasks.iter().flat_map(|task| task.failures().map(move |(unit, reason)| (task, unit, reason)))
    }
}

impl TaskReport {
    /// Mean of the main scores of all units (protocol 8.1); `None` if a unit failed or there is none.
    pub fn score(&self) -> Option<f64> {
        let scores: Option<Vec<f64>> = self.units.iter().map(|unit| unit.outcome.score()).collect();
        let scores = scores.filter(|scores| !scores.is_empty())?;
        Some(task_score(&scores))
    }

    /// Failed units with their reasons.
    pub fn failures(&self) -> impl Iterator<Item = (&UnitReport, &str)> {
        self.units.iter().filter_map(|unit| match &unit.outcome {
            UnitOutcome::Failed(reason) => Some((unit, reason.as_str())),
            _ => None,
        })
    }

    /// True if no unit was scored now.
    pub fn was_complete(&self) -> bool {
        self.units.iter().all(|unit| matches!(unit.outcome, UnitOutcome::Found(_)))
    }
}

impl UnitOutcome {
    /// The main score, if there is one.
    pub fn score(&self) -> Option<f64> {
        match self {
            Self::Scored(score) | Self::Found(score) => Some(*score),
            Self::Searched | Self::Failed(_) => None,
        }
    }
}
