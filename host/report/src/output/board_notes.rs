//! What one must know to read a board, in words.

use crate::benchmark::Part;
use crate::table::{Board, Cell, CellNote, Column, Row, title_of_marks};

/// Missing tasks that are named of a row; JSON has all.
const NAMED: usize = 5;

/// Lines to stand below a board. Of scores that may be of other data at most `most` are named; JSON has all. Names and reasons are
/// written by `escape`.
pub fn board_notes(board: &Board, most: usize, escape: impl Fn(&str) -> String) -> Vec<String> {
    let mut notes: Vec<String> =
        part_line(board).map(|line| escape(&as_sentence(&line))).into_iter().collect();
    let complete = board.rows.iter().filter(|row| row.rank.is_some()).count();
    if complete < board.rows.len() {
        let (models, tasks) = (board.rows.len(), board.columns.len());
        let have = if models == 1 { "model has" } else { "models have" };
        let all = if tasks == 1 { "the 1 task".to_owned() } else { format!("all {tasks} tasks") };
        notes.push(format!(
            "{complete} of {models} {have} {all}; only these have ranks and means, and the others are listed below them."
        ));
    }
    notes.extend(nobody_line(board).map(|line| escape(&as_sentence(&line))));
    let uneven = uneven_without_card(board);
    if !uneven.is_empty() {
        notes.push(format!(
            "For {}, every unit that any model has counts, because no card says which units there are; pass the \
             card with `--registry FILE`.",
            escape(&name_first(&uneven, NAMED))
        ));
    }
    let cells =
        board.rows.iter().flat_map(|row| row.cells.iter().zip(&board.columns).map(move |of| (row, of)));
    let marked: Vec<_> =
        cells.filter(|(_, (cell, _))| cell.is_marked).map(|of| (title_of_marks(&of.1.0.notes), of)).collect();
    for title in ["may be from different data", "read otherwise", "doubtful"] {
        let cells = marked.iter().filter(|(of, _)| *of == title);
        let named = cells.map(|(title, (row, (cell, column)))| {
            let is_said = *title == "doubtful";
            let why = |note: &CellNote| if is_said { note.why().to_owned() } else { note.to_string() };
            let why = escape(&cell.notes.iter().map(why).collect::<Vec<_>>().join("; "));
            format!("{} ({}, {why})", escape(&row.name), escape(&column.task.name))
        });
        let named: Vec<String> = named.collect();
        if !named.is_empty() {
            notes.push(format!("† {title}: {}", name_first(&named, most)));
        }
    }
    notes
}

/// The tasks that are known from results alone, of which some model has some of the units.
fn uneven_without_card(board: &Board) -> Vec<String> {
    let is_uneven = |number: usize| {
        let mut cells = board.rows.iter().map(|row| &row.cells[number]);
        cells.any(|cell| cell.partial.is_some() && cell.missing() > 0)
    };
    let columns = board.columns.iter().enumerate().filter(|(_, column)| column.task.units.is_none());
    columns.filter(|(number, _)| is_uneven(*number)).map(|(_, column)| column.task.name.clone()).collect()
}

/// That a board is of a part of its benchmark, as a line of a message; `None` where it is of all of it.
pub fn part_line(board: &Board) -> Option<String> {
    let Part { absent, is_narrowed, .. } = board.part.as_ref()?;
    let of =
        if *is_narrowed { format!("{}, of which this is a part", board.name) } else { board.name.clone() };
    let absent = match absent.as_slice() {
        [] => String::new(),
        [one] => format!("; this task of it is missing: {one}"),
        several => format!("; these tasks of it are missing: {}", name_first(several, NAMED)),
    };
    let count = part_count(board)?;
    Some(format!("the means here are not those of the benchmark {of}: {count}{absent}"))
}

/// Why no model has a mean over all tasks, where no model has a whole result of some of them.
pub fn nobody_line(board: &Board) -> Option<String> {
    let missing: Vec<String> = board.tasks_that_nobody_has().into_iter().map(str::to_owned).collect();
    let (count, all) = (missing.len(), board.columns.len());
    (count > 0).then(|| {
        format!(
            "no model has a rank or a mean over all tasks, because {count} of these {all} tasks have no complete result of any model: {}; \
             `--task` chooses tasks that have results",
            name_first(&missing, NAMED)
        )
    })
}

/// `2 of 5 tasks`, or where all tasks are there `7 of 9 units`: how much of its benchmark a board is of.
fn part_count(board: &Board) -> Option<String> {
    let Part { tasks, units, .. } = board.part.as_ref()?;
    Some(match units {
        Some([taken, all]) => format!("{taken} of {all} units"),
        None => format!("{} of {} tasks", tasks[0], tasks[1]),
    })
}

/// The tasks that a row lacks, or whose score is no number, by name.
pub fn missing_tasks(board: &Board, row: &Row, escape: impl Fn(&str) -> String) -> String {
    let cells = row.cells.iter().zip(&board.columns).filter(|(cell, _)| cell.complete.is_none());
    let names: Vec<String> = cells
        .map(|(cell, column)| {
            format!("{}{}", escape(&column.task.name), escape(&what_is_missing(column, cell)))
        })
        .collect();
    name_first(&names, NAMED)
}

/// What sets the name of a row apart whose scores may be of other data.
pub fn mark(row: &Row) -> &'static str {
    if row.cells.iter().any(|cell| cell.is_marked) { " †" } else { "" }
}

fn as_sentence(line: &str) -> String {
    let mut letters = line.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

fn name_first(names: &[String], most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let shown = names[..names.len() - more].join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// The units without a score, where they are few.
fn name_missing_units(column: &Column, cell: &Cell, missing: usize) -> String {
    const FEW: usize = 3;
    if missing > FEW || cell.undefined > 0 {
        return String::new();
    }
    let units = column.units.iter().zip(&cell.units).filter(|(_, score)| score.is_none());
    let names: Vec<String> =
        units.map(|((split, subset), _)| format!("split {split}, subset {subset}")).collect();
    format!(": {}", names.join("; "))
}

/// Which part of a task has no score, and why; nothing where all is missing.
fn what_is_missing(column: &Column, cell: &Cell) -> String {
    let (missing, undefined, units) = (cell.missing(), cell.undefined, cell.units.len());
    let mut parts = Vec::new();
    if missing > 0 && missing < units {
        parts.push(format!("{missing} of {units} units{}", name_missing_units(column, cell, missing)));
    }
    if undefined > 0 {
        let of = if undefined < units { format!("{undefined} of {units} units ") } else { String::new() };
        parts.push(format!("{of}scored, but undefined"));
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}
