//! One task: its units are scored one after the other, and each is written at once.

use std::collections::BTreeMap;

use super::group::{PlannedUnit, TaskStart};
use super::unit::{self, Scored, Scoring};
use super::{Overwrite, RunContext, TaskReport, UnitOutcome, UnitReport, same_model};
use crate::calendar;
use crate::encode::{Figures, PhaseLog};
use crate::registry::Selected;
use crate::results::{Json, ResultFile};

/// A task whose units are being scored.
pub struct TaskRun<'a> {
    context: &'a RunContext<'a>,
    selected: &'a Selected,
    file: ResultFile,
    log: PhaseLog,
    report: TaskReport,
}

impl<'a> TaskRun<'a> {
    /// A task of which no unit is scored yet; one that cannot be scored has failed already.
    pub fn new(context: &'a RunContext<'a>, start: TaskStart<'a>) -> Self {
        let TaskStart { job, begin, file } = start;
        let selected = &job.task;
        let card = &selected.entry.card;
        let (file, units) = match file {
            Ok(file) => (file, Vec::new()),
            Err(reason) => {
                let file = ResultFile::new(&card.name, card.revision(), context.host.clone());
                (file, all_failed(selected, &reason))
            }
        };
        let report = TaskReport {
            task: card.name.clone(),
            task_type: card.task_type.to_string(),
            main_score: card.main_score().to_owned(),
            units,
            figures: Figures::default(),
            seconds: 0.0,
        };
        Self { context, selected, file, log: PhaseLog::since(begin), report }
    }

    /// Takes in the results that this run itself has written since the file was read: for a task that it scores twice,
    /// alone and as a member of another.
    pub fn read_again(&mut self) {
        let found = self.context.store.read(&self.file.task_name).ok().flatten();
        if let Some(file) = found.filter(|found| self.is_of_this_run(found)) {
            self.file = file;
        }
    }

    /// Notes a unit that an earlier run has scored.
    pub fn found(&mut self, split: &str, subset: &str, main_score: f64) {
        self.note(report(split, subset, UnitOutcome::Found(main_score), Vec::new()));
    }

    /// Notes what became of a unit.
    pub fn note(&mut self, report: UnitReport) {
        self.report.units.push(report);
    }

    /// Scores a unit and writes it to the disk. `ahead` is what the unit has cost already.
    pub fn score(&mut self, unit: PlannedUnit, ahead: Figures, scoring: &Scoring) -> UnitReport {
        let PlannedUnit { split, subset, plan, phases, seconds, .. } = unit;
        if let Some(entry) = self.file.entry(split, subset) {
            return report(split, subset, UnitOutcome::Found(entry.main_score()), Vec::new());
        }
        let (before, _) = self.log.take();
        let card = &self.selected.entry.card;
        let (scored, asked) = match plan {
            Ok(plan) => unit::score(plan.as_ref(), card, (split, subset), &mut self.log, scoring),
            Err(reason) => (Err(reason), Figures::default()),
        };
        let (own, scoring_seconds) = self.log.take();
        for phases in [before, phases, own] {
            self.log.extend(phases);
        }
        let seconds = seconds + ahead.busy.as_secs_f64() + scoring_seconds;
        self.report.figures = self.report.figures + ahead + asked;
        self.report.seconds += seconds;
        let (outcome, warnings) = self.keep(scored, split, seconds);
        report(split, subset, outcome, warnings)
    }

    /// What became of the task.
    pub fn finish(self) -> TaskReport {
        self.report
    }

    /// Writes a scored unit to the disk.
    fn keep(
        &mut self,
        scored: Result<Scored, String>,
        split: &str,
        seconds: f64,
    ) -> (UnitOutcome, Vec<String>) {
        let card = &self.selected.entry.card;
        let Scored { entry, warnings, prompts } = match scored {
            Ok(scored) => scored,
            Err(reason) => return (UnitOutcome::Failed(reason), Vec::new()),
        };
        let main_score = entry.main_score();
        let mut next = self.file.clone();
        next.host = with_prompts(&self.context.host, &self.file.host, &prompts);
        next.insert(split, entry, &card.eval_splits, &card.subset_names());
        next.evaluation_time += seconds;
        next.date = calendar::seconds();
        next.phases = self.log.phases().to_vec();
        match self.context.store.update(&card.name, |found| self.joined(next, found)) {
            Ok(written) => {
                self.file = written;
                (UnitOutcome::Scored(main_score), warnings)
            }
            Err(error) => {
                let path = self.context.store.file(&card.name);
                let reason = format!("{}: cannot write the result file: {error}", path.display());
                (UnitOutcome::Failed(reason), warnings)
            }
        }
    }

    /// True if results that were found are of this model and this data, and are to stay.
    fn is_of_this_run(&self, found: &ResultFile) -> bool {
        self.context.options.overwrite != Overwrite::Always
            && found.dataset_revision == self.file.dataset_revision
            && same_model(&found.host, &self.context.host)
    }

    /// The results with those that another run has added to the file since it was read.
    fn joined(&self, mut next: ResultFile, found: Option<ResultFile>) -> ResultFile {
        let card = &self.selected.entry.card;
        let found = found.filter(|found| self.is_of_this_run(found));
        for split in found.into_iter().flat_map(|found| found.splits) {
            for entry in split.entries {
                if next.entry(&split.split, &entry.subset).is_none() {
                    next.insert(&split.split, entry, &card.eval_splits, &card.subset_names());
                }
            }
        }
        next
    }
}

fn all_failed(selected: &Selected, reason: &str) -> Vec<UnitReport> {
    let failed = |(split, subset): (&str, &str)| {
        report(split, subset, UnitOutcome::Failed(reason.to_owned()), Vec::new())
    };
    selected.units().map(failed).collect()
}

fn report(split: &str, subset: &str, outcome: UnitOutcome, warnings: Vec<String>) -> UnitReport {
    UnitReport { split: split.to_owned(), subset: subset.to_owned(), outcome, warnings }
}

/// What the host adds to a result, with the prompts that were used for it: those of this unit, and of units before it.
fn with_prompts(host: &Json, before: &Json, prompts: &BTreeMap<&'static str, String>) -> Json {
    let mut used: BTreeMap<&str, Json> = BTreeMap::new();
    for (role, prompt) in before.get("prompts").and_then(Json::as_map).unwrap_or_default() {
        used.insert(role, prompt.clone());
    }
    used.extend(prompts.iter().map(|(role, prompt)| (*role, Json::from(prompt.as_str()))));
    let used = Json::Map(used.into_iter().map(|(role, prompt)| (role.to_owned(), prompt)).collect());
    let mut entries = host.as_map().unwrap_or_default().to_vec();
    entries.push(("prompts".to_owned(), used));
    Json::Map(entries)
}
