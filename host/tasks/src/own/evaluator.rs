//! The evaluator of every declared task type, the facts of that type, and the rows that it reads.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use mteb_card::{
    DeclaredType, Holds, OWN, OwnType, PLAN, Place, RankingDeclaration, TypeDeclaration, TypeEvaluator,
    UnitQuestion,
};
use mteb_data::Table;
use serde_json::{Map, Value, json};

use super::plan::{OwnPlan, OwnRankedPlan};
use super::runner::{Block, runner};
use super::text_sets::{default_plan, read_plan, text_sets};
use crate::task_types::RankedSearch;
use crate::{
    Bounds, Corpus, EvaluateError, Evaluator, Facts, Gold, Items, Part, Plan, Protocol, Scores, TaskState,
    Unit,
};

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
        options: &Protocol,
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

    /// The documents of a type over rankings are read while they are searched, those of others are
    /// rows.
    fn plan_streamed(
        &self,
        unit: Unit,
        corpus: Box<dyn Corpus>,
        options: &Protocol,
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

    fn aggregate(&self, items: &Items, _options: &Protocol) -> Result<Scores, EvaluateError> {
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
    options: &Protocol,
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

/// The declared columns of `table` as JSON lines.
///
/// # Errors
/// If a column is absent, or a cell is not what the type declares.
fn checked_rows(table: &Table, declaration: &TypeDeclaration) -> Result<Vec<u8>, EvaluateError> {
    if table.rows() == 0 {
        let place = table.place(0).0;
        return Err(EvaluateError::Unscorable(format!("{place}: expected at least 1 row, found none")));
    }
    let mut columns = Vec::new();
    for (name, column) in &declaration.columns {
        if column.optional && table.get(name).is_none() {
            continue;
        }
        match column.holds {
            Holds::Any => drop(table.column(name)?),
            Holds::Text => drop(table.texts(name)?),
            Holds::Texts => drop(table.text_lists(name)?),
            Holds::Number => drop(table.floats(name)?),
        }
        columns.push((name, table.column(name)?));
    }
    let mut lines = Vec::new();
    for row in 0..table.rows() {
        let cells: Map<String, Value> =
            columns.iter().map(|(name, column)| ((*name).clone(), column.value(row))).collect();
        serde_json::to_writer(&mut lines, &cells)
            .map_err(|error| EvaluateError::Unscorable(error.to_string()))?;
        lines.push(b'\n');
    }
    Ok(lines)
}

/// The facts of `declared`; made once, they stay.
fn facts_of(declared: &'static DeclaredType) -> Facts {
    let declaration = &declared.declaration;
    let names = |wanted: &dyn Fn(&mteb_card::ColumnDeclaration) -> bool| -> &'static [&'static str] {
        let found = declaration.columns.iter().filter(|(_, column)| wanted(column));
        Vec::leak(found.map(|(name, _)| name.as_str()).collect())
    };
    let bounds = move |name: &str| {
        let score = declaration.scores.get(name)?;
        Some(Bounds { low: score.low, high: score.high, may_be_undefined: score.undefined })
    };
    Facts {
        instruction: &declaration.instruction,
        options: options(declaration),
        gives: Box::leak(Box::new(move |name: &str| declaration.scores.contains_key(name))),
        bounds: Box::leak(Box::new(bounds)),
        text_columns: names(&|column| column.holds.is_encoded()),
        optional_columns: names(&|column| column.holds.is_encoded() && column.optional),
        other_columns: names(&|column| matches!(column.holds, Holds::Any | Holds::Number)),
        gold: if declaration.ranking.is_some() { Gold::Judgements } else { Gold::Unknown },
        ..UNDECLARED
    }
}

/// The options of a card that tasks of the type have.
fn options(declaration: &TypeDeclaration) -> &'static [&'static str] {
    match (declaration.ranking.is_some(), declaration.options.is_empty()) {
        (false, true) => &[],
        (false, false) => &[OWN],
        (true, true) => &["relevance_threshold", "ignore_identical_ids"],
        (true, false) => &["relevance_threshold", "ignore_identical_ids", OWN],
    }
}

/// Those of a type of which nothing is known.
const UNDECLARED: Facts = Facts {
    about: "…",
    hub_category: "other",
    instruction: "",
    options: &[],
    gives: &|_: &str| false,
    bounds: &|_: &str| None,
    text_columns: &[],
    optional_columns: &[],
    other_columns: &[],
    gold: Gold::Unknown,
    label_tolerance: 0.25,
    learns: false,
    sides_have_languages: false,
    has_topics: false,
    has_levels: false,
};

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
