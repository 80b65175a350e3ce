//! One task: what is missing is scored, unit by unit, and written at once.

use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

use mteb_evaluators::{TaskState, TaskType, task_types};

use super::unit::{self, Scored};
use super::{Overwrite, RunOptions, TaskReport, UnitOutcome, UnitReport};
use crate::calendar;
use crate::encode::{Encoder, PhaseLog};
use crate::interrupt;
use crate::registry::Selected;
use crate::report::Progress;
use crate::results::{Json, ResultFile, Store};
use crate::source::DataSources;

/// Everything that one task needs.
pub struct TaskJob<'a> {
    /// The task, narrowed to what was asked for.
    pub selected: &'a Selected,
    /// The model.
    pub encoder: &'a mut Encoder,
    /// Where data comes from.
    pub sources: &'a mut DataSources,
    /// Where results go.
    pub store: &'a Store,
    /// Who the model is.
    pub host: &'a Json,
    /// How the run behaves.
    pub options: &'a RunOptions,
    /// Who is told.
    pub progress: &'a Progress,
}

impl TaskJob<'_> {
    /// Runs the task; failures are in the report.
    pub fn run(&mut self) -> TaskReport {
        let begin = Instant::now();
        let before = self.encoder.figures();
        let card = &self.selected.entry.card;
        let units = match self.prepare() {
            Ok((task_type, file)) => self.units(task_type, file),
            Err(reason) => self.all_failed(&reason),
        };
        TaskReport {
            task: card.name.clone(),
            task_type: card.task_type.to_string(),
            main_score: card.main_score().to_owned(),
            units,
            figures: self.encoder.figures() - before,
            seconds: begin.elapsed().as_secs_f64(),
        }
    }

    /// The evaluator, and the results so far.
    fn prepare(&self) -> Result<(&'static dyn TaskType, ResultFile), String> {
        let card = &self.selected.entry.card;
        if let Some(reason) = &card.unsupported {
            return Err(format!("this task is listed but cannot be run: {reason}"));
        }
        let name = card.task_type.as_str();
        let task_type =
            task_types::find(name).ok_or_else(|| format!("no evaluator for tasks of type {name}"))?;
        let fresh = ResultFile::new(&card.name, card.revision(), self.host.clone());
        if self.options.overwrite == Overwrite::Always {
            return Ok((task_type, fresh));
        }
        let Some(file) = self.store.read(&card.name)? else { return Ok((task_type, fresh)) };
        if file.dataset_revision == card.revision() && same_model(&file.host, self.host) {
            return Ok((task_type, file));
        }
        if self.options.overwrite == Overwrite::Never {
            return Err(format!(
                "{}: expected results of data revision {} and this model, found others; \
                 run with `--overwrite missing` to score again",
                self.store.file(&card.name).display(),
                card.revision()
            ));
        }
        Ok((task_type, fresh))
    }

    fn units(&mut self, task_type: &dyn TaskType, mut file: ResultFile) -> Vec<UnitReport> {
        let selected = self.selected;
        let card = &selected.entry.card;
        let missing = selected.units().any(|(split, subset)| file.entry(split, subset).is_none());
        if missing && self.options.overwrite == Overwrite::Never && !file.splits.is_empty() {
            let path = self.store.file(&card.name);
            return self.all_failed(&format!(
                "{}: the results are incomplete; run with `--overwrite missing` to add to them",
                path.display()
            ));
        }
        let mut state = TaskState::new();
        let mut log = PhaseLog::new();
        let mut reports = Vec::new();
        let asked: HashSet<(&str, &str)> = selected.units().collect();
        for (split, subset) in card.units() {
            if interrupt::requested() {
                break;
            }
            let asked = asked.contains(&(split, subset));
            let found = file.entry(split, subset).map(|entry| entry.main_score());
            if let (true, Some(score)) = (asked, found) {
                reports.push(UnitReport {
                    split: split.to_owned(),
                    subset: subset.to_owned(),
                    outcome: UnitOutcome::Found(score),
                    warnings: Vec::new(),
                });
            }
            let score_now = asked && found.is_none();
            if !missing || (!score_now && !task_type.draws()) {
                continue;
            }
            let before = log.seconds();
            let plan =
                unit::plan(task_type, &selected.entry, split, subset, self.sources, &mut state, &mut log);
            if !score_now {
                continue;
            }
            let scored = plan.and_then(|plan| {
                unit::score(plan.as_ref(), card, split, subset, self.encoder, &mut log, self.progress)
            });
            let report = self.keep(scored, split, subset, &mut file, &log, before);
            let failed = matches!(report.outcome, UnitOutcome::Failed(_));
            if failed && interrupt::requested() {
                break;
            }
            reports.push(report);
            if failed && self.options.fail_fast {
                return reports;
            }
        }
        reports
    }

    /// Writes a scored unit to the disk.
    fn keep(
        &mut self,
        scored: Result<Scored, String>,
        split: &str,
        subset: &str,
        file: &mut ResultFile,
        log: &PhaseLog,
        before: f64,
    ) -> UnitReport {
        let card = &self.selected.entry.card;
        let report = |outcome, warnings| UnitReport {
            split: split.to_owned(),
            subset: subset.to_owned(),
            outcome,
            warnings,
        };
        let Scored { entry, warnings, prompts } = match scored {
            Ok(scored) => scored,
            Err(reason) => return report(UnitOutcome::Failed(reason), Vec::new()),
        };
        let main_score = entry.main_score();
        let mut next = file.clone();
        next.host = with_prompts(self.host, &file.host, &prompts);
        next.insert(split, entry, &card.eval_splits, &card.subset_names());
        next.evaluation_time += log.seconds() - before;
        next.date = calendar::seconds();
        next.phases = log.phases().to_vec();
        match self.store.update(&card.name, |found| self.joined(next, found)) {
            Ok(written) => {
                *file = written;
                report(UnitOutcome::Scored(main_score), warnings)
            }
            Err(error) => {
                let path = self.store.file(&card.name);
                let reason = format!("{}: cannot write the result file: {error}", path.display());
                report(UnitOutcome::Failed(reason), warnings)
            }
        }
    }

    /// The results with those that another run has added to the file since it was read.
    fn joined(&self, mut next: ResultFile, found: Option<ResultFile>) -> ResultFile {
        let card = &self.selected.entry.card;
        let is_same = |found: &ResultFile| {
            found.dataset_revision == next.dataset_revision && same_model(&found.host, &next.host)
        };
        let found = found.filter(|found| self.options.overwrite != Overwrite::Always && is_same(found));
        for split in found.into_iter().flat_map(|found| found.splits) {
            for entry in split.entries {
                if next.entry(&split.split, &entry.subset).is_none() {
                    next.insert(&split.split, entry, &card.eval_splits, &card.subset_names());
                }
            }
        }
        next
    }

    fn all_failed(&self, reason: &str) -> Vec<UnitReport> {
        self.selected
            .units()
            .map(|(split, subset)| UnitReport {
                split: split.to_owned(),
                subset: subset.to_owned(),
                outcome: UnitOutcome::Failed(reason.to_owned()),
                warnings: Vec::new(),
            })
            .collect()
    }
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

/// True if two results are of the same model; the host's own version may differ.
pub fn same_model(left: &Json, right: &Json) -> bool {
    left.get("model") == right.get("model")
}
