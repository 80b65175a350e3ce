//! The evaluator of every type that is declared.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use mteb_card::{DeclaredType, OwnType, PLAN, Place, RankingDeclaration, TypeEvaluator, UnitQuestion};
use serde_json::json;

use super::facts::{UNDECLARED, facts_of};
use super::plan::OwnPlan;
use super::ranked_plan::OwnRankedPlan;
use super::rows::checked_rows;
use super::runner::{Block, runner};
use super::text_sets::{default_plan, read_plan, text_sets};
use crate::task_types::RankedSearch;
use crate::{Corpus, EvaluateError, Evaluator, Facts, Items, Options, Part, Plan, Scores, TaskState, Unit};

/// What evaluates a type that is declared; `None` in it of one that nobody declares.
pub struct OwnEvaluator {
    name: &'static str,
    declared: Option<&'static DeclaredType>,
    facts: &'static Facts,
}

/// Evaluators by the names of their types: there are as many as types.
static EVALUATORS: Mutex<BTreeMap<&'static str, &'static OwnEvaluator>> = Mutex::new(BTreeMap::new());

/// What evaluates tasks of a type that the host does not bring.
pub fn own_evaluator(own: OwnType) -> &'static OwnEvaluator {
    let declared = own.declared();
    let mut evaluators = EVALUATORS.lock().unwrap_or_else(PoisonError::into_inner);
    match evaluators.get(own.name()) {
        Some(known) if known.declared.is_some() || declared.is_none() => known,
        _ => {
            let facts: &'static Facts = Box::leak(Box::new(declared.map_or(UNDECLARED, facts_of)));
            let made: &'static OwnEvaluator =
                Box::leak(Box::new(OwnEvaluator { name: own.name(), declared, facts }));
            evaluators.insert(own.name(), made);
            made
        }
    }
}

impl OwnEvaluator {
    fn declared(&self) -> Result<&'static DeclaredType, EvaluateError> {
        self.declared.ok_or_else(|| {
            EvaluateError::Unscorable(format!(
                "expected a task type that mteb-host, a plugin or a card declares, found: {}; \
                 `mteb-host doctor` lists the plugins",
                self.name
            ))
        })
    }
}

impl Evaluator for OwnEvaluator {
    fn facts(&self) -> &'static Facts {
        self.facts
    }

    fn plan(
        &self,
        unit: Unit,
        options: &Options,
        state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        let declared = self.declared()?;
        let declaration = &declared.declaration;
        if declaration.ranking.is_some() {
            let mut unit = unit;
            unit.part(Part::Corpus)?;
            let corpus = unit.parts.remove(&Part::Corpus).unwrap_or_default();
            return self.plan_streamed(unit, Box::new(corpus), options, state);
        }
        let table = unit.part(Part::Rows)?;
        let rows = checked_rows(table, declaration)?;
        let question = question(&unit, declared, options, (&rows, table.rows()));
        let runner = runner(declared)?;
        runner.check()?;
        let plan = match &declared.evaluator {
            TypeEvaluator::Pack { plans: true, .. } => {
                let asked = runner.ask(PLAN, json!({ "unit": question }), &[Block::Bytes(&rows)])?;
                read_plan(&asked)?
            }
            _ => default_plan(table, declaration),
        };
        let sets = text_sets(&plan, table, declaration)?;
        super::services::check(&plan.services, &sets)?;
        Ok(Box::new(OwnPlan { declared, question, rows, sets, services: plan.services }))
    }

    /// The documents of a type over rankings are read while they are searched, those of others are rows.
    fn plan_streamed(
        &self,
        unit: Unit,
        corpus: Box<dyn Corpus>,
        options: &Options,
        state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        let declared = self.declared()?;
        let Some(RankingDeclaration { depth }) = declared.declaration.ranking else {
            return self.plan(unit.with_corpus(&*corpus)?, options, state);
        };
        runner(declared)?.check()?;
        let search = RankedSearch::new(&unit, corpus, options, depth)?;
        let rows = search.queries();
        let question = question(&unit, declared, options, (&rows, search.count()));
        Ok(Box::new(OwnRankedPlan { declared, question, rows, search }))
    }

    fn aggregate(&self, items: &Items, _options: &Options) -> Result<Scores, EvaluateError> {
        let mut scores = Scores::new();
        let declared = self.declared()?;
        if let Some(name) = &declared.declaration.outcomes {
            let column = if declared.declaration.ranking.is_some() { name } else { super::plan::OUTCOME };
            let outcomes = items.floats(column)?;
            scores.insert(name.clone(), outcomes.iter().sum::<f64>() / outcomes.len() as f64);
        }
        Ok(scores)
    }
}

/// What the evaluator is told of `unit`, of so many `rows`.
fn question(
    unit: &Unit,
    declared: &DeclaredType,
    options: &Options,
    (rows, count): (&[u8], usize),
) -> UnitQuestion {
    UnitQuestion {
        seed: seed([&unit.task, &unit.split, &unit.subset]),
        task: unit.task.clone(),
        split: unit.split.clone(),
        subset: unit.subset.clone(),
        options: declared.declaration.options_with(&options.own),
        memory: String::new(),
        rows: Place { offset: 0, bytes: rows.len() as u64, rows: count as u64, dimension: 0 },
    }
}

/// A number that only the names of a unit decide (FNV-1a).
fn seed(names: [&str; 3]) -> u32 {
    let bytes = names.iter().flat_map(|name| name.bytes().chain([0]));
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_has_a_seed_of_its_own() {
        let of = |split| seed(["Task", split, "default"]);
        assert_eq!(of("test"), of("test"));
        assert_ne!(of("test"), of("dev"));
        assert_ne!(seed(["ab", "c", "d"]), seed(["a", "bc", "d"]));
    }
}
