//! The reader's half of a unit: its data and its plan; `score_unit.rs` has the scorer's. Whatever
//! goes wrong is one line.

use mteb_registry::TaskEntry;
use mteb_results::footprint::PhaseLog;
use mteb_results::identity::Measures;
use mteb_results::{FirstStage, UnitName};
use mteb_source::{About, DataSources, UnitSource};
use mteb_tasks::{
    Corpus, EvaluateError, Evaluated, Evaluator, FoundInRanges, Keep, Part, Plan, Protocol, Ranges, Session,
    TaskState, TextColumn, Unit, empty_texts, first_items, swallowed_rows, training_texts, unicode_forms,
    unjudged_copies, unjudged_rows, with_first_stage,
};
use tracing::debug_span;

use super::error::{UnitError, catch_panic};

/// Loads the data of a unit and plans the unit; also returns what the data was read from.
///
/// # Errors
/// What is wrong with the data.
pub fn plan_unit(
    evaluator: &dyn Evaluator,
    entry: &TaskEntry,
    (split, subset): (&str, &str),
    wanted: &PlanRequest<'_>,
    sources: &mut DataSources,
    state: &mut TaskState,
    log: &mut PhaseLog,
) -> (Result<Box<dyn Plan>, UnitError>, Option<UnitSource>) {
    let _span = debug_span!("plan", task = entry.card.name, split, subset).entered();
    let mut read_from = None;
    let plan = catch_panic(|| {
        log.begin("Data loading", "", "");
        let data = sources.read(entry, split, subset);
        let notes = sources.take_notes();
        let tests_training_rows = notes.iter().any(|note| note.about == About::Training);
        let mut notes: Vec<String> = notes.into_iter().map(|note| note.text).collect();
        log.begin("Dataset transform", "", "");
        let (unit, corpus, facts) = data?;
        if unit.is_own {
            let documents = corpus.as_ref().map(|corpus| corpus as &dyn Corpus);
            notes.extend(swallowed_rows(&entry.card.dataset, &unit, documents));
            notes.extend(empty_texts(entry.card.task_type, &unit));
            notes.extend(unjudged_rows(&unit));
            notes.extend(training_texts(&entry.card, &unit).filter(|_| !tests_training_rows));
            let documents = documents.or_else(|| unit.get(Part::Corpus).map(|table| table as &dyn Corpus));
            notes.extend(unicode_forms(entry.card.task_type, &unit, documents));
            notes.extend(documents.and_then(|corpus| unjudged_copies(&unit, corpus, &entry.card.protocol)));
        }
        read_from = Some(facts);
        let (unit, options) = wanted.apply(unit, &entry.card.protocol);
        let unit = wanted.behind_first_stage(unit)?;
        let options = &options;
        let plan = match (wanted.limit, corpus) {
            (Some(items), corpus) => {
                let corpus = corpus.as_ref().map(|corpus| corpus as &dyn Corpus);
                let (unit, options) = first_items(unit, corpus, evaluator.facts(), options, items)?;
                let plan = evaluator.plan(unit, &options, state);
                return note_data(log, plan.map_err(|error| first_items_error(error, items)), notes);
            }
            (None, Some(corpus)) => evaluator.plan_streamed(unit, Box::new(corpus), options, state),
            (None, None) => evaluator.plan(unit, options, state),
        };
        note_data(log, plan.map_err(UnitError::from), notes)
    });
    (plan, read_from)
}

/// Adds notes on the data to a plan.
fn note_data(
    log: &mut PhaseLog,
    plan: Result<Box<dyn Plan>, UnitError>,
    notes: Vec<String>,
) -> Result<Box<dyn Plan>, UnitError> {
    log.end();
    plan.map(|plan| NotedPlan::of(plan, notes))
}

/// The error of the first items of a unit, which may not concern the whole unit.
fn first_items_error(error: EvaluateError, items: usize) -> UnitError {
    match error {
        EvaluateError::Unscorable(why) => UnitError::FirstItems { why, items },
        other => other.into(),
    }
}

/// Settings of a plan that do not come from its card.
pub struct PlanRequest<'a> {
    /// Measures that the user asked for.
    pub measures: &'a Measures,
    /// True for models that rank, and for rankings of others.
    pub keeps_all: bool,
    /// Most items, where a task is only tried.
    pub limit: Option<usize>,
    /// What a first stage has found, if the model orders that anew.
    pub first_stage: Option<&'a FirstStage>,
}

impl PlanRequest<'_> {
    /// A unit with what the first stage has found in it as candidates, if there is one.
    fn behind_first_stage(&self, unit: Unit) -> Result<Unit, UnitError> {
        let Some(first) = self.first_stage else { return Ok(unit) };
        let name = UnitName { task: &unit.task, split: &unit.split, subset: &unit.subset };
        let rankings = first.rankings(name)?;
        Ok(with_first_stage(unit, &rankings, first.depth())?)
    }

    /// A unit and the options of its card with what the user asked for.
    fn apply(&self, unit: Unit, options: &Protocol) -> (Unit, Protocol) {
        let Measures { extra, k_values } = self.measures;
        let (extra, cuts) = (*extra, k_values.clone());
        (Unit { extra, cuts, keeps_all: self.keeps_all, ..unit }, options.clone())
    }
}

/// A plan with additional notes, which are reported before it is scored.
pub struct NotedPlan {
    plan: Box<dyn Plan>,
    notes: Vec<String>,
}

impl NotedPlan {
    /// Returns the plan itself if there are no notes.
    pub fn of(plan: Box<dyn Plan>, notes: Vec<String>) -> Box<dyn Plan> {
        if notes.is_empty() { plan } else { Box::new(Self { plan, notes }) }
    }
}

impl Plan for NotedPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        self.plan.columns()
    }

    fn texts(&self) -> Option<usize> {
        self.plan.texts()
    }

    fn pairs(&self) -> Option<usize> {
        self.plan.pairs()
    }

    fn ranks(&self) -> Option<&'static str> {
        self.plan.ranks()
    }

    fn check(&self) -> Result<Vec<String>, EvaluateError> {
        let mut notes = self.notes.clone();
        notes.extend(self.plan.check()?);
        Ok(notes)
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        self.notes.iter().for_each(|note| session.warn(note));
        self.plan.evaluate(session, keep)
    }

    fn search_ranges(
        &self,
        session: &mut dyn Session,
        ranges: &Ranges,
        keep: Keep,
    ) -> Result<FoundInRanges, EvaluateError> {
        self.plan.search_ranges(session, ranges, keep)
    }
}
