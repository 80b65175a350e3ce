//! The difference of two rows of a board.

use super::items::{Found, ItemDifference, ItemSource, PairedItem, Texts, over_items};
use crate::statistics::{Interval, PairedTest, mean_interval, permutation_test};
use crate::table::{Board, Cell, Column, Row};

/// Differences below this, half of the last digit that tables show, are no difference.
const TIE: f64 = 0.000_05;

/// Two models beside each other. Differences are those of the second to the first.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Names of the two.
    pub names: [String; 2],
    /// The tasks that both have.
    pub tasks: Vec<TaskDifference>,
    /// Means over these tasks.
    pub means: [f64; 2],
    /// The mean difference with its 95 % interval over tasks; `None` for fewer than two.
    pub interval: Option<Interval>,
    /// The paired permutation test over tasks.
    pub test: PairedTest,
    /// Tasks won, tied and lost by the second.
    pub by_task: Tally,
    /// Splits and subsets won, tied and lost.
    pub by_unit: Tally,
    /// What differs beside the name: revision, number format, prompts.
    pub differs: Vec<String>,
    /// What may make the comparison unfair.
    pub warnings: Vec<String>,
}

/// The two on one task.
#[derive(Clone, Debug)]
pub struct TaskDifference {
    /// The task.
    pub task: String,
    /// Its type.
    pub task_type: String,
    /// Scores of the two.
    pub scores: [f64; 2],
    /// Its splits and subsets.
    pub units: Vec<UnitDifference>,
}

/// The two on one split and subset.
#[derive(Clone, Debug)]
pub struct UnitDifference {
    /// The split.
    pub split: String,
    /// The subset.
    pub subset: String,
    /// Scores of the two.
    pub scores: [f64; 2],
    /// What single items say, where both runs kept outcomes.
    pub items: Option<ItemDifference>,
}

/// How often the second won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Better than the first.
    pub won: usize,
    /// As good.
    pub tied: usize,
    /// Worse.
    pub lost: usize,
}

impl TaskDifference {
    /// Score of the second less that of the first.
    pub fn difference(&self) -> f64 {
        self.scores[1] - self.scores[0]
    }
}

impl Tally {
    fn add(&mut self, difference: f64) {
        match difference {
            _ if difference.abs() < TIE => self.tied += 1,
            _ if difference > 0.0 => self.won += 1,
            _ => self.lost += 1,
        }
    }
}

/// Compares two rows of `board`; `None` if they have no task in common.
pub fn compare(board: &Board, first: &Row, second: &Row, source: &dyn ItemSource) -> Option<Comparison> {
    let (mut tasks, mut by_task, mut by_unit) = (Vec::new(), Tally::default(), Tally::default());
    let (mut notes, mut reaches) = (Notes::default(), Vec::new());
    for (column, cells) in board.columns.iter().zip(first.cells.iter().zip(&second.cells)) {
        notes.note_task(column, [(first, cells.0), (second, cells.1)], source);
        let (Some(one), Some(other)) = (cells.0.complete, cells.1.complete) else {
            notes.missing += 1;
            continue;
        };
        by_task.add(other - one);
        reaches.push(reach(column, [one, other]));
        let units: Vec<UnitDifference> = units(column, [cells.0, cells.1], source, &mut notes);
        units.iter().for_each(|unit| by_unit.add(unit.scores[1] - unit.scores[0]));
        let (task, task_type) = (column.task.name.clone(), column.task.task_type.clone());
        tasks.push(TaskDifference { task, task_type, scores: [one, other], units });
    }
    if tasks.is_empty() {
        return None;
    }
    let differences: Vec<f64> = tasks.iter().map(TaskDifference::difference).collect();
    let mean = |place: usize| tasks.iter().map(|task| task.scores[place]).sum::<f64>() / tasks.len() as f64;
    let (mut differs, model, warnings) =
        (list_state_changes(first, second), notes.model(), notes.lines(board, [first, second]));
    let new: Vec<String> = model.into_iter().filter(|line| !differs.contains(line)).collect();
    differs.extend(new);
    let reach = reaches.iter().sum::<f64>() / reaches.len() as f64;
    Some(Comparison {
        names: [first.name.clone(), second.name.clone()],
        means: [mean(0), mean(1)],
        interval: mean_interval(&differences).map(|interval| interval.within(-reach, reach)),
        test: permutation_test(&differences),
        by_task,
        by_unit,
        differs,
        warnings,
        tasks,
    })
}

/// How far two scores of a task can be apart: as far as the bounds of its measure, and as these two are.
fn reach(column: &Column, scores: [f64; 2]) -> f64 {
    let (low, high) = column.bounds;
    (high - low).max((scores[1] - scores[0]).abs())
}

impl Comparison {
    /// Gives the items that are shown their texts: `find` gets task, split, subset, where the texts are, and the ids.
    pub fn add_texts(
        &mut self,
        mut find: impl FnMut(&str, &str, &str, Texts, &[&str]) -> Vec<Option<String>>,
    ) {
        for task in &mut self.tasks {
            for unit in &mut task.units {
                let Some(items) = &mut unit.items else { continue };
                let ids: Vec<&str> = items.changed.iter().map(|item| item.id.as_str()).collect();
                if items.texts == Texts::Nowhere || ids.is_empty() {
                    continue;
                }
                let texts = find(&task.task, &unit.split, &unit.subset, items.texts, &ids);
                items
                    .changed
                    .iter_mut()
                    .zip(texts)
                    .for_each(|(item, text): (&mut PairedItem, _)| item.text = text);
            }
        }
    }
}

/// The units of a task that both have.
fn units(
    column: &Column,
    cells: [&Cell; 2],
    source: &dyn ItemSource,
    notes: &mut Notes,
) -> Vec<UnitDifference> {
    let mut found = Vec::new();
    for ((split, subset), scores) in column.units.iter().zip(cells[0].units.iter().zip(&cells[1].units)) {
        let (Some(one), Some(other)) = scores else { continue };
        // What lies beside a file is of its scores of now.
        let of_items = match cells.iter().any(|cell| cell.is_of_before) {
            true => Found::Neither,
            false => source.items(&column.task.name, split, subset, &column.task.main_score),
        };
        let items = match of_items {
            Found::Paired(unit) => over_items(unit, reach(column, [*one, *other])),
            Found::Neither => None,
            Found::Without(model) => {
                notes.without[model] += 1;
                None
            }
            Found::LeftOut(lines) => {
                notes.warnings.extend(lines);
                None
            }
        };
        let (split, subset) = (split.clone(), subset.clone());
        found.push(UnitDifference { split, subset, scores: [*one, *other], items });
    }
    found
}

/// What the reader should know beside the numbers.
#[derive(Default)]
struct Notes {
    warnings: Vec<String>,
    /// Tasks that one of the two lacks.
    missing: usize,
    /// Units whose outcomes the first, the second alone did not keep.
    without: [usize; 2],
    /// What differs of the model, where both are of one.
    model: Vec<String>,
}

impl Notes {
    fn note_task(&mut self, column: &Column, cells: [(&Row, &Cell); 2], source: &dyn ItemSource) {
        let task = &column.task.name;
        let noted = cells.iter().flat_map(|(row, cell)| row.notes_on(column, cell));
        self.warnings.extend(noted.map(|noted| noted.to_string()));
        if let [Some(one), Some(other)] = cells.map(|(_, cell)| cell.revision.as_deref())
            && one != other
            && cells.iter().all(|(_, cell)| cell.notes.is_empty())
        {
            self.warnings.push(format!("{task}: data of revision {one} and {other}"));
        }
        if cells.iter().any(|(_, cell)| cell.is_of_before) {
            return;
        }
        let unlike = source.unlike(task);
        self.warnings.extend(unlike.data.iter().map(|line| format!("{task}: {line}")));
        for line in unlike.model {
            if !self.model.contains(&line) {
                self.model.push(line);
            }
        }
    }

    fn model(&self) -> Vec<String> {
        self.model.clone()
    }

    fn lines(self, board: &Board, rows: [&Row; 2]) -> Vec<String> {
        let mut lines = self.warnings;
        for (row, count) in rows.iter().zip(self.without).filter(|(_, count)| *count > 0) {
            let units = if count == 1 {
                "1 split and subset has".to_owned()
            } else {
                format!("{count} splits and subsets have")
            };
            lines.push(format!(
                "{units} no outcomes of {}; run it with `--outcomes` to compare single items",
                row.name
            ));
        }
        if self.missing > 0 {
            let (all, missing) = (board.columns.len(), self.missing);
            let are = if missing == 1 { "is" } else { "are" };
            let tasks = if all == 1 { "task" } else { "tasks" };
            lines.push(format!(
                "{missing} of {all} {tasks} {are} left out, because one of the two has no score there that counts"
            ));
        }
        lines
    }
}

/// What differs of one model's two states; nothing for two models.
fn list_state_changes(first: &Row, second: &Row) -> Vec<String> {
    if first.model != second.model {
        return Vec::new();
    }
    let mut found = Vec::new();
    if first.revisions != second.revisions {
        found.push(format!("revision {} and {}", first.revisions.join(", "), second.revisions.join(", ")));
    }
    if first.experiment != second.experiment {
        let shown = |row: &Row| row.experiment.clone().unwrap_or_else(|| "as usual".to_owned());
        found.push(format!("options {} and {}", shown(first), shown(second)));
    }
    found
}
