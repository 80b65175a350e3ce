//! Scores rankings that somebody made, without a model, and keeps the scores beside those of
//! models.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use mteb_base::calendar;
use mteb_data::Texts;
use mteb_items::rankings::Rankings;
use mteb_json::Json;
use mteb_plugin_api::{Identity, ModelInfo};
use mteb_registry::{TaskEntry, fetched_from, options_of_unit};
use mteb_results::footprint::PhaseLog;
use mteb_results::identity::{DataFacts, Measures, UnitFacts};
use mteb_results::{ResultFile, ResultStore, SubsetScores, build_score_map, model_meta, round_score};
use mteb_source::DataSources;
use mteb_tasks::{
    EvaluateError, FoundInRanges, Keep, Matrix, Role, Scores, Session, Similarity, TaskState, evaluator,
};

use super::error::UnitError;
use super::plan_unit::{PlanRequest, plan_unit};
use super::unknown_results::{leave_out_other_revisions, leave_out_other_types};

/// What rankings came to.
#[derive(Clone, Debug)]
pub struct GivenScores {
    /// All scores of the unit.
    pub scores: Scores,
    /// What the reader should know.
    pub warnings: Vec<String>,
    /// The data of the unit.
    pub data: DataFacts,
}

/// Scores `rankings` of a unit of a ranking task.
///
/// # Errors
/// What is wrong with the task, its data or the rankings, with file and line.
pub fn score_rankings(
    entry: &TaskEntry,
    (split, subset): (&str, &str),
    rankings: Rankings,
    measures: &Measures,
    sources: &mut DataSources,
) -> Result<GivenScores, UnitError> {
    let card = &entry.card;
    if !card.task_type.is_ranking() {
        let (task, task_type) = (card.name.clone(), card.task_type.to_string());
        return Err(UnitError::NoRanking { task, task_type });
    }
    let evaluator = evaluator(card.task_type);
    let wanted = PlanRequest { measures, keeps_all: true, limit: None, first_stage: None };
    let mut log = PhaseLog::since(Instant::now());
    let (mut state, rankings) = (TaskState::new(), Arc::new(rankings));
    let (plan, read_from) =
        plan_unit(evaluator, entry, (split, subset), &wanted, sources, &mut state, &mut log);
    let mut session = WithoutModel::with_rankings(rankings);
    let scored = plan?.evaluate(&mut session, Keep::default())?;
    mteb_results::check_bounds(card.task_type, &scored.scores)?;
    // A plan that was made was read from somewhere.
    let data = read_from.map(|read| read.data).ok_or(UnitError::NoFacts)?;
    Ok(GivenScores { scores: scored.scores, warnings: session.warnings, data })
}

/// The session; it encodes nothing.
pub struct WithoutModel {
    rankings: Option<Arc<Rankings>>,
    found: Option<Arc<FoundInRanges>>,
    /// What it has, for messages.
    has: &'static str,
    /// What the evaluator warned of.
    pub warnings: Vec<String>,
}

impl WithoutModel {
    /// Has the rankings of all queries.
    pub fn with_rankings(rankings: Arc<Rankings>) -> Self {
        Self { rankings: Some(rankings), found: None, has: "rankings", warnings: Vec::new() }
    }

    /// Has what shards have found in their ranges of a corpus.
    pub fn with_found(found: FoundInRanges) -> Self {
        Self {
            rankings: None,
            found: Some(Arc::new(found)),
            has: "what shards have found",
            warnings: Vec::new(),
        }
    }
}

impl Session for WithoutModel {
    fn encode_texts(&mut self, _: &Texts, _: Range<usize>, _: Option<Role>) -> Result<Matrix, EvaluateError> {
        Err(EvaluateError::Model(format!("expected only {}, found texts to encode", self.has)))
    }

    fn predict(&mut self, _: &Texts, _: &Texts) -> Result<Option<Vec<f32>>, EvaluateError> {
        Ok(None)
    }

    fn rankings(&self) -> Option<Arc<Rankings>> {
        self.rankings.clone()
    }

    fn found(&self) -> Option<Arc<FoundInRanges>> {
        self.found.clone()
    }

    fn similarity(&self) -> Similarity {
        Similarity::default()
    }

    fn phase(&mut self, _: &str) {}

    fn warn(&mut self, message: &str) {
        self.warnings.push(message.to_owned());
    }
}

/// Whose rankings were scored.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenModel {
    /// Its name, as tables show it.
    pub name: String,
    /// Which state of it.
    pub revision: String,
    /// SHA-256 of the file with the rankings.
    pub rankings: String,
}

/// Adds the scores of a unit to the results of `model` below `output_folder`; gives their folder,
/// and lines about what was moved away.
///
/// # Errors
/// If they cannot be written.
pub fn keep_scores(
    given: &GivenScores,
    entry: &TaskEntry,
    (split, subset): (&str, &str),
    model: &GivenModel,
    measures: &Measures,
    output_folder: &Path,
) -> io::Result<(PathBuf, Vec<String>)> {
    let card = &entry.card;
    let identity =
        Identity { name: model.name.clone(), revision: model.revision.clone(), ..Identity::default() };
    let mut info = ModelInfo { identity, ..ModelInfo::default() };
    for key in ["model_type", "similarity_fn_name"] {
        info.meta.insert(key.to_owned(), serde_json::Value::Null);
    }
    let store = ResultStore::new(output_folder, &info);
    let mut notes: Vec<String> = store.write_meta(&model_meta(&info))?.into_iter().collect();
    let main_score = given.scores.get(card.main_score()).map_or(Json::Null, round_score);
    let languages = card.subset_languages(subset);
    let scores = SubsetScores::new(subset, build_score_map(&given.scores), main_score, languages);
    let facts = UnitFacts {
        data: given.data.clone(),
        earlier: None,
        options: options_of_unit(card, subset),
        measures: measures.clone(),
        prompts: BTreeMap::new(),
        ranked: None,
        first_stage: None,
        registry: fetched_from(&entry.home),
    };
    let mut facts = facts.to_json();
    facts.set("rankings", Json::from(model.rankings.as_str()));
    let host = Json::object([
        ("version", Json::from(env!("CARGO_PKG_VERSION"))),
        (
            "model",
            Json::object([
                ("name", Json::from(model.name.as_str())),
                ("revision", Json::from(model.revision.as_str())),
                ("plugin", Json::from("given rankings")),
            ]),
        ),
    ]);
    let updated = store.update(&card.name, true, |found| {
        let mut next = ResultFile::of_card(found, card);
        leave_out_other_types(&mut next, card);
        leave_out_other_revisions(&mut next, card);
        next.insert(split, scores.clone(), &card.eval_splits, &card.subset_names());
        next.set_host(&host);
        next.set_facts(split, subset, facts.clone());
        next.order_facts();
        card.revision().clone_into(&mut next.dataset_revision);
        next.date = calendar::seconds();
        next
    })?;
    notes.extend(updated.notes);
    Ok((store.folder().to_owned(), notes))
}
