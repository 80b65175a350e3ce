//! The last stage: scores units in order, writes their results, and reports.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::mpsc::Receiver;

use mteb_base::interrupt;
use mteb_models::encode::{Encoder, RowsAhead};
use mteb_registry::Selected;

use super::group::{Group, Step, TaskJob, TaskStart};
use super::options::RunContext;
use super::score_unit::Scoring;
use super::task_scorer::TaskScorer;
use super::{TaskReport, UnitOutcome, aggregate};
use crate::Observer;

/// The input from the previous stage: a group with the embeddings that exist already.
pub type Encoded<'a> = (Group<'a>, RowsAhead);

/// Scores the groups that it gets, task by task.
pub struct Scorer<'a> {
    context: &'a RunContext<'a>,
    encoder: &'a Mutex<Encoder>,
    observer: &'a dyn Observer,
    /// The tasks that were selected.
    selected: &'a [Selected],
    /// Their reports.
    reports: Vec<Vec<TaskReport>>,
    current: Option<(&'a TaskJob, TaskScorer<'a>)>,
    /// Reports of the members of a selected task so far; of a task without members its own.
    members: Vec<TaskReport>,
    /// What this run has scored, by task, split and subset: a task may run alone and as a member of
    /// another.
    scored: HashMap<(&'a str, &'a str, &'a str), UnitOutcome>,
}

/// No more is to be scored.
struct Stop;

impl<'a> Scorer<'a> {
    /// A scorer of the `selected` tasks.
    pub fn new(
        context: &'a RunContext<'a>,
        encoder: &'a Mutex<Encoder>,
        observer: &'a dyn Observer,
        selected: &'a [Selected],
    ) -> Self {
        let reports = vec![Vec::new(); selected.len()];
        let (members, scored) = (Vec::new(), HashMap::new());
        Self { context, encoder, observer, selected, reports, current: None, members, scored }
    }

    /// Scores until there is no more, or until the run is to end; gives the reports in the order in
    /// which the tasks were selected.
    pub fn score(mut self, groups: Receiver<Encoded<'a>>) -> Vec<TaskReport> {
        'run: for (group, ahead) in groups {
            for (number, step) in group.steps.into_iter().enumerate() {
                if interrupt::requested() || self.step(step, number, &ahead).is_err() {
                    break 'run;
                }
            }
        }
        // An interrupted run reports what is done of its current task.
        if let Some((job, task)) = self.current.take() {
            let report = task.finish();
            self.observer.end_task(&report);
            self.members.extend((!report.units.is_empty()).then_some(report));
            self.reports[job.number].append(&mut self.members);
        }
        self.reports.into_iter().flatten().collect()
    }

    fn step(&mut self, step: Step<'a>, number: usize, ahead: &RowsAhead) -> Result<(), Stop> {
        if let Step::Begin(start) = step {
            self.begin(start);
            return Ok(());
        }
        // Every task begins before its units.
        let Some((_, task)) = &mut self.current else { return Ok(()) };
        match step {
            Step::Found { split, subset, outcome, warnings } => {
                self.observer.unit_ended(task.name(), task.note_found(split, subset, outcome, warnings));
                self.observer.unit_done();
            }
            Step::Unit(unit) => {
                let key = (unit.task.entry.card.name.as_str(), unit.split, unit.subset);
                if let Some(outcome) = self.scored.get(&key) {
                    let report = task.note_found(unit.split, unit.subset, outcome.clone(), Vec::new());
                    self.observer.unit_ended(key.0, report);
                    self.observer.unit_done();
                    return Ok(());
                }
                let (encoder, info) = (self.encoder, &self.context.info);
                let compression = self.context.options.compression;
                let scoring = Scoring { encoder, info, compression, ahead, observer: self.observer };
                let report = task.score(unit, ahead.counters(number), &scoring);
                let failed = matches!(report.outcome, UnitOutcome::Failed(_));
                if failed && interrupt::requested() {
                    return Err(Stop);
                }
                self.observer.unit_ended(key.0, &report);
                if !failed {
                    self.scored.insert(key, report.outcome.clone());
                }
                task.note(report);
                self.observer.unit_done();
                if failed && self.context.options.fail_fast {
                    return self.end();
                }
            }
            Step::Peer(_) => task.note_peer(ahead.counters(number)),
            Step::Begin(_) | Step::End => return self.end(),
        }
        Ok(())
    }

    fn begin(&mut self, start: TaskStart<'a>) {
        let job = start.job;
        let name = job.task.entry.card.name.as_str();
        self.observer.begin_task(name);
        let task = TaskScorer::new(self.context, start);
        // The units of a task that cannot be scored at all have failed already.
        for unit in task.units_so_far() {
            self.observer.unit_ended(name, unit);
            self.observer.unit_done();
        }
        self.current = Some((job, task));
    }

    fn end(&mut self) -> Result<(), Stop> {
        let Some((job, task)) = self.current.take() else { return Ok(()) };
        let report = task.finish();
        self.observer.end_task(&report);
        let stops = self.context.options.fail_fast && report.failures().next().is_some();
        self.members.push(report);
        if job.is_last || stops {
            let selected = &self.selected[job.number];
            let members = std::mem::take(&mut self.members);
            // If other machines score a part of the tasks, their mean is computed when all parts
            // are merged.
            let is_mean = !selected.entry.members.is_empty() && self.context.options.part.is_none();
            self.reports[job.number] = if !is_mean {
                members
            } else {
                let report = {
                    let RunContext { store, host, options, .. } = self.context;
                    aggregate::combine(selected, &members, (store, host, options.overwrite), self.observer)
                };
                // Failures of its members were reported already.
                if members.iter().all(|member| member.failures().next().is_none()) {
                    self.observer.end_task(&report);
                }
                vec![report]
            };
        }
        let failed = self.reports[job.number].iter().any(|task| task.failures().next().is_some());
        if self.context.options.fail_fast && failed { Err(Stop) } else { Ok(()) }
    }
}
