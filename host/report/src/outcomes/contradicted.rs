//! Scores that the outcomes of their own items contradict, as where somebody edited a result: they
//! are on no board.

use mteb_results::ResultFault;
use mteb_results::folder_layout::OUTCOMES;
use rayon::prelude::*;

use super::kept::{Heads, kept};
use crate::reading::Checks;
use crate::table::{Board, BoardWarning, LeftOutScore, Row, ScoreFault};

/// A score that its outcomes contradict.
struct Contradicted {
    row: usize,
    column: usize,
    unit: usize,
    /// What was expected and what was found.
    fault: ResultFault,
}

/// Takes the scores off the board that their outcomes contradict, with a warning each; means and
/// ranks are of what is left. Outcomes that are damaged, or those of another result, say nothing
/// here.
pub fn leave_out_contradicted(board: &mut Board, checks: Checks) {
    let found = contradicted(board, checks);
    if found.is_empty() {
        return;
    }
    for Contradicted { row, column, unit, fault } in found {
        let (row, place, column) = (&mut board.rows[row], column, &board.columns[column]);
        let name = format!("{}.json", column.task.name);
        let paths = row.places.iter().map(|folder| folder.join(&name));
        board.warnings.push(BoardWarning::Score(LeftOutScore {
            row: row.name.clone(),
            model: row.model.clone(),
            task: column.task.name.clone(),
            unit: column.units[unit].clone(),
            path: paths
                .clone()
                .find(|path| path.is_file())
                .or_else(|| paths.clone().next())
                .unwrap_or_default(),
            fault: ScoreFault::ByOutcomes(fault.to_string()),
        }));
        row.cells[place].leave_out(unit);
    }
    board.retain(Row::has_score);
}

fn contradicted(board: &Board, checks: Checks) -> Vec<Contradicted> {
    let heads = Heads::default();
    let places: Vec<(usize, usize, usize, f64)> = board
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.places.iter().any(|place| place.join(OUTCOMES).is_dir()))
        .flat_map(|(number, row)| {
            let cells = row.cells.iter().enumerate().filter(|(_, cell)| !cell.is_of_before);
            cells.flat_map(move |(column, cell)| {
                let units = cell.units.iter().enumerate();
                units.filter_map(move |(unit, score)| Some((number, column, unit, (*score)?)))
            })
        })
        .collect();
    places
        .into_par_iter()
        .filter_map(|(row, column, unit, score)| {
            let of = &board.columns[column];
            let (split, subset) = &of.units[unit];
            let found = kept(&heads, &board.rows[row].places, (&of.task.name, split, subset)).ok()??;
            let fault = checks.check_items(&found.unit["options"], &found.items, score).err()?;
            Some(Contradicted { row, column, unit, fault })
        })
        .collect()
}
