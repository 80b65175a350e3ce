//! What a run says of a unit before a model is asked: the same checks, in the same words.

use std::collections::HashSet;

use mteb_card::TaskCard;
use mteb_data::{DataError, shorten};
use mteb_tasks::{
    EvaluateError, Part, TaskState, Unit, empty_texts, evaluator, swallowed_rows, unjudged_rows,
};

use super::fault::{CHECK, DataFault, RowPlace};

/// Faults of one unit that are looked for; a run stops at the first.
const MOST: usize = 20;

/// What a run would say.
#[derive(Debug, Default)]
pub struct Planned {
    /// Why it would not score the unit.
    pub faults: Vec<DataFault>,
    /// What it would warn of.
    pub notes: Vec<String>,
}

/// Plans `unit` as a run does. Rows that are at fault are left out and the unit planned again, so
/// that the faults behind them are found, too; a document or query keeps its id. What a run would
/// warn of is told of sound data alone, because a row that was left out may be missed; but empty texts
/// are counted in the rows as they are, and told of whatever else is wrong.
pub fn planned(card: &TaskCard, whole: &Unit) -> Planned {
    let mut unit = whole.clone();
    let mut planned = Planned::default();
    while planned.faults.len() < MOST {
        let error = match plan(card, &unit) {
            Ok(notes) => {
                let notes = notes.into_iter().filter(|_| planned.faults.is_empty());
                planned.notes.extend(notes.map(shorten));
                break;
            }
            Err(error) => error,
        };
        let cells = cells_of(&unit, &error);
        if cells.is_some() || planned.faults.is_empty() {
            let places = cells.iter().flat_map(|cells| cells.places(card, &unit)).collect();
            planned.faults.push(fault(card, &unit, places, error.to_string()));
        }
        let Some(Cells { part, rows, column }) = cells else { break };
        if let Some(table) = unit.parts.get_mut(&part) {
            let has_id =
                matches!(part, Part::Corpus | Part::Queries) && !Part::ROW_IDS.contains(&column.as_str());
            *table = match has_id {
                true => std::mem::take(table).with_empty_texts(&column, &rows),
                false => table.without(&rows, &column),
            };
        }
    }
    if whole.is_own && !planned.faults.is_empty() {
        planned.notes.extend(empty_texts(card.task_type, whole).into_iter().map(shorten));
    }
    if planned.faults.len() == MOST {
        planned.notes.push(format!("{MOST} faults are named, and there may be more"));
    }
    planned
}

/// A fault in the words of a run.
pub fn fault(card: &TaskCard, unit: &Unit, rows: Vec<RowPlace>, message: String) -> DataFault {
    let (task, split, subset) = (card.name.clone(), unit.split.clone(), unit.subset.clone());
    DataFault { task, split, subset, check: CHECK, rows, message: shorten(message), advice: "" }
}

fn plan(card: &TaskCard, unit: &Unit) -> Result<Vec<String>, EvaluateError> {
    let mut notes = Vec::new();
    if unit.is_own {
        notes.extend(swallowed_rows(&card.dataset, unit, None));
        notes.extend(empty_texts(card.task_type, unit));
        notes.extend(unjudged_rows(unit));
    }
    let plan = evaluator(card.task_type).plan(unit.clone(), &card.protocol, &mut TaskState::new())?;
    notes.extend(plan.check()?);
    Ok(notes)
}

/// The cells of a fault.
struct Cells {
    part: Part,
    /// Rows of the table, from 0.
    rows: HashSet<usize>,
    column: String,
}

impl Cells {
    fn places(&self, card: &TaskCard, unit: &Unit) -> Vec<RowPlace> {
        let part = match self.part {
            Part::Rows => unit.split.clone(),
            Part::Train => card.dataset.training_split().to_owned(),
            other => other.as_str().to_owned(),
        };
        let mut rows: Vec<usize> = self.rows.iter().copied().collect();
        rows.sort_unstable();
        rows.into_iter().map(|row| RowPlace::of(part.clone(), unit.get(self.part), row)).collect()
    }
}

/// Where the cells are that are at fault; `None` if the fault is one of the whole.
fn cells_of(unit: &Unit, error: &EvaluateError) -> Option<Cells> {
    let EvaluateError::Data(DataError::Cell(fault)) = error else { return None };
    let numbers: HashSet<usize> = fault.others.iter().copied().chain([fault.at.number]).collect();
    unit.parts.iter().find_map(|(&part, table)| {
        let is_at_fault = |row: &usize| {
            let (file, number) = table.place(*row);
            file == fault.at.file && numbers.contains(&number)
        };
        let rows: HashSet<usize> = (0..table.rows()).filter(is_at_fault).collect();
        (!rows.is_empty()).then(|| Cells { part, rows, column: fault.column.clone() })
    })
}
