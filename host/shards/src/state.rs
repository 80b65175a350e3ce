//! The file in which a shard says how far it is: `shard.json` in its folder.

use std::path::Path;

use mteb_files::Owner;
use serde::{Deserialize, Serialize};

use crate::error::PlanError;

/// Name of the file in the folder of a shard.
pub const STATE_FILE: &str = "shard.json";

/// A process has one report alone, which no number tells from others.
const NO_WORK: &str = "0000000000000000";

/// Most bytes of the file.
const MOST_BYTES: u64 = 64 << 20;

/// How far a shard is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardState {
    /// Schema of the file: 1.
    pub schema: u32,
    /// Hash of the plan.
    pub plan: String,
    /// Number of the shard, from 0.
    pub shard: usize,
    /// Number of shards.
    pub of: usize,
    /// What becomes of it.
    pub state: State,
    /// Units of the shard.
    pub units_total: usize,
    /// Units that have a score.
    pub units_done: usize,
    /// Units that failed in the last run.
    pub units_failed: usize,
    /// Unix seconds at which the last run began.
    pub started: f64,
    /// Unix seconds of this report.
    pub updated: f64,
    /// Unix seconds at which the last run ended; null while it goes on.
    pub finished: Option<f64>,
    /// Name of the machine.
    pub machine: String,
    /// The process that scores it, by which its end is seen at once on the same machine; empty in reports of older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub process: String,
    /// Seconds that the plan estimates.
    pub seconds_estimated: f64,
    /// Folder of the caches that the shard has filled.
    #[serde(default)]
    pub cache: String,
    /// The units that failed in the last run, and why.
    #[serde(default)]
    pub failures: Vec<FailedUnit>,
}

/// What becomes of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It is being scored, or its run was killed.
    Running,
    /// All units are scored.
    Done,
    /// Its run has ended before all units were scored.
    Failed,
}

/// A unit that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedUnit {
    /// Its task.
    pub task: String,
    /// Its split.
    pub split: String,
    /// Its subset.
    pub subset: String,
    /// Why.
    pub reason: String,
}

impl ShardState {
    /// What [`Self::process`] says of the process that calls this.
    pub fn this_process() -> String {
        Owner::this(NO_WORK).to_string()
    }

    /// The number of the process that scores it, if it was one of this machine and has ended; `None` if it goes on, or nobody here knows.
    pub fn ended_process(&self) -> Option<u32> {
        let owner = Owner::parse(&self.process)?;
        owner.process_here().filter(|_| owner.is_gone())
    }

    /// Reads the file in the `folder` of a shard.
    ///
    /// # Errors
    /// If it cannot be read, or is none.
    pub fn read(folder: &Path) -> Result<Self, PlanError> {
        let path = folder.join(STATE_FILE);
        let text = mteb_files::read_to_string(&path, MOST_BYTES)
            .map_err(|error| PlanError::Io { path: path.clone(), error })?;
        let form = |found: String| PlanError::Form {
            path: path.clone(),
            expected: "what a shard says of itself",
            found,
        };
        let state: Self = serde_json::from_str(&text).map_err(|error| form(error.to_string()))?;
        if state.schema == 1 { Ok(state) } else { Err(form(format!("schema {}", state.schema))) }
    }

    /// Writes the file into the `folder` of the shard, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), PlanError> {
        let path = folder.join(STATE_FILE);
        let text = serde_json::to_value(self).map(|value| format!("{value:#}\n")).unwrap_or_default();
        mteb_files::write(&path, text.as_bytes()).map_err(|error| PlanError::Io { path, error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_outlasts_its_way_through_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let state = ShardState {
            schema: 1,
            plan: "ab".to_owned(),
            shard: 2,
            of: 3,
            state: State::Failed,
            units_total: 4,
            units_done: 1,
            units_failed: 1,
            started: 1.0,
            updated: 2.0,
            finished: Some(2.0),
            machine: "node".to_owned(),
            process: ShardState::this_process(),
            seconds_estimated: 10.0,
            cache: String::new(),
            failures: vec![FailedUnit {
                task: "A".to_owned(),
                split: "test".to_owned(),
                subset: "ind".to_owned(),
                reason: "no data".to_owned(),
            }],
        };
        state.write(folder.path()).unwrap();
        assert_eq!(ShardState::read(folder.path()).unwrap(), state);
        assert!(
            std::fs::read_to_string(folder.path().join(STATE_FILE))
                .unwrap()
                .contains("\"state\": \"failed\"")
        );
    }

    #[test]
    fn the_end_of_a_process_of_this_machine_is_seen_and_of_others_nobody_knows() {
        let report = |process: &str| -> ShardState {
            let report = serde_json::json!({
                "schema": 1, "plan": "ab", "shard": 0, "of": 1, "state": "running", "units_total": 1, "units_done": 0,
                "units_failed": 0, "started": 1.0, "updated": 1.0, "finished": null, "machine": "node",
                "seconds_estimated": 1.0, "process": process
            });
            serde_json::from_value(report).unwrap()
        };
        let me = ShardState::this_process();
        assert_eq!(report(&me).ended_process(), None);
        let mut parts: Vec<&str> = me.split('-').collect();
        parts[2] = "1";
        let ended = report(&parts.join("-")).ended_process();
        assert_eq!(ended.is_some(), cfg!(target_os = "linux"));
        parts[0] = "fedcba9876543210";
        assert_eq!(report(&parts.join("-")).ended_process(), None, "of another machine");
        assert_eq!(report("").ended_process(), None, "of an older version");
    }
}
