//! The first stage: reads data and plans units, while others are encoded and scored.

use std::collections::{BTreeMap, HashSet};
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use mteb_base::interrupt;
use mteb_json::Json;
use mteb_registry::{Selected, fetched_from, options_of_unit};
use mteb_results::footprint::PhaseLog;
use mteb_results::identity::{Chain, UnitFacts};
use mteb_results::{ResultFile, UnitName};
use mteb_source::{DataSources, UnitSource};
use mteb_tasks::{Evaluator, TaskState};

use super::error::UnitError;
use super::freshness::{Freshness, UnitsFreshness, check_freshness};
use super::group::{Group, Limits, Loads, MadeFrom, PlannedUnit, Size, Step, TaskJob, TaskStart};
use super::options::RunContext;
use super::outcome::UnitOutcome;
use super::plan_unit::{PlanRequest, plan_unit};
use super::restore_superseded::{restore_superseded, update_card_fields};
use super::score_unit::computed;
use super::scored_again::{Blocks, ScoredAgain};
use super::unknown_results::{other_plugin_warning, unknown_units_warning};
use super::{Overwrite, RunOptions};
use crate::Observer;

/// Reads tasks, one after the other, and sends them on in groups.
pub struct UnitReader<'a> {
    context: &'a RunContext<'a>,
    sources: &'a mut DataSources,
    observer: &'a dyn Observer,
    next: SyncSender<Group<'a>>,
    loads: Loads,
    limits: Limits,
    group: Group<'a>,
    /// Announcements that were already printed. A task may run alone and as a member of another
    /// one, and is announced once.
    announced: HashSet<String>,
}

/// The state in which a task starts.
type Prepared<'a> = (&'static dyn Evaluator, UnitsFreshness<'a>, ResultFile);

/// The next stage has ended and takes nothing more.
pub struct Closed;

impl<'a> UnitReader<'a> {
    /// A reader that sends groups to `next`.
    pub fn new(
        context: &'a RunContext<'a>,
        sources: &'a mut DataSources,
        observer: &'a dyn Observer,
        next: SyncSender<Group<'a>>,
    ) -> Self {
        let (loads, limits, group) = (Loads::default(), Limits::of_block(0), Group::default());
        Self { context, sources, observer, next, loads, limits, group, announced: HashSet::new() }
    }

    /// Reads the tasks of `jobs` in order, until the run is to end.
    pub fn read(mut self, jobs: &'a [TaskJob]) {
        for job in jobs {
            if interrupt::requested() || self.read_task(job).is_err() {
                return;
            }
        }
        // The next stage already has everything else.
        let _ = self.send();
    }

    /// Reads a task: decides what to do with its units, then reads those that are scored.
    fn read_task(&mut self, job: &'a TaskJob) -> Result<(), Closed> {
        let begin = Instant::now();
        let selected = &job.task;
        match self.prepare(selected) {
            Ok((evaluator, freshness, file)) => {
                let scored = freshness.iter().filter(|(_, state)| state.standing().is_none());
                let units = scored.map(|((split, subset), _)| ((*split).to_owned(), (*subset).to_owned()));
                self.push(Step::Begin(TaskStart { job, begin, units: Ok(units.collect()) }))?;
                self.plan_units(selected, evaluator, (&freshness, &file), begin)?;
            }
            Err(reason) => self.push(Step::Begin(TaskStart { job, begin, units: Err(reason) }))?,
        }
        self.push(Step::End)?;
        // Texts of different tasks are never encoded together, so other tasks in the run cannot
        // change a batch.
        self.send()
    }

    /// The evaluator, what is to be done with each unit, and the results that are there.
    fn prepare(&mut self, selected: &'a Selected) -> Result<Prepared<'a>, UnitError> {
        let card = &selected.entry.card;
        let RunContext { store, options, .. } = self.context;
        if let Some(reason) = &card.unsupported {
            return Err(UnitError::Unsupported(reason.clone()));
        }
        let evaluator = mteb_tasks::evaluator(card.task_type);
        let file = match options.overwrite {
            Overwrite::Always => {
                store.check_place(&card.name)?;
                None
            }
            _ => store.read(&card.name)?,
        };
        self.announce_other_plugin(file.as_ref());
        let is_there = file.as_ref().is_some_and(|file| !file.splits.is_empty());
        let file = ResultFile::of_card(file, card);
        let freshness = check_freshness(self.context, selected, evaluator, &file, self.sources);
        let (file, freshness) = if options.overwrite == Overwrite::Missing && is_there {
            restore_superseded(
                (self.context, selected, evaluator),
                (file, freshness),
                self.sources,
                self.observer,
            )?
        } else {
            (file, freshness)
        };
        let again = ScoredAgain::of(&card.name, &freshness);
        if let Some(line) =
            unknown_units_warning(selected, &file).filter(|line| self.announced.insert(line.clone()))
        {
            self.observer.warn(&line);
        }
        if options.overwrite == Overwrite::Never && is_there {
            self.refuse(&card.name, again, &freshness)?;
        } else if let Some(line) = again.map(|again| again.announcement())
            && self.announced.insert(line.clone())
        {
            self.observer.say(&line);
        }
        if options.overwrite != Overwrite::Never {
            update_card_fields(store, selected, &freshness, &file, self.observer)?;
        }
        Ok((evaluator, freshness, file))
    }

    /// Says once that another plugin has results in this folder.
    fn announce_other_plugin(&mut self, file: Option<&ResultFile>) {
        let RunContext { store, host, .. } = self.context;
        let line = file.zip(host.get("model"));
        let line = line.and_then(|(file, model)| other_plugin_warning(file, model, store.folder()));
        if let Some(line) = line.filter(|line| self.announced.insert(line.clone())) {
            self.observer.warn(&line);
        }
    }

    /// Refuses to touch a file whose results do not all stand.
    fn refuse(
        &self,
        task: &str,
        again: Option<ScoredAgain>,
        freshness: &UnitsFreshness,
    ) -> Result<(), UnitError> {
        let path = self.context.store.file(task);
        if let Some(again) = again {
            return Err(UnitError::OtherResults { path, reason: again.refusal() });
        }
        if freshness.values().any(|state| *state == Freshness::Missing) {
            return Err(UnitError::Incomplete(path));
        }
        Ok(())
    }

    /// Plans the units that are to be scored, and those whose draws they continue.
    fn plan_units(
        &mut self,
        selected: &'a Selected,
        evaluator: &dyn Evaluator,
        (freshness, file): (&UnitsFreshness<'a>, &ResultFile),
        begin: Instant,
    ) -> Result<(), Closed> {
        let mut earlier_warnings = file.warnings();
        let work = freshness.values().filter(|state| state.standing().is_none()).count();
        let card = &selected.entry.card;
        let RunOptions { measures, limit, first_stage, .. } = self.context.options;
        let first_stage = first_stage.as_ref();
        let wanted = PlanRequest { measures, keeps_all: self.context.ranks, limit: *limit, first_stage };
        let mut left = work;
        let mut blocks = Blocks::new(selected, freshness);
        let mut current = 0;
        self.limits = Limits::of_block(current);
        let part = self.context.options.part.as_deref();
        let mut state = TaskState::new();
        let mut chain = evaluator.draws().then(Chain::default);
        // The reason why later units cannot be scored: an earlier unit made no draws for them to
        // continue.
        let mut broken: Option<Broken> = None;
        let mut log = PhaseLog::since(begin);
        let units_in_order = self.context.options.draws.units(selected);
        let drawn = note_on_unselected_units(selected, evaluator, &units_in_order, freshness);
        if let Some(line) = drawn.filter(|_| part.is_none()) {
            self.observer.say(&line);
        }
        for (split, subset) in units_in_order {
            if interrupt::requested() {
                return Err(Closed);
            }
            let found = freshness.get(&(split, subset));
            if let Some(outcome) = found.and_then(Freshness::standing) {
                let before = earlier_warnings.remove(&(split, subset)).unwrap_or_default();
                self.push_found((split, subset), outcome, before)?;
            }
            let score_now = found.is_some_and(|state| state.standing().is_none());
            let block =
                blocks.of((split, subset)).filter(|_| score_now || (part.is_some() && found.is_none()));
            if let Some(block) = block.filter(|&block| block != current) {
                self.close()?;
                self.limits = Limits::of_block(block);
                current = block;
            }
            // The group of a unit is known once all earlier units of its block are read, and those
            // that complete the group.
            let is_peer =
                !score_now && block.is_some_and(|block| blocks.has_left(block) || self.group.has_own());
            if !score_now && !is_peer && (left == 0 || !evaluator.draws()) {
                continue;
            }
            self.loads.wait();
            let (mut plan, read_from) = match &broken {
                Some(broken) => (Err(broken.error()), None),
                None => plan_unit(
                    evaluator,
                    &selected.entry,
                    (split, subset),
                    &wanted,
                    self.sources,
                    &mut state,
                    &mut log,
                ),
            };
            if let Some(other) =
                read_from.as_ref().and_then(|found| self.other_data(selected, (split, subset), found))
            {
                plan = Err(other);
            }
            if let (Err(reason), None, true) = (&plan, &broken, evaluator.draws()) {
                broken = Some(Broken { split, subset, reason: reason.reason() });
            }
            let options = options_of_unit(card, subset);
            let earlier = chain.as_ref().and_then(Chain::hash);
            if let (Some(chain), Some(facts)) = (&mut chain, &read_from) {
                chain.push((split, subset), &options, &facts.data);
            }
            if score_now || is_peer {
                let (phases, seconds) = log.take();
                let works = log.take_works();
                let ranked = plan.as_ref().ok().and_then(|plan| plan.ranks()).map(str::to_owned);
                let made_from = read_from.map(|source| {
                    self.made_from(selected, (split, subset), source, (earlier, options, ranked))
                });
                let of_folder = self.sources.take_folder_notes();
                let unit = PlannedUnit {
                    task: selected,
                    split,
                    subset,
                    plan,
                    of_folder,
                    made_from,
                    phases,
                    seconds,
                    works,
                };
                if is_peer {
                    self.push(Step::Peer(unit))?;
                    continue;
                }
                left -= 1;
                block.into_iter().for_each(|block| blocks.take(block));
                let plan = unit.plan.as_ref().ok();
                self.observer.unit_read(plan.and_then(|plan| computed(&**plan, &self.context.info)));
                self.push(Step::Unit(unit))?;
            }
        }
        Ok(())
    }

    /// Passes on a unit whose score is still valid, with the notes that the earlier run made about
    /// it (`before`).
    fn push_found(
        &mut self,
        (split, subset): (&'a str, &'a str),
        outcome: UnitOutcome,
        before: Vec<String>,
    ) -> Result<(), Closed> {
        let mut warnings = self.sources.take_folder_notes();
        let before: Vec<String> = before.into_iter().filter(|line| !warnings.contains(line)).collect();
        warnings.extend(before);
        self.push(Step::Found { split, subset, outcome, warnings })
    }

    /// The fault of a unit whose data is not that for which this part of a run was planned.
    fn other_data(&self, selected: &Selected, unit: (&str, &str), found: &UnitSource) -> Option<UnitError> {
        let part = self.context.options.part.as_deref()?;
        let change = part.changes_of_data(&selected.entry.card.name, unit, &found.data)?;
        Some(UnitError::OtherData { change, remedy: "; plan again, or bring that data here" })
    }

    /// What the score of a unit will record about its inputs.
    fn made_from(
        &self,
        selected: &Selected,
        (split, subset): (&str, &str),
        UnitSource { data, watched }: UnitSource,
        (earlier, options, ranked): (Option<String>, Json, Option<String>),
    ) -> Box<MadeFrom> {
        let RunOptions { measures, first_stage, .. } = self.context.options;
        let name = UnitName { task: &selected.entry.card.name, split, subset };
        let facts = UnitFacts {
            data,
            earlier,
            options,
            measures: measures.clone(),
            prompts: BTreeMap::new(),
            ranked,
            // A plan that was made has read them.
            first_stage: first_stage.as_ref().and_then(|first| first.hash(name).ok()),
            registry: fetched_from(&selected.entry.home),
        };
        Box::new(MadeFrom { facts, watched })
    }

    fn push(&mut self, step: Step<'a>) -> Result<(), Closed> {
        let size = Size::of(&step, self.context.info.dimension as usize);
        if self.group.is_full_before(size, self.limits.current()) {
            self.send()?;
        }
        self.group.push(step, size);
        if self.group.text_bytes() >= self.limits.current() { self.send() } else { Ok(()) }
    }

    /// Ends the group at the end of a block. One without texts, such as that of units whose data is missing, ends as well: units of other
    /// blocks never complete it, and nobody needs to read them.
    fn close(&mut self) -> Result<(), Closed> {
        if self.group.text_bytes() > 0 || self.group.has_own() { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<(), Closed> {
        let mut group = std::mem::take(&mut self.group).without_needless();
        group.load = Some(self.loads.add(group.text_bytes()));
        self.limits.grow();
        self.next.send(group).map_err(|_| Closed)
    }
}

/// A unit that made no draws. Later units cannot be scored, because their draws would differ.
struct Broken<'a> {
    split: &'a str,
    subset: &'a str,
    reason: String,
}

impl Broken<'_> {
    /// The error of the units after it.
    fn error(&self) -> UnitError {
        let (split, subset) = (self.split.to_owned(), self.subset.to_owned());
        UnitError::NoDraws { split, subset, reason: self.reason.clone() }
    }
}

/// A line about units that are read although they were not selected; `None` if there are none.
fn note_on_unselected_units(
    selected: &Selected,
    evaluator: &dyn Evaluator,
    units_in_order: &[(&str, &str)],
    freshness: &UnitsFreshness,
) -> Option<String> {
    let is_scored =
        |unit: &&(&str, &str)| freshness.get(*unit).is_some_and(|state| state.standing().is_none());
    let last = units_in_order.iter().rposition(|unit| is_scored(&unit)).filter(|_| evaluator.draws())?;
    let before = units_in_order[..last].iter().filter(|unit| !freshness.contains_key(*unit)).count();
    let units = if before == 1 { "1 unit".to_owned() } else { format!("{before} units") };
    (before > 0).then(|| {
        format!(
            "{}: also reads {units} not selected, because the draws of those selected continue theirs; \
             `--draws selected` draws only for the selected ones, whose scores then differ",
            selected.entry.card.name
        )
    })
}
