//! The scorer's half of a unit: its plan is evaluated and becomes an entry of the result file;
//! `plan_unit.rs` has the reader's.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;

use mteb_card::TaskCard;
use mteb_data::shorten;
use mteb_items::rankings::Rankings;
use mteb_json::Json;
use mteb_models::encode::{Compression, Encoder, RowsAhead, UnitSession, lock};
use mteb_plugin_api::{Identity, ModelInfo};
use mteb_results::footprint::{Counters, PhaseLog};
use mteb_results::identity::UnitFacts;
use mteb_results::{
    CompanionFiles, KeepFiles, SubsetScores, UnitName, build_score_map, kept_facts, round_score,
};
use mteb_tasks::{Evaluated, Items, Keep, Plan, Score};
use tracing::debug_span;

use super::error::{UnitError, catch_panic};
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
    /// Changes that the model made to texts, for the result file.
    pub notes: Vec<String>,
    /// The prompt that went before texts, by their role.
    pub prompts: BTreeMap<String, String>,
}

/// What is needed to score a unit.
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

/// What a unit came to, and what is to be said of it.
pub struct WithNotes<T> {
    /// What it came to.
    pub result: T,
    /// What the reader should know.
    pub warnings: Vec<String>,
    /// What the model did to texts, which is among the warnings, too.
    pub notes: Vec<String>,
    /// The prompt that went before texts, by their role.
    pub prompts: BTreeMap<String, String>,
}

/// Encodes the missing texts and scores a planned unit. Also returns what was requested from the
/// model.
///
/// # Errors
/// What failed.
pub fn score_unit(
    plan: &dyn Plan,
    card: &TaskCard,
    unit: (&str, &str),
    keep: Keep,
    log: &mut PhaseLog,
    scoring: &Scoring,
) -> (Result<Scored, UnitError>, Counters) {
    let (result, counters) = with_session(plan, card, unit, log, scoring, |session| {
        let evaluated = plan.evaluate(session, keep)?;
        checked_entry(evaluated, card, unit.1)
    });
    let scored = result.map(|found| {
        let WithNotes { result: (entry, rankings, items), warnings, notes, prompts } = found;
        Scored { entry, rankings, items, warnings, notes, prompts }
    });
    (scored, counters)
}

/// Number of texts that the model computes for a unit, or of pairs if it reads both texts together;
/// `None` if it is not known before.
pub fn computed(plan: &dyn Plan, info: &ModelInfo) -> Option<usize> {
    if info.cross_encoder { plan.pairs() } else { plan.texts() }
}

/// Lets `work` use the model for a planned unit. Also returns what was requested from the model.
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
) -> (Result<WithNotes<T>, UnitError>, Counters) {
    let (ranker, empty) = {
        let mut encoder = lock(scoring.encoder);
        encoder.begin_unit();
        (encoder.ranker(card.subset_languages(subset)), encoder.empty_texts())
    };
    let _span = debug_span!("score", task = card.name, split, subset).entered();
    scoring.observer.begin_unit(&card.name, split, subset, computed(plan, scoring.info));
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
    (result.map(|result| WithNotes { result, warnings, notes, prompts }), counters)
}

/// The result entry of a unit with these scores, and its companion files.
///
/// # Errors
/// What is wrong with the scores.
pub fn checked_entry(
    evaluated: Evaluated,
    card: &TaskCard,
    subset: &str,
) -> Result<(SubsetScores, Option<Rankings>, Option<Items>), UnitError> {
    let Evaluated { scores, rankings, items } = evaluated;
    mteb_results::check_bounds(card.task_type, &scores)?;
    // If the outcomes belong to another score than the card's main score, they cannot confirm it.
    let items = items.filter(|_| card.has_outcomes());
    items.as_ref().map_or(Ok(()), |items| mteb_results::check_items(card, items, &scores))?;
    let main_score =
        scores.get(card.main_score()).filter(|score| score.number().is_some()).ok_or_else(|| {
            let keys: Vec<&str> = scores.0.iter().map(|(name, _)| name.as_str()).take(12).collect();
            UnitError::NoMainScore { expected: card.main_score().to_owned(), found: keys.join(", ") }
        })?;
    let main_score = if *main_score == Score::Null { Json::Float(f64::NAN) } else { round_score(main_score) };
    let entry =
        SubsetScores::new(subset, build_score_map(&scores), main_score, card.subset_languages(subset));
    Ok((entry, rankings, items))
}

/// What a unit was made from, as a result file says it, with the `prompts` that were used,
/// `warnings`, and `notes` of what the model did to texts.
pub fn facts_json(
    facts: UnitFacts,
    prompts: BTreeMap<String, String>,
    (warnings, notes): (&[String], &[String]),
) -> Json {
    let mut facts = UnitFacts { prompts, ..facts }.to_json();
    let list = |lines: &[String]| Json::List(lines.iter().map(|line| Json::from(line.as_str())).collect());
    if !notes.is_empty() {
        facts.set("notes", list(notes));
    }
    // What was said of the data is said again with the score that is found done.
    let of_data: Vec<String> = warnings.iter().filter(|line| !notes.contains(line)).cloned().collect();
    if !of_data.is_empty() {
        facts.set("warnings", list(&of_data));
    }
    facts
}

/// Writes the companion files of a unit and replaces those of an earlier score. Returns lines about
/// files that were moved away. `facts` are the inputs of the score of this `model`; the unit
/// belongs to the task of this `card`.
///
/// # Errors
/// If a file cannot be written.
pub fn write_companions(
    (kept, keep, card): (&CompanionFiles, KeepFiles, &TaskCard),
    unit: UnitName,
    identity: &Identity,
    (model, facts): (&Json, &Json),
    scored: &Scored,
) -> io::Result<Vec<String>> {
    let mut notes = kept.forget(unit, identity, keep)?;
    if let Some(items) = scored.items.as_ref().filter(|_| keep.outcomes) {
        kept.write_outcomes(unit, items, &kept_facts(model, facts, None))?;
    }
    let Some(rankings) = &scored.rankings else { return Ok(notes) };
    if keep.rankings {
        kept.write_rankings(unit, rankings, &kept_facts(model, facts, Some(keep.depth)))?;
    }
    if keep.predictions {
        notes.extend(kept.write_predictions(unit, rankings, (identity, card))?);
    }
    Ok(notes)
}
