//! What the means of a board are worth as items vary: queries, pairs, texts, where runs kept what
//! each came to.

use std::collections::HashMap;

use mteb_results::folder_layout::OUTCOMES;
use rayon::prelude::*;

use super::side::{Side, Values};
use super::unit_outcomes::{Heads, OutcomesFault, read_unit_outcomes};
use crate::statistics::{
    Bootstrap, ItemErrors, OverParts, Varying, on_drawn_items, rank_intervals_by, tie_groups_by,
};
use crate::table::{Board, BoardWarning, Over, Row};

/// How far what the items come to may be from the score of their unit: scores are rounded to five
/// decimals.
const ROUNDING: f64 = 1e-4;

/// Times that the items of a correlation or an average precision are drawn: enough for a standard
/// error.
const DRAWS: usize = 400;

/// A unit of a board, what it counts in the mean over tasks, and its column and place there.
struct Unit<'a> {
    task: &'a str,
    split: &'a str,
    subset: &'a str,
    main_score: &'a str,
    weight: f64,
    place: (usize, usize),
}

/// Gives an interval over items to each ranked row that kept the outcomes of every unit. Where all
/// ranked rows did, tie groups and ranges of ranks are over items, too. Outcomes that are damaged
/// or not those of the result are named in the board's warnings.
pub fn add_item_statistics(board: &mut Board) {
    let rows: Vec<usize> = (0..board.rows.len()).filter(|row| may_have(&board.rows[*row])).collect();
    // Rows keep their place in `over`; those that lack a unit are left out of what follows.
    let (mut over, mut is_whole) = (OverParts::new(rows.len()), vec![true; rows.len()]);
    let (heads, mut faults) = (Heads::default(), Vec::new());
    let mut errors = ItemErrors::new(board.columns.len(), &rows);
    let mut seen = vec![0; board.columns.len()];
    for unit in units(board) {
        if !is_whole.contains(&true) {
            break;
        }
        let read = rows.par_iter().zip(&is_whole).map(|(row, is_whole)| match is_whole {
            true => read_own_side(&board.rows[*row], &unit, &heads),
            false => Ok(None),
        });
        let mut sides = Vec::with_capacity(rows.len());
        for side in read.collect::<Vec<_>>() {
            sides.push(side.unwrap_or_else(|fault| {
                faults.push(fault.to_string());
                None
            }));
        }
        let sides = keep_same_items(sides);
        is_whole = sides.iter().map(Option::is_some).collect();
        let units = board.columns[unit.place.0].units.len();
        seen[unit.place.0] += 1;
        if !add(&mut over, unit.weight, &sides, &mut |varying, values| {
            errors.add((unit.place.0, units), varying, values, &is_whole);
        }) {
            is_whole.fill(false);
        }
    }
    for (task, column) in board.columns.iter().enumerate() {
        if seen[task] < column.units.len() {
            errors.leave_out(task);
        }
    }
    board.item_errors = errors;
    board.warnings.extend(faults.into_iter().map(BoardWarning::Outcomes));
    let (low, high) = board.bounds();
    for (place, row) in rows.iter().enumerate().filter(|(place, _)| is_whole[*place]) {
        let row = &mut board.rows[*row];
        row.item_interval = row.mean.map(|mean| over.interval(place, mean).within(low, high));
    }
    let ranked = board.rows.iter().filter(|row| row.rank.is_some()).count();
    if ranked > 0 && rows.len() == ranked && !is_whole.contains(&false) {
        group(board, &rows, &over);
    }
}

/// True if a row is ranked and a folder of its results has outcomes.
fn may_have(row: &Row) -> bool {
    row.rank.is_some() && row.places.iter().any(|place| place.join(OUTCOMES).is_dir())
}

/// The units of the tasks: each task counts the same, and each unit of a task.
fn units(board: &Board) -> Vec<Unit<'_>> {
    let tasks = board.columns.len() as f64;
    let mut units = Vec::new();
    for (number, column) in board.columns.iter().enumerate() {
        let weight = 1.0 / (tasks * column.units.len() as f64);
        units.extend(column.units.iter().enumerate().map(|(place, (split, subset))| Unit {
            task: &column.task.name,
            split,
            subset,
            main_score: &column.task.main_score,
            weight,
            place: (number, place),
        }));
    }
    units
}

/// The items of a row in a unit; `None` if there are none, or if the score of the unit is another
/// measure than theirs. A score that they contradict is no longer on the board.
///
/// # Errors
/// If they are damaged or made from something else than the result.
fn read_own_side(row: &Row, unit: &Unit, heads: &Heads) -> Result<Option<Side>, OutcomesFault> {
    if row.cells[unit.place.0].is_of_before {
        return Ok(None);
    }
    let Some(kept) = read_unit_outcomes(heads, &row.places, (unit.task, unit.split, unit.subset))? else {
        return Ok(None);
    };
    let Ok(side) = kept.side(unit.main_score) else { return Ok(None) };
    let score = row.cells[unit.place.0].units[unit.place.1];
    let is_whole = score.is_some_and(|score| (score - side.whole()).abs() <= ROUNDING);
    Ok((side.ids.len() > 1 && is_whole).then_some(side))
}

/// The sides with their items in the order of the first; those of other items are left out.
fn keep_same_items(sides: Vec<Option<Side>>) -> Vec<Option<Side>> {
    let Some(first) = sides.iter().flatten().next().cloned() else { return sides };
    let in_order = |side: Side| {
        let places: HashMap<&str, usize> = side.ids.iter().map(String::as_str).zip(0..).collect();
        let order: Option<Vec<usize>> = first.ids.iter().map(|id| places.get(id.as_str()).copied()).collect();
        let order = order.filter(|order| order.len() == side.ids.len())?;
        let pick = |numbers: &[f64]| order.iter().map(|place| numbers[*place]).collect::<Vec<f64>>();
        let values = match (&first.values, &side.values) {
            (Values::Scores(_), Values::Scores(scores)) => Values::Scores(pick(scores)),
            (
                Values::Ranked { statistic, gold: same, .. },
                Values::Ranked { statistic: own, gold, numbers },
            ) if statistic == own && *same == pick(gold) => {
                Values::Ranked { statistic: *own, gold: pick(gold), numbers: pick(numbers) }
            }
            _ => return None,
        };
        Some(Side { values, ..side })
    };
    sides.into_iter().map(|side| side.and_then(in_order)).collect()
}

/// Adds a unit, and lets `look` see what varies; false if its statistic is undefined on most drawn
/// items.
fn add(
    over: &mut OverParts,
    weight: f64,
    sides: &[Option<Side>],
    look: &mut dyn FnMut(Varying, &[Vec<f64>]),
) -> bool {
    let Some(first) = sides.iter().flatten().next() else { return true };
    let items = first.ids.len();
    let how = Bootstrap { draws: DRAWS, ..Bootstrap::default() };
    // A row that is left out has a place all the same.
    let mut values: Vec<Vec<f64>> = sides
        .par_iter()
        .map(|side| match side.as_ref().map(|side| &side.values) {
            Some(Values::Scores(scores)) => scores.clone(),
            Some(Values::Ranked { statistic, gold, numbers }) => on_drawn_items(items, how, &|drawn| {
                let of = |numbers: &[f64]| drawn.iter().map(|item| numbers[*item]).collect::<Vec<f64>>();
                statistic.of(&of(gold), &of(numbers))
            }),
            None => Vec::new(),
        })
        .collect();
    let count = if matches!(first.values, Values::Scores(_)) { items } else { DRAWS };
    values.iter_mut().filter(|values| values.is_empty()).for_each(|values| values.resize(count, 0.0));
    if matches!(first.values, Values::Scores(_)) {
        look(Varying::Items, &values);
        over.add_mean(weight, &values);
        return true;
    }
    let is_defined: Vec<bool> =
        (0..DRAWS).map(|draw| values.iter().all(|values| values[draw].is_finite())).collect();
    for values in &mut values {
        let mut draws = is_defined.iter();
        values.retain(|_| draws.next() == Some(&true));
    }
    if 2 * values[0].len() < DRAWS {
        return false;
    }
    look(Varying::Draws, &values);
    over.add_statistic(weight, items, &values);
    true
}

/// Tie groups and ranges of ranks of the rows, which are all that are ranked.
fn group(board: &mut Board, rows: &[usize], over: &OverParts) {
    let means: Vec<f64> = rows.iter().map(|row| board.rows[*row].mean.unwrap_or(0.0)).collect();
    let p_value = |one: usize, other: usize| over.p_value(one, other, means[one] - means[other]);
    let groups = tie_groups_by(&means, p_value);
    let ranks = rank_intervals_by(rows.len(), |one, other| (p_value(one, other), means[one] - means[other]));
    for (place, row) in rows.iter().enumerate() {
        let row = &mut board.rows[*row];
        (row.group, row.ranks) = (Some(groups.groups[place]), Some(ranks[place]));
    }
    (board.over, board.too_few) = (Over::Items, false);
}
