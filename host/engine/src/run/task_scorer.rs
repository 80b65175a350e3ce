//! The last stage for one task: scores its units one after the other. Each is written at once or,
//! if the file is large, soon afterwards.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use mteb_base::calendar;
use mteb_json::Json;
use mteb_models::encode::lock;
use mteb_registry::Selected;
use mteb_results::footprint::{Counters, Energy, Footprint, Gpus, PhaseLog, Works};
use mteb_results::{ResultFile, SubsetScores, UnitName, Updated};
use mteb_tasks::Keep;
use tracing::debug;

use super::error::UnitError;
use super::group::{MadeFrom, PlannedUnit, TaskStart};
use super::options::RunContext;
use super::part::own_units;
use super::score_unit::{Scored, Scoring, facts_json, score_unit, write_companions};
use super::unknown_results::{leave_out_other_revisions, leave_out_other_types};
use super::{TaskReport, UnitOutcome, UnitReport};

/// The divisor that limits the share of time for writing a result file: every write contains all
/// units of the task.
const WORK_PER_WRITE: u32 = 20;

/// If a write takes at most this long, every unit is written at once.
const SHORT_WRITE: Duration = Duration::from_millis(20);

/// A unit with its scores, and what they were made from.
struct Pending {
    split: String,
    entry: SubsetScores,
    facts: Option<Json>,
    seconds: f64,
}

/// A task whose units are being scored.
pub struct TaskScorer<'a> {
    pub(super) context: &'a RunContext<'a>,
    pub(super) selected: &'a Selected,
    /// Units that this run scores, as split and subset.
    units: HashSet<(String, String)>,
    /// True once a result was written.
    has_written: bool,
    /// True once the file as it was is kept aside.
    is_set_aside: bool,
    /// Scored units that are not in the file yet.
    pending: Vec<Pending>,
    /// When the file was written last, and how long that took.
    last_write: Option<(Instant, Duration)>,
    pub(super) log: PhaseLog,
    pub(super) report: TaskReport,
    footprint: Footprint,
    /// The cost of searching parts of a corpus, which is recorded in files of their own.
    pub(super) searched: Counters,
    energy: Energy,
    gpus: Gpus,
}

impl<'a> TaskScorer<'a> {
    /// A task of which no unit is scored yet; one that cannot be scored has failed already.
    pub fn new(context: &'a RunContext<'a>, start: TaskStart<'a>) -> Self {
        let TaskStart { job, begin, units } = start;
        let selected = &job.task;
        let card = &selected.entry.card;
        let (units, failed) = match units {
            Ok(units) => (units, Vec::new()),
            Err(reason) => (HashSet::new(), all_failed(context, selected, &reason.reason())),
        };
        let report = TaskReport {
            task: card.name.clone(),
            task_type: card.task_type.to_string(),
            main_score: card.main_score().to_owned(),
            units: failed,
            counters: Counters::default(),
            seconds: 0.0,
        };
        Self {
            context,
            selected,
            units,
            has_written: false,
            is_set_aside: false,
            pending: Vec::new(),
            last_write: None,
            log: PhaseLog::since(begin),
            report,
            footprint: Footprint::default(),
            searched: Counters::default(),
            energy: Energy::from_now(),
            gpus: Gpus::from_now(context.setting.workers.iter().map(String::as_str)),
        }
    }

    /// The name of the task.
    pub fn name(&self) -> &'a str {
        &self.selected.entry.card.name
    }

    /// What has become of units so far.
    pub fn units_so_far(&self) -> &[UnitReport] {
        &self.report.units
    }

    /// Notes a unit that an earlier run has scored, or this run as a unit of another task, with the
    /// notes on its data from then.
    pub fn note_found(
        &mut self,
        split: &str,
        subset: &str,
        outcome: UnitOutcome,
        warnings: Vec<String>,
    ) -> &UnitReport {
        self.note(report(split, subset, outcome, warnings))
    }

    /// Counts the cost of encoding the texts of a unit that another machine scores.
    pub fn note_peer(&mut self, ahead: Counters) {
        self.report.counters = self.report.counters + ahead;
        self.report.seconds += ahead.busy.as_secs_f64();
    }

    /// Notes what became of a unit.
    pub fn note(&mut self, report: UnitReport) -> &UnitReport {
        self.report.units.push(report);
        &self.report.units[self.report.units.len() - 1]
    }

    /// Scores a unit and writes it to the disk. `ahead` is what the unit has cost already.
    pub fn score(&mut self, unit: PlannedUnit, ahead: Counters, scoring: &Scoring) -> UnitReport {
        let card = &self.selected.entry.card;
        let part = self.context.options.part.as_deref();
        if let Some(ranges) = part.and_then(|part| part.ranges(&card.name, (unit.split, unit.subset))) {
            return self.search(unit, ranges, ahead, scoring);
        }
        let PlannedUnit { split, subset, plan, of_folder, made_from, phases, seconds, works, .. } = unit;
        let (before, _) = self.log.take();
        let (scored, asked) = match plan {
            Ok(plan) => {
                let files = self.context.options.keep;
                let keep = Keep { items: files.outcomes, rankings: files.depth() };
                score_unit(plan.as_ref(), card, (split, subset), keep, &mut self.log, scoring)
            }
            Err(reason) => (Err(reason), Counters::default()),
        };
        let (own, scoring_seconds) = self.log.take();
        for phases in [before, phases, own] {
            self.log.extend(phases);
        }
        let seconds = seconds + ahead.busy.as_secs_f64() + scoring_seconds;
        let counters = ahead + asked;
        let counters = if scored.is_ok() { counters } else { counters.of_failed() };
        self.report.counters = self.report.counters + counters;
        self.report.seconds += seconds;
        self.note_footprint(works, scoring);
        let (outcome, mut warnings) = self.keep(scored, made_from, split, seconds);
        warnings.splice(0..0, of_folder);
        report(split, subset, outcome, warnings)
    }

    /// Counts what a unit has cost.
    fn note_footprint(&mut self, reading: Works, scoring: &Scoring) {
        self.footprint.works += reading;
        self.footprint.works += self.log.take_works();
        self.footprint.counters = self.report.counters - self.searched;
        let processes = {
            let mut encoder = lock(scoring.encoder);
            self.footprint.worker_memory = encoder.worker_memory();
            encoder.worker_processes()
        };
        self.footprint.joules = self.energy.joules();
        self.footprint.gpu_memory = self.footprint.gpu_memory.max(self.gpus.memory(&processes));
        self.footprint.gpu_joules = self.gpus.joules();
        self.footprint.units += 1;
    }

    /// Writes the pending units to disk and returns the report of the task.
    pub fn finish(mut self) -> TaskReport {
        let pending: Vec<(String, String)> =
            self.pending.iter().map(|unit| (unit.split.clone(), unit.entry.subset.clone())).collect();
        let (notes, fault) = match self.write() {
            Ok(notes) => (notes, None),
            Err(error) => (Vec::new(), Some(error.reason())),
        };
        let is_pending = |unit: &UnitReport| {
            pending.iter().any(|(split, subset)| (split, subset) == (&unit.split, &unit.subset))
        };
        let mut written = self.report.units.iter_mut().filter(|unit| is_pending(unit));
        if let Some(reason) = fault {
            written.for_each(|unit| unit.outcome = UnitOutcome::Failed(reason.clone()));
        } else if let Some(last) = written.next_back() {
            last.warnings.extend(notes);
        }
        self.warn_of_old_results();
        self.report
    }

    /// Warns about each failed unit whose earlier result is still in the file. This is known only
    /// after the file was written for the last time.
    fn warn_of_old_results(&mut self) {
        let store = &self.context.store;
        let (task, units) = (&self.selected.entry.card.name, &self.units);
        let has_failed = |unit: &&mut UnitReport| {
            matches!(unit.outcome, UnitOutcome::Failed(_))
                && units.contains(&(unit.split.clone(), unit.subset.clone()))
        };
        let mut failed = self.report.units.iter_mut().filter(has_failed).peekable();
        if failed.peek().is_none() {
            return;
        }
        // A file that cannot be read was reported when the run first read it.
        let Ok(Some(file)) = store.read(task) else { return };
        let line =
            format!("scoring failed; the file still has the old result: {}", store.file(task).display());
        failed
            .filter(|unit| file.entry(&unit.split, &unit.subset).is_some())
            .for_each(|unit| unit.warnings.push(line.clone()));
    }

    /// Writes a scored unit to disk.
    fn keep(
        &mut self,
        scored: Result<Scored, UnitError>,
        made_from: Option<Box<MadeFrom>>,
        split: &str,
        seconds: f64,
    ) -> (UnitOutcome, Vec<String>) {
        let mut scored = match scored {
            Ok(scored) => scored,
            Err(error) => return (UnitOutcome::Failed(error.reason()), Vec::new()),
        };
        let mut warnings = std::mem::take(&mut scored.warnings);
        if let Some(Err(error)) = made_from.as_ref().map(|made_from| made_from.check()) {
            return (UnitOutcome::Failed(error.reason()), warnings);
        }
        let prompts = std::mem::take(&mut scored.prompts);
        let facts =
            made_from.map(|made_from| facts_json(made_from.facts, prompts, (&warnings, &scored.notes)));
        match self.keep_files(split, &scored, facts.as_ref()) {
            Ok(notes) => warnings.extend(notes),
            Err(error) => return (UnitOutcome::Failed(error.reason()), warnings),
        }
        let entry = scored.entry;
        let main_score = entry.main_score();
        self.pending.push(Pending { split: split.to_owned(), entry, facts, seconds });
        if self.is_write_due() {
            match self.write() {
                Ok(notes) => warnings.extend(notes),
                Err(error) => {
                    // Those before it are tried once more at the end.
                    self.pending.pop();
                    return (UnitOutcome::Failed(error.reason()), warnings);
                }
            }
        }
        (UnitOutcome::Scored(main_score), warnings)
    }

    /// True unless writing the file again would take more than its share of the time. The file
    /// holds all units of the task, so that one of a thousand units would take longer to write than
    /// the units to score.
    fn is_write_due(&self) -> bool {
        self.last_write
            .is_none_or(|(end, took)| took <= SHORT_WRITE || end.elapsed() >= took * WORK_PER_WRITE)
    }

    /// Writes all pending units to the disk; gives lines about what was moved away.
    fn write(&mut self) -> Result<Vec<String>, UnitError> {
        if self.pending.is_empty() {
            return Ok(Vec::new());
        }
        let begin = Instant::now();
        let task = &self.selected.entry.card.name;
        let written = self.context.store.update(task, !self.is_set_aside, |found| self.merge_pending(found));
        self.last_write = Some((Instant::now(), begin.elapsed()));
        debug!(task, units = self.pending.len(), took = ?begin.elapsed(), "write result");
        match written {
            Ok(Updated { is_set_aside, notes }) => {
                self.pending.clear();
                self.is_set_aside |= is_set_aside;
                self.has_written = true;
                Ok(notes)
            }
            Err(error) => {
                let path = self.context.store.file(task);
                Err(UnitError::cannot_write(&path, "the result file", error))
            }
        }
    }

    /// Writes the companion files of a unit before its scores, because the scores are valid only if
    /// these files exist. Returns lines about files that were moved away.
    fn keep_files(
        &self,
        split: &str,
        scored: &Scored,
        facts: Option<&Json>,
    ) -> Result<Vec<String>, UnitError> {
        let RunContext { kept, options, info, host, .. } = self.context;
        if self.context.store.keeps_nothing() {
            return Ok(Vec::new());
        }
        let unit = UnitName { task: &self.selected.entry.card.name, split, subset: &scored.entry.subset };
        let model = host.get("model").unwrap_or(&Json::Null);
        let made_from = (model, facts.unwrap_or(&Json::Null));
        let kept = (kept, options.keep, self.selected.entry.card.as_ref());
        let written = write_companions(kept, unit, &info.identity, made_from, scored);
        let folder = self.context.store.folder();
        written.map_err(|error| UnitError::cannot_write(folder, "the files of the unit", error))
    }

    /// Merges the pending results into those on disk. The store calls this while it holds the
    /// folder's claim. All other results stay, each with its recorded inputs.
    fn merge_pending(&self, found: Option<ResultFile>) -> ResultFile {
        let card = &self.selected.entry.card;
        let mut next = ResultFile::of_card(found, card);
        if !self.has_written {
            leave_out_other_types(&mut next, card);
            leave_out_other_revisions(&mut next, card);
            if self.replaces_all(&next) {
                next.evaluation_time = 0.0;
            }
        }
        for Pending { split, entry, seconds, .. } in &self.pending {
            next.insert(split, entry.clone(), &card.eval_splits, &card.subset_names());
            next.evaluation_time += seconds;
        }
        next.set_host(&self.context.host);
        for Pending { split, entry, facts, .. } in &self.pending {
            next.set_facts(split, &entry.subset, facts.clone().unwrap_or(Json::Null));
        }
        next.order_facts();
        next.host.set("footprint", self.footprint.to_json(&self.context.setting));
        card.revision().clone_into(&mut next.dataset_revision);
        next.date = calendar::seconds();
        next.phases = self.log.phases().to_vec();
        next
    }

    /// True if this run scores every unit that the file has.
    fn replaces_all(&self, file: &ResultFile) -> bool {
        let has = |split: &str, entry: &SubsetScores| {
            self.units.contains(&(split.to_owned(), entry.subset.clone()))
        };
        file.splits.iter().all(|split| split.entries.iter().all(|entry| has(&split.split, entry)))
    }
}

fn all_failed(context: &RunContext, selected: &Selected, reason: &str) -> Vec<UnitReport> {
    let failed = |(split, subset): (&str, &str)| {
        report(split, subset, UnitOutcome::Failed(reason.to_owned()), Vec::new())
    };
    own_units(context.options.part.as_deref(), selected).into_iter().map(failed).collect()
}

pub(super) fn report(split: &str, subset: &str, outcome: UnitOutcome, warnings: Vec<String>) -> UnitReport {
    UnitReport { split: split.to_owned(), subset: subset.to_owned(), outcome, warnings }
}
