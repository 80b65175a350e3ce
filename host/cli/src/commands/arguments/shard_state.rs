//! Keeps `shard.json` up to date while a shard is scored.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mteb_base::calendar;
use mteb_engine::Observer;
use mteb_engine::run::{TaskReport, UnitOutcome, UnitReport};
use mteb_hub::Report;
use mteb_models::model::Listener;
use mteb_shards::{FailedUnit, PlanError, ShardPlan, ShardState, State};

use crate::output;
use crate::view::Progress;

/// Work since a report is to take so many times as long as that report did: a shard may have thousands of units that take less.
const WORK_PER_REPORT: u32 = 20;

/// The file of a shard, and what it says.
pub struct ShardWatch {
    folder: PathBuf,
    now: Mutex<Now>,
}

/// Why a folder cannot be that of a shard.
#[derive(Debug, thiserror::Error)]
pub enum ShardFolderError {
    /// It is that of another shard.
    #[error(
        "{}: expected the folder of shard {shard} of this plan, found that of shard {found} of {plan}; name another one with \
         `--output-folder`, or remove it",
        .folder.display()
    )]
    Other {
        /// The folder.
        folder: PathBuf,
        /// The shard whose folder it should be.
        shard: usize,
        /// The shard whose folder it is.
        found: usize,
        /// The plan of this other shard, as the message calls it.
        plan: &'static str,
    },
    /// Its file cannot be written.
    #[error(transparent)]
    Unwritable(#[from] PlanError),
}

/// Number of the run, task, split and subset.
type UnitKey = (usize, String, String, String);

struct Now {
    state: ShardState,
    /// Of each unit whether it has a score.
    units: BTreeMap<UnitKey, Result<(), String>>,
    /// Units that the plan gives to this shard.
    planned: usize,
    /// Number of the run: several sizes of embeddings are scored one after the other.
    run: usize,
    is_warned: bool,
    /// When the last report was written, and how long that took.
    last_report: Option<(Instant, Duration)>,
    /// True if something has changed since.
    is_unsaid: bool,
}

impl ShardWatch {
    /// The file in `folder`, which says from now on that this shard of the plan with this hash is being scored.
    ///
    /// # Errors
    /// If it cannot be written, or the folder is that of another shard.
    pub fn begin(
        (plan, hash, shard): (&ShardPlan, &str, usize),
        folder: &Path,
        cache: &Path,
    ) -> Result<Self, ShardFolderError> {
        let before = ShardState::read(folder).ok();
        if let Some(other) = before.as_ref().filter(|before| before.plan != hash || before.shard != shard) {
            return Err(ShardFolderError::Other {
                folder: folder.to_owned(),
                shard,
                found: other.shard,
                plan: if other.plan == hash { "it" } else { "another plan" },
            });
        }
        let seconds = calendar::seconds();
        let planned = plan.shards[shard];
        let state = ShardState {
            schema: 1,
            plan: hash.to_owned(),
            shard,
            of: plan.shards.len(),
            state: State::Running,
            units_total: planned.units,
            units_done: 0,
            units_failed: 0,
            started: seconds,
            updated: seconds,
            finished: None,
            machine: mteb_system::machine::name().unwrap_or_default(),
            process: ShardState::this_process(),
            seconds_estimated: planned.seconds,
            cache: std::path::absolute(cache).unwrap_or_else(|_| cache.to_owned()).display().to_string(),
            failures: Vec::new(),
        };
        // What is done stays said while it is looked at again.
        if before.is_none_or(|before| before.state != State::Done) {
            state.write(folder)?;
        }
        let now = Now {
            state,
            units: BTreeMap::new(),
            planned: planned.units,
            run: 0,
            is_warned: false,
            last_report: None,
            is_unsaid: false,
        };
        Ok(Self { folder: folder.to_owned(), now: Mutex::new(now) })
    }

    /// What `progress` is told of, which the file says, too.
    pub fn watch<'a>(&'a self, progress: &'a Progress) -> WatchedProgress<'a> {
        WatchedProgress { progress, watch: self }
    }

    /// The run has ended; `is_well` if nothing of it failed.
    pub fn end(&self, is_well: bool) {
        // A run that came to no unit has nothing to say against one that has scored all.
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_well && now.units.is_empty() && self.is_done(&now) {
            return;
        }
        drop(now);
        self.change(true, |now| {
            let is_done = is_well && now.state.units_done >= now.state.units_total;
            now.state.state = if is_done { State::Done } else { State::Failed };
            now.state.finished = Some(calendar::seconds());
        });
    }

    /// True if the file says that all is scored.
    fn is_done(&self, now: &Now) -> bool {
        let found = ShardState::read(&self.folder);
        found.is_ok_and(|found| found.state == State::Done && found.plan == now.state.plan)
    }

    fn change(&self, is_last: bool, change: impl FnOnce(&mut Now)) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut now);
        now.is_unsaid = true;
        if is_last || now.is_report_due() {
            self.report(&mut now, is_last);
        }
    }

    /// Says what was left unsaid because it came right after something else.
    fn catch_up(&self) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        if now.is_unsaid && now.is_report_due() {
            self.report(&mut now, false);
        }
    }

    fn report(&self, now: &mut Now, is_last: bool) {
        let begin = Instant::now();
        // Another run of the shard may have ended meanwhile.
        if is_last || !self.is_done(now) {
            now.state.updated = calendar::seconds();
            now.state.failures = now.failures();
            if let Err(error) = now.state.write(&self.folder)
                && !now.is_warned
            {
                now.is_warned = true;
                output::warn(format!("{error}: the progress of the shard is not recorded"));
            }
        }
        now.last_report = Some((Instant::now(), begin.elapsed()));
        now.is_unsaid = false;
    }

    fn note(&self, task: &str, unit: &UnitReport) {
        self.change(false, |now| {
            let key = (now.run, task.to_owned(), unit.split.clone(), unit.subset.clone());
            let outcome = match &unit.outcome {
                UnitOutcome::Failed(reason) => Err(reason.clone()),
                _ => Ok(()),
            };
            now.note(key, outcome);
        });
    }
}

impl Now {
    /// Notes what became of a unit, of which there may be word already. A shard may have tens of thousands, and each is counted once.
    fn note(&mut self, unit: UnitKey, outcome: Result<(), String>) {
        let has_failed = outcome.is_err();
        let before = self.units.insert(unit, outcome);
        self.state.units_done += usize::from(!has_failed);
        self.state.units_done -= usize::from(matches!(before, Some(Ok(()))));
        self.state.units_failed = self.units.len() - self.state.units_done;
    }

    /// The units that failed.
    fn failures(&self) -> Vec<FailedUnit> {
        let failure = |((_, task, split, subset), outcome): (&UnitKey, &Result<(), String>)| {
            let reason = outcome.as_ref().err()?.clone();
            Some(FailedUnit { task: task.clone(), split: split.clone(), subset: subset.clone(), reason })
        };
        self.units.iter().filter_map(failure).collect()
    }

    /// True unless a report would take more than its share of the time.
    fn is_report_due(&self) -> bool {
        self.last_report.is_none_or(|(end, took)| end.elapsed() >= took * WORK_PER_REPORT)
    }
}

/// Progress that the file of a shard says, too.
pub struct WatchedProgress<'a> {
    progress: &'a Progress,
    watch: &'a ShardWatch,
}

impl Listener for WatchedProgress<'_> {
    fn say(&self, message: &str) {
        self.progress.say(message);
    }

    fn warn(&self, message: &str) {
        self.progress.warn(message);
    }

    fn downloads(&self) -> Arc<dyn Report + Send + Sync> {
        self.progress.downloads()
    }
}

impl Observer for WatchedProgress<'_> {
    fn begin_run(&self, units: usize) {
        self.progress.begin_run(units);
        self.watch.change(false, |now| {
            now.run += 1;
            // A task that is a member of a mean is counted once here, and twice by the progress.
            now.state.units_total = now.state.units_total.max(now.planned * now.run);
        });
    }

    fn begin_task(&self, name: &str) {
        self.progress.begin_task(name);
    }

    fn unit_read(&self, texts: Option<usize>) {
        self.progress.unit_read(texts);
    }

    fn begin_unit(&self, task: &str, split: &str, subset: &str, texts: Option<usize>) {
        self.watch.catch_up();
        self.progress.begin_unit(task, split, subset, texts);
    }

    fn texts(&self, count: u64) {
        self.progress.texts(count);
        self.watch.catch_up();
    }

    fn end_unit(&self) {
        self.progress.end_unit();
    }

    fn unit_done(&self) {
        self.progress.unit_done();
    }

    fn unit_ended(&self, task: &str, unit: &UnitReport) {
        self.progress.unit_ended(task, unit);
        self.watch.note(task, unit);
    }

    fn end_task(&self, report: &TaskReport) {
        self.progress.end_task(report);
        // Some fail only when their result file is written.
        for (unit, _) in report.failures() {
            self.watch.note(&report.task, unit);
        }
    }

    fn end_run(&self) {
        self.progress.end_run();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plan() -> ShardPlan {
        let plan = json!({
            "schema": 1, "mteb_host": "0.1.0", "arguments": [], "places": [], "model": {}, "plugins": {},
            "cost": {"tokens_per_second": 1.0, "from": "a guess"}, "smallest_piece": "unit",
            "shards": [{"units": 3, "seconds": 1.0}], "tasks": []
        });
        serde_json::from_value(plan).unwrap()
    }

    fn ended(subset: &str, outcome: UnitOutcome) -> UnitReport {
        UnitReport { split: "test".to_owned(), subset: subset.to_owned(), outcome, warnings: Vec::new() }
    }

    #[test]
    fn units_that_end_faster_than_reports_are_written_are_said_later_or_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let watch = ShardWatch::begin((&plan(), "ab", 0), folder.path(), Path::new("cache")).unwrap();
        let said = || ShardState::read(folder.path()).unwrap();
        let took = |seconds| Some((Instant::now(), Duration::from_secs(seconds)));
        watch.note("A", &ended("a", UnitOutcome::Scored(0.5)));
        assert_eq!(said().units_done, 1);
        watch.now.lock().unwrap().last_report = took(3600);
        watch.note("A", &ended("b", UnitOutcome::Failed("no data".to_owned())));
        watch.catch_up();
        assert_eq!(
            (said().units_done, said().units_failed),
            (1, 0),
            "a report that takes an hour waits for twenty"
        );
        watch.now.lock().unwrap().last_report = took(0);
        watch.catch_up();
        assert_eq!((said().units_failed, said().failures[0].reason.as_str()), (1, "no data"));
        watch.now.lock().unwrap().last_report = took(3600);
        watch.note("A", &ended("b", UnitOutcome::Scored(0.5)));
        watch.note("A", &ended("c", UnitOutcome::Scored(0.5)));
        watch.end(true);
        assert_eq!((said().state, said().units_done, said().units_failed), (State::Done, 3, 0));
        assert!(said().failures.is_empty());
    }
}
