//! The sets of texts that a unit of a type needs, as its plan names them.

use std::collections::BTreeSet;

use mteb_card::{Holds, TextSet, TypeDeclaration, TypePlan};
use mteb_data::{Table, Texts};

use crate::{EvaluateError, TextColumn};

/// Most sets and services of a plan.
pub const MOST: usize = 64;

/// The phase in which the texts are encoded.
const PHASE: &str = "Encoding texts";

/// A set of texts to encode.
pub struct EncodedSet {
    /// Its name.
    pub name: String,
    /// The texts.
    pub column: TextColumn,
    /// True if the evaluator gets the embeddings.
    pub is_given: bool,
}

/// The plan of a type that makes none: the embeddings of every column of texts that is there.
pub fn default_plan(table: &Table, declaration: &TypeDeclaration) -> TypePlan {
    let columns = declaration.columns.iter();
    let columns = columns.filter(|(name, column)| column.holds.is_encoded() && table.get(name).is_some());
    let texts = columns.map(|(name, column)| TextSet::of_column(name, column.role)).collect();
    TypePlan { texts, services: Vec::new() }
}

/// What a plugin answered.
///
/// # Errors
/// If it is no plan.
pub fn read_plan(answer: &str) -> Result<TypePlan, EvaluateError> {
    serde_json::from_str(answer)
        .map_err(|error| fault(&format!("expected a plan, found something else: {error}")))
}

/// The texts of `plan`.
///
/// # Errors
/// If a set has no texts, or some that are not there.
pub fn text_sets(
    plan: &TypePlan,
    table: &Table,
    declaration: &TypeDeclaration,
) -> Result<Vec<EncodedSet>, EvaluateError> {
    let mut names = BTreeSet::new();
    if plan.texts.is_empty() || plan.texts.len() > MOST {
        return Err(fault(&format!("expected 1 to {MOST} sets of texts, found {}", plan.texts.len())));
    }
    let mut sets = Vec::new();
    for set in &plan.texts {
        if !names.insert(&set.name) {
            return Err(fault(&format!(
                "expected sets with names of their own, found two called `{}`",
                set.name
            )));
        }
        let texts = texts(set, table, declaration)?;
        if texts.is_empty() {
            return Err(fault(&format!("expected texts in the set `{}`, found none", set.name)));
        }
        let column = TextColumn { texts, role: set.role, phase: PHASE };
        sets.push(EncodedSet { name: set.name.clone(), column, is_given: set.embeddings });
    }
    Ok(sets)
}

fn texts(set: &TextSet, table: &Table, declaration: &TypeDeclaration) -> Result<Texts, EvaluateError> {
    let TextSet { name, column, rows, texts, .. } = set;
    let column = match (column, texts, rows) {
        (Some(column), None, _) => column,
        (None, Some(texts), None) => return Ok(texts.iter().collect()),
        _ => {
            return Err(fault(&format!(
                "expected either a column or texts of the set `{name}`, and rows of a column alone, found another mix"
            )));
        }
    };
    let holds = declaration.columns.get(column).map(|declared| declared.holds);
    let all = match holds {
        Some(Holds::Text) => table.texts(column)?.into_owned(),
        Some(Holds::Texts) => {
            let lists = table.text_lists(column)?;
            match rows {
                Some(rows) => {
                    check_rows(name, rows, lists.len())?;
                    return Ok(join(rows.iter().map(|row| &lists[*row])));
                }
                None => return Ok(join(lists.iter())),
            }
        }
        Some(Holds::Any | Holds::Number) | None => {
            return Err(fault(&format!(
                "expected a column of texts that the type declares for the set `{name}`, found: {column}"
            )));
        }
    };
    match rows {
        Some(rows) => {
            check_rows(name, rows, all.len())?;
            Ok(all.select(rows))
        }
        None => Ok(all),
    }
}

fn join<'a>(lists: impl Iterator<Item = &'a Texts>) -> Texts {
    let mut all = Texts::new();
    lists.for_each(|list| all.append(list));
    all
}

fn check_rows(name: &str, rows: &[usize], count: usize) -> Result<(), EvaluateError> {
    match rows.iter().find(|row| **row >= count) {
        Some(row) => {
            let last = count - 1;
            Err(fault(&format!("expected rows from 0 to {last} in the set `{name}`, found {row}")))
        }
        None => Ok(()),
    }
}

/// A fault of the plan.
pub fn fault(message: &str) -> EvaluateError {
    EvaluateError::Unscorable(format!("the plan of the type's evaluator: {message}"))
}
