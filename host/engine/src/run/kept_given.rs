//! Keeps the scores of given rankings as results, so that they stand beside those of models.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use mteb_base::calendar;
use mteb_json::Json;
use mteb_plugin_api::{Identity, ModelInfo};
use mteb_registry::{TaskEntry, fetched_from, options_of_unit};
use mteb_results::identity::{Measures, UnitFacts};
use mteb_results::{ResultFile, ResultStore, SubsetScores, json_of_score, json_of_scores, model_meta};

use super::GivenScores;
use super::unknown_results::{leave_out_other_revisions, leave_out_other_types};

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

/// Adds the scores of a unit to the results of `model` below `output_folder`; gives their folder, and lines about what was moved away.
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
    let main_score = given.scores.get(card.main_score()).map_or(Json::Null, json_of_score);
    let languages = card.subset_languages(subset);
    let scores = SubsetScores::new(subset, json_of_scores(&given.scores), main_score, languages);
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
