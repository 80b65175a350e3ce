//! What a run says of a unit before a model is asked: the same checks, in the same words.

use mteb_card::TaskCard;
use mteb_data::DataError;
use mteb_tasks::{EvaluateError, Part, TaskState, Unit, empty_texts, evaluator};

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

/// Plans `unit` as a run does. A row that is at fault is left out and the unit planned again, so that the faults behind
/// it are found, too; a document or query keeps its id. What a run would warn of is told of sound data alone: a row that
/// was left out may be missed.
pub fn planned(card: &TaskCard, unit: &Unit) -> Planned {
    let mut unit = unit.clone();
    let mut planned = Planned::default();
    while planned.faults.len() < MOST {
        let error = match plan(card, &unit) {
            Ok(notes) => {
                planned.notes.extend(notes.into_iter().filter(|_| planned.faults.is_empty()));
                break;
            }
            Err(error) => error,
        };
        let row = row_of(&unit, &error);
        if row.is_some() || planned.faults.is_empty() {
            let place = row.iter().map(|row| row.place(card, &unit)).collect();
            planned.faults.push(fault(card, &unit, place, error.to_string()));
        }
        let Some(Row { part, row, column }) = row else { break };
        if let Some(table) = unit.parts.get_mut(&part) {
            let has_id =
                matches!(part, Part::Corpus | Part::Queries) && !["_id", "id"].contains(&column.as_str());
            *table = match has_id {
                true => std::mem::take(table).with_empty_text(&column, row),
                false => table.without(row, &column),
            };
        }
    }
    if planned.faults.len() == MOST {
        planned.notes.push(format!("{MOST} faults are named, and there may be more"));
    }
    planned
}

/// A fault in the words of a run.
pub fn fault(card: &TaskCard, unit: &Unit, rows: Vec<RowPlace>, message: String) -> DataFault {
    let (task, split, subset) = (card.name.clone(), unit.split.clone(), unit.subset.clone());
    DataFault { task, split, subset, check: CHECK, rows, message, advice: "" }
}

fn plan(card: &TaskCard, unit: &Unit) -> Result<Vec<String>, EvaluateError> {
    let mut notes = if unit.is_own { empty_texts(card.task_type, unit) } else { Vec::new() };
    let plan = evaluator(card.task_type).plan(unit.clone(), &card.protocol, &mut TaskState::new())?;
    notes.extend(plan.check()?);
    Ok(notes)
}

/// The row and the column of a fault.
struct Row {
    part: Part,
    row: usize,
    column: String,
}

impl Row {
    fn place(&self, card: &TaskCard, unit: &Unit) -> RowPlace {
        let part = match self.part {
            Part::Rows => unit.split.clone(),
            Part::Train => card.dataset.train_split.clone().unwrap_or_else(|| "train".to_owned()),
            other => other.name().to_owned(),
        };
        let row = unit.get(self.part).map_or(self.row + 1, |table| table.place(self.row).1);
        RowPlace { part, row }
    }
}

/// Where the cell is that is at fault; `None` if the fault is one of the whole.
fn row_of(unit: &Unit, error: &EvaluateError) -> Option<Row> {
    let EvaluateError::Data(DataError::Cell { place, column, .. }) = error else { return None };
    unit.parts.iter().find_map(|(&part, table)| {
        let row = (0..table.rows()).find(|&row| table.location(row) == *place)?;
        Some(Row { part, row, column: column.clone() })
    })
}
