//! A unit that several shards have shared, each a range of its corpus or of its pairs: what each has found is joined, and the unit is scored,
//! as one run scores it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use mteb_json::Json;
use mteb_registry::{Selected, fetched_from, options_of_unit};
use mteb_results::footprint::{Phase, PhaseLog};
use mteb_results::identity::{DataFacts, Measures, UnitFacts};
use mteb_results::{FirstStage, ResultFile, UnitName};
use mteb_shards::PlannedUnit;
use mteb_source::DataSources;
use mteb_tasks::{FoundInRanges, Keep, TaskState, evaluator};

use super::pins::from_value;
use crate::run::UnitError;
use crate::run::error::catch_panic;
use crate::run::given::WithoutModel;
use crate::run::plan_unit::{PlanRequest, plan_unit};
use crate::run::ranges_file::RangesFile;
use crate::run::score_unit::{Scored, checked_entry, facts_json};

/// What one shard has found in its ranges of a unit.
pub struct FoundByShard {
    /// Folder of the results of the model in that of the shard.
    pub folder: PathBuf,
    /// What is in the file.
    pub file: RangesFile,
}

/// A unit that was joined.
pub struct JoinedUnit {
    /// Its scores, with what is left beside them.
    pub scored: Scored,
    /// What it was made from.
    pub facts: Json,
    /// A file with its entry, and for each shard one with its cost alone.
    pub files: Vec<ResultFile>,
}

/// Scores a unit by what all shards have `found`, with these measures.
///
/// # Errors
/// What of the data is not here or not as planned, or what was found does not belong together.
pub fn join(
    (selected, unit, first_stage): (&Selected, &PlannedUnit, Option<&FirstStage>),
    found: Vec<FoundByShard>,
    (measures, keep): (&Measures, Keep),
    sources: &mut DataSources,
) -> Result<JoinedUnit, UnitError> {
    let card = &selected.entry.card;
    let (begin, name) = (Instant::now(), (unit.split.as_str(), unit.subset.as_str()));
    let mut costs = Vec::with_capacity(found.len());
    let (mut notes, mut prompts): (Vec<String>, BTreeMap<String, String>) = Default::default();
    let (mut all, mut host): (Option<FoundInRanges>, Json) = (None, Json::Null);
    for FoundByShard { file: RangesFile { head, found }, .. } in found {
        let said = head.get("unit").and_then(|facts| facts.get("notes")?.as_list()).unwrap_or_default();
        for note in said.iter().filter_map(Json::as_text) {
            if !notes.iter().any(|known| known == note) {
                notes.push(note.to_owned());
            }
        }
        let facts = head.get("unit").and_then(UnitFacts::from_json);
        prompts.extend(facts.into_iter().flat_map(|facts| facts.prompts));
        costs.push(cost(selected, &head));
        host = head.get("host").cloned().unwrap_or(Json::Null);
        match &mut all {
            Some(all) => all.join(found)?,
            none => *none = Some(found),
        }
    }
    let first_stage = planned_stage((selected, unit), first_stage)?;
    let mut log = PhaseLog::since(begin);
    let wanted = PlanRequest { measures, keeps_all: false, limit: None, first_stage };
    let (plan, read_from) = plan_unit(
        evaluator(card.task_type),
        &selected.entry,
        name,
        &wanted,
        sources,
        &mut TaskState::new(),
        &mut log,
    );
    let data = read_from.map(|read| read.data);
    let planned = DataFacts::from_json(&from_value(&unit.data));
    if let Some(change) = data.as_ref().zip(planned).and_then(|(now, planned)| planned.difference(now)) {
        return Err(UnitError::OtherData { change, remedy: "" });
    }
    let plan = plan?;
    let mut session = WithoutModel::with_found(all.unwrap_or_default());
    let (entry, rankings, items) = catch_panic(|| {
        let evaluated = plan.evaluate(&mut session, keep)?;
        checked_entry(evaluated, card, name.1)
    })?;
    let mut warnings = session.warnings;
    warnings.extend(notes.iter().cloned());
    let warnings: Vec<String> = warnings.into_iter().map(mteb_data::shorten).collect();
    let facts = UnitFacts {
        data: data.ok_or(UnitError::NoFacts)?,
        earlier: None,
        options: options_of_unit(card, name.1),
        measures: measures.clone(),
        prompts: BTreeMap::new(),
        ranked: plan.ranks().map(str::to_owned),
        first_stage: unit.first_stage.clone(),
        registry: fetched_from(&selected.entry.home),
    };
    let facts = facts_json(facts, prompts.clone(), (&warnings, &notes));
    let mut file = ResultFile::new(&card.name, card.revision(), Json::Null);
    file.set_host(&host);
    file.insert(name.0, entry.clone(), &card.eval_splits, &card.subset_names());
    file.set_facts(name.0, name.1, facts.clone());
    file.evaluation_time = begin.elapsed().as_secs_f64();
    costs.insert(0, file);
    let scored = Scored { entry, rankings, items, warnings, notes, prompts };
    Ok(JoinedUnit { scored, facts, files: costs })
}

/// The first stage of a unit, if it has one.
///
/// # Errors
/// If its rankings are not here, or are not those of the plan.
fn planned_stage<'a>(
    (selected, unit): (&Selected, &PlannedUnit),
    first_stage: Option<&'a FirstStage>,
) -> Result<Option<&'a FirstStage>, UnitError> {
    let Some(planned) = &unit.first_stage else { return Ok(None) };
    let name = UnitName { task: &selected.entry.card.name, split: &unit.split, subset: &unit.subset };
    let found = first_stage.and_then(|first| first.hash(name).ok());
    if found.as_ref() == Some(planned) {
        return Ok(first_stage);
    }
    let found = found.map_or_else(|| "not here".to_owned(), |found| format!("SHA-256 {found}"));
    let change = format!("rankings of the first stage: was SHA-256 {planned}, is {found}");
    Err(UnitError::OtherData { change, remedy: "" })
}

/// A file without scores that says what a search of some ranges has cost.
fn cost(selected: &Selected, head: &Json) -> ResultFile {
    let card = &selected.entry.card;
    let footprint = head.get("footprint").cloned().unwrap_or(Json::Null);
    let host = Json::object([("footprint", footprint)]);
    let number = |key: &str| head.get(key).and_then(Json::as_number).unwrap_or(0.0);
    let phases = head.get("phases").and_then(Json::as_list).unwrap_or_default();
    ResultFile {
        evaluation_time: number("seconds"),
        date: number("date"),
        phases: phases.iter().filter_map(Phase::from_json).collect(),
        ..ResultFile::new(&card.name, card.revision(), host)
    }
}
