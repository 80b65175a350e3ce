//! One unit: data, plan, scores, entry. Whatever goes wrong is one line.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use mteb_card::TaskCard;
use mteb_data::shorten;
use mteb_items::rankings::Rankings;
use mteb_json::Json;
use mteb_models::encode::{Compression, Encoder, RowsAhead, UnitSession, lock};
use mteb_plugin_api::ModelInfo;
use mteb_registry::TaskEntry;
use mteb_results::footprint::{Counters, PhaseLog};
use mteb_results::identity::Measures;
use mteb_results::{FirstStage, SubsetScores, UnitName, json_of_score, json_of_scores};
use mteb_source::{About, DataSources, UnitSource};
use mteb_tasks::{
    Corpus, EvaluateError, Evaluated, Evaluator, Items, Keep, Options, Part, Plan, Score, TaskState, Unit,
    empty_texts, first_items, swallowed_rows, training_texts, unicode_forms, unjudged_copies,
    with_first_stage,
};
use tracing::debug_span;

use super::error::UnitError;
use super::noted::NotedPlan;
use crate::Observer;

/// A scored unit.
pub struct Scored {
    /// The entry of the result file.
    pub entry: SubsetScores,
    /// What was found for each query, if that is to be left beside the scores.
    pub rankings: Option<Rankings>,
    /// What each item came to, if that is to be left beside the scores.
    pub items: Option<Items>,
    /// What the reader should know.
    pub warnings: Vec<String>,
    /// What the model did to texts, for the result file.
    pub notes: Vec<String>,
    /// The prompt that went before texts, by their role.
    pub prompts: BTreeMap<String, String>,
}

/// What scores a unit.
pub struct Scoring<'a> {
    /// The model, and what it says of itself.
    pub encoder: &'a Mutex<Encoder>,
    pub info: &'a ModelInfo,
    /// What is made of its embeddings.
    pub compression: Compression,
    /// Rows that are there already.
    pub ahead: &'a RowsAhead,
    /// Who is told.
    pub observer: &'a dyn Observer,
}

/// Loads the data of a unit and plans it; gives what it was read from too.
///
/// # Errors
/// What is wrong with the data.
pub fn plan(
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
                return noted(log, plan.map_err(|error| of_first_items(error, items)), notes);
            }
            (None, Some(corpus)) => evaluator.plan_streamed(unit, Box::new(corpus), options, state),
            (None, None) => evaluator.plan(unit, options, state),
        };
        noted(log, plan.map_err(UnitError::from), notes)
    });
    (plan, read_from)
}

/// The plan of data of which there is this to say.
fn noted(
    log: &mut PhaseLog,
    plan: Result<Box<dyn Plan>, UnitError>,
    notes: Vec<String>,
) -> Result<Box<dyn Plan>, UnitError> {
    log.end();
    plan.map(|plan| NotedPlan::of(plan, notes))
}

/// What is wrong with the first items of a unit, where all of them may be sound.
fn of_first_items(error: EvaluateError, items: usize) -> UnitError {
    match error {
        EvaluateError::Unscorable(why) => UnitError::FirstItems { why, items },
        other => other.into(),
    }
}

/// What is wanted of a plan beside what its card says.
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
    fn apply(&self, unit: Unit, options: &Options) -> (Unit, Options) {
        let Measures { extra, k_values } = self.measures;
        let (extra, cuts) = (*extra, k_values.clone());
        (Unit { extra, cuts, keeps_all: self.keeps_all, ..unit }, options.clone())
    }
}

/// What a unit came to, and what is to be said of it.
pub struct Said<T> {
    /// What it came to.
    pub result: T,
    /// What the reader should know.
    pub warnings: Vec<String>,
    /// What the model did to texts, which is among the warnings, too.
    pub notes: Vec<String>,
    /// The prompt that went before texts, by their role.
    pub prompts: BTreeMap<String, String>,
}

/// Encodes what is not there yet and scores a planned unit; and what was asked of the model.
///
/// # Errors
/// What failed.
pub fn score(
    plan: &dyn Plan,
    card: &TaskCard,
    unit: (&str, &str),
    keep: Keep,
    log: &mut PhaseLog,
    scoring: &Scoring,
) -> (Result<Scored, UnitError>, Counters) {
    let (said, counters) = with_session(plan, card, unit, log, scoring, |session| {
        let evaluated = plan.evaluate(session, keep)?;
        checked_entry(evaluated, card, unit.1)
    });
    let scored = said.map(|said| {
        let Said { result: (entry, rankings, items), warnings, notes, prompts } = said;
        Scored { entry, rankings, items, warnings, notes, prompts }
    });
    (scored, counters)
}

/// Lets `work` ask the model for a planned unit; and what was asked of the model.
///
/// # Errors
/// What failed.
pub fn with_session<T>(
    plan: &dyn Plan,
    card: &TaskCard,
    (split, subset): (&str, &str),
    log: &mut PhaseLog,
    scoring: &Scoring,
    work: impl FnOnce(&mut UnitSession) -> Result<T, UnitError>,
) -> (Result<Said<T>, UnitError>, Counters) {
    let (ranker, empty) = {
        let mut encoder = lock(scoring.encoder);
        encoder.begin_unit();
        (encoder.ranker(card.subset_languages(subset)), encoder.empty_texts())
    };
    let _span = debug_span!("score", task = card.name, split, subset).entered();
    scoring.observer.begin_unit(&card.name, split, subset, plan.texts());
    let advance = |texts| scoring.observer.texts(texts);
    let mut session = UnitSession {
        encoder: scoring.encoder,
        info: scoring.info,
        ahead: scoring.ahead,
        card,
        compression: scoring.compression,
        ranker,
        split,
        subset,
        phases: log,
        progress: &advance,
        counters: Counters::default(),
        warnings: Vec::new(),
        notes: scoring.ahead.notes.clone(),
        empty,
        prompts: BTreeMap::new(),
    };
    let result = catch_panic(|| work(&mut session));
    let UnitSession { counters, mut warnings, mut notes, empty, prompts, .. } = session;
    notes.extend(empty.note());
    warnings.extend(notes.iter().cloned());
    let warnings: Vec<String> = warnings.into_iter().map(shorten).collect();
    log.end();
    scoring.observer.end_unit();
    let prompts = prompts.into_iter().map(|(role, prompt)| (role.to_owned(), prompt)).collect();
    let said = result.map(|result| Said { result, warnings, notes, prompts });
    (said, counters)
}

/// The entry of a unit that came to this, and what is to be left beside it.
///
/// # Errors
/// What is wrong with the scores.
pub fn checked_entry(
    evaluated: Evaluated,
    card: &TaskCard,
    subset: &str,
) -> Result<(SubsetScores, Option<Rankings>, Option<Items>), UnitError> {
    let Evaluated { scores, rankings, items } = evaluated;
    mteb_results::check(card.task_type, &scores)?;
    // Of a card that takes another main score than the outcomes are of, they say nothing.
    let items = items.filter(|_| card.has_outcomes());
    items.as_ref().map_or(Ok(()), |items| mteb_results::check_items(card, items, &scores))?;
    let main_score =
        scores.get(card.main_score()).filter(|score| score.number().is_some()).ok_or_else(|| {
            let keys: Vec<&str> = scores.0.iter().map(|(name, _)| name.as_str()).take(12).collect();
            UnitError::NoMainScore { expected: card.main_score().to_owned(), found: keys.join(", ") }
        })?;
    let main_score =
        if *main_score == Score::Null { Json::Float(f64::NAN) } else { json_of_score(main_score) };
    let entry = SubsetScores::new(subset, json_of_scores(&scores), main_score, card.subset_languages(subset));
    Ok((entry, rankings, items))
}

/// A panic of an evaluator fails the unit, not the run.
pub fn catch_panic<R>(work: impl FnOnce() -> Result<R, UnitError>) -> Result<R, UnitError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|payload| Err(UnitError::Panic(panic_message(payload.as_ref()))))
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
