//! The first stage: reads data and plans units, while others are encoded and scored.

use std::collections::HashSet;
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use mteb_evaluators::{TaskState, TaskType, task_types};

use super::group::{Group, Job, Limits, PlannedUnit, Size, Step, TaskStart};
use super::load::Loads;
use super::{Overwrite, RunContext, same_model, unit};
use crate::encode::PhaseLog;
use crate::interrupt;
use crate::registry::Selected;
use crate::report::Progress;
use crate::results::ResultFile;
use crate::source::DataSources;

/// Reads tasks, one after the other, and sends them on in groups.
pub struct Reader<'a> {
    context: &'a RunContext<'a>,
    sources: &'a mut DataSources,
    progress: &'a Progress,
    next: SyncSender<Group<'a>>,
    loads: Loads,
    limits: Limits,
    group: Group<'a>,
}

/// Nobody wants to hear more.
pub struct Closed;

impl<'a> Reader<'a> {
    /// A reader that sends groups to `next`.
    pub fn new(
        context: &'a RunContext<'a>,
        sources: &'a mut DataSources,
        progress: &'a Progress,
        next: SyncSender<Group<'a>>,
    ) -> Self {
        let (loads, limits, group) = (Loads::default(), Limits::new(), Group::default());
        Self { context, sources, progress, next, loads, limits, group }
    }

    /// Reads the tasks of `jobs` in order, until the run is to end.
    pub fn read(mut self, jobs: &'a [Job]) {
        for job in jobs {
            if interrupt::requested() || self.task(job).is_err() {
                return;
            }
        }
        // Whoever listens has had everything else already.
        let _ = self.send();
    }

    fn task(&mut self, job: &'a Job) -> Result<(), Closed> {
        let begin = Instant::now();
        let selected = &job.task;
        let (task_type, file) = match self.prepare(selected) {
            Ok((task_type, file)) => (Some(task_type), Ok(file)),
            Err(reason) => (None, Err(reason)),
        };
        self.push(Step::Begin(TaskStart { job, begin, file: file.clone() }))?;
        if let (Some(task_type), Ok(file)) = (task_type, file) {
            self.units(selected, task_type, &file, begin)?;
        }
        self.push(Step::End)
    }

    /// The evaluator, and the results so far.
    fn prepare(&self, selected: &Selected) -> Result<(&'static dyn TaskType, ResultFile), String> {
        let card = &selected.entry.card;
        let RunContext { store, options, .. } = self.context;
        if let Some(reason) = &card.unsupported {
            return Err(format!("this task is listed but cannot be run: {reason}"));
        }
        let name = card.task_type.as_str();
        let task_type =
            task_types::find(name).ok_or_else(|| format!("no evaluator for tasks of type {name}"))?;
        let fresh = ResultFile::new(&card.name, card.revision(), self.context.host.clone());
        if options.overwrite == Overwrite::Always {
            return Ok((task_type, fresh));
        }
        let Some(file) = store.read(&card.name)? else { return Ok((task_type, fresh)) };
        let path = store.file(&card.name);
        let is_same = file.dataset_revision == card.revision() && same_model(&file.host, &self.context.host);
        if options.overwrite == Overwrite::Missing {
            return Ok((task_type, if is_same { file } else { fresh }));
        }
        if !is_same {
            return Err(format!(
                "{}: expected results of data revision {} and this model, found others; \
                 run with `--overwrite missing` to score again",
                path.display(),
                card.revision()
            ));
        }
        let missing = selected.units().any(|(split, subset)| file.entry(split, subset).is_none());
        if missing && !file.splits.is_empty() {
            return Err(format!(
                "{}: the results are incomplete; run with `--overwrite missing` to add to them",
                path.display()
            ));
        }
        Ok((task_type, file))
    }

    /// Plans the units that are missing, and those whose draws they continue.
    fn units(
        &mut self,
        selected: &'a Selected,
        task_type: &dyn TaskType,
        file: &ResultFile,
        begin: Instant,
    ) -> Result<(), Closed> {
        let missing = selected.units().any(|(split, subset)| file.entry(split, subset).is_none());
        let asked: HashSet<(&str, &str)> = selected.units().collect();
        let mut state = TaskState::new();
        let mut log = PhaseLog::since(begin);
        for (split, subset) in selected.entry.card.units() {
            if interrupt::requested() {
                return Err(Closed);
            }
            let asked = asked.contains(&(split, subset));
            let found = file.entry(split, subset).map(|entry| entry.main_score());
            if let (true, Some(main_score)) = (asked, found) {
                self.push(Step::Found { split, subset, main_score })?;
            }
            let score_now = asked && found.is_none();
            if !missing || (!score_now && !task_type.draws()) {
                continue;
            }
            self.loads.wait();
            let plan =
                unit::plan(task_type, &selected.entry, split, subset, self.sources, &mut state, &mut log);
            if score_now {
                let (phases, seconds) = log.take();
                self.progress.unit_read(plan.as_ref().ok().and_then(|plan| plan.texts()));
                self.push(Step::Unit(PlannedUnit { task: selected, split, subset, plan, phases, seconds }))?;
            }
        }
        Ok(())
    }

    fn push(&mut self, step: Step<'a>) -> Result<(), Closed> {
        let size = Size::of(&step, self.context.info.dimension as usize);
        if self.group.is_full_before(size, self.limits.current()) {
            self.send()?;
        }
        self.group.push(step, size);
        if self.group.text_bytes() >= self.limits.current() { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<(), Closed> {
        let mut group = std::mem::take(&mut self.group);
        group.load = Some(self.loads.add(group.text_bytes()));
        self.limits.grow();
        self.next.send(group).map_err(|_| Closed)
    }
}
