//! Scores rankings that somebody made, without a model.

use std::sync::Arc;
use std::time::Instant;

use mteb_items::rankings::Rankings;
use mteb_registry::TaskEntry;
use mteb_results::footprint::PhaseLog;
use mteb_results::identity::{DataFacts, Measures};
use mteb_source::DataSources;
use mteb_tasks::{Keep, Scores, TaskState, evaluator};

use super::error::UnitError;
use super::plan_unit::{PlanRequest, plan_unit};
use super::without_model::WithoutModel;

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
    mteb_results::check(card.task_type, &scored.scores)?;
    // A plan that was made was read from somewhere.
    let data = read_from.map(|read| read.data).ok_or(UnitError::NoFacts)?;
    Ok(GivenScores { scores: scored.scores, warnings: session.warnings, data })
}
