//! The difference of two rows of a board.

use super::items::{ItemDifference, ItemSource, over_items};
use crate::statistics::{Interval, PairedTest, mean_interval, permutation_test};
use crate::table::{Board, Row};

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
    let (mut warnings, mut missing) = (Vec::new(), 0);
    for (column, cells) in board.columns.iter().zip(first.cells.iter().zip(&second.cells)) {
        let task = &column.task;
        for cell in [cells.0, cells.1] {
            warnings.extend(cell.notes.iter().map(|note| format!("{}: {note}", task.name)));
        }
        let (Some(one), Some(other)) = (cells.0.complete, cells.1.complete) else {
            missing += 1;
            continue;
        };
        by_task.add(other - one);
        for (one, other) in cells.0.units.iter().zip(&cells.1.units) {
            if let (Some(one), Some(other)) = (one, other) {
                by_unit.add(other - one);
            }
        }
        let items = column.units.iter().map(|(split, subset)| source.items(&task.name, split, subset));
        let items = items.collect::<Option<Vec<_>>>().and_then(|items| over_items(items.concat()));
        let (task, task_type) = (task.name.clone(), task.task_type.clone());
        tasks.push(TaskDifference { task, task_type, scores: [one, other], items });
    }
    if tasks.is_empty() {
        return None;
    }
    if missing > 0 {
        warnings.push(format!(
            "{missing} of {} tasks are left out, as one of the two lacks them",
            board.columns.len()
        ));
    }
    let differences: Vec<f64> = tasks.iter().map(TaskDifference::difference).collect();
    let mean = |place: usize| tasks.iter().map(|task| task.scores[place]).sum::<f64>() / tasks.len() as f64;
    Some(Comparison {
        names: [first.name.clone(), second.name.clone()],
        means: [mean(0), mean(1)],
        interval: mean_interval(&differences),
        test: permutation_test(&differences),
        by_task,
        by_unit,
        differs: differs(first, second),
        warnings,
        tasks,
    })
}

/// What differs of one model's two states; nothing for two models.
fn differs(first: &Row, second: &Row) -> Vec<String> {
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
