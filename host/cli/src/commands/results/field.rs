//! Plausibility: whether a score is far from what the other scores of the model, and the scores of other models, let expect.

use mteb_report::table::Board;

use crate::output;

/// Models and tasks below which nothing is said.
const LEAST: usize = 4;

/// Deviations from which on a score is to be looked at.
const FAR: f64 = 4.0;

/// Least deviation that counts, so that models that agree to a hair make nothing far.
const FLOOR: f64 = 0.02;

/// Scales a median of absolute deviations to a standard deviation.
const NORMAL: f64 = 1.4826;

/// Scores of other models on the tasks of a board.
pub struct Field {
    /// Task, its median, and how far models lie from what their other scores let expect.
    tasks: Vec<(String, f64, f64)>,
    models: usize,
}

impl Field {
    /// The models of `field` that are not on `board` themselves.
    pub fn new(field: &Board, board: &Board) -> Self {
        let own: Vec<&str> = board.rows.iter().map(|row| row.name.as_str()).collect();
        let rows: Vec<_> = field.rows.iter().filter(|row| !own.contains(&row.name.as_str())).collect();
        let scores: Vec<Vec<Option<f64>>> = (0..field.columns.len())
            .map(|column| rows.iter().map(|row| row.cells[column].complete).collect())
            .collect();
        let medians: Vec<Option<f64>> =
            scores.iter().map(|scores| median(scores.iter().flatten().copied().collect())).collect();
        // How good each model is: its median distance from the medians of tasks.
        let effects: Vec<Option<f64>> = (0..rows.len())
            .map(|row| {
                let distances = scores
                    .iter()
                    .zip(&medians)
                    .filter_map(|(scores, median)| Some(scores[row]? - (*median)?));
                median_of(distances)
            })
            .collect();
        let mut tasks = Vec::new();
        for ((column, scores), centre) in field.columns.iter().zip(&scores).zip(&medians) {
            let Some(centre) = *centre else { continue };
            let residuals: Vec<f64> = scores
                .iter()
                .zip(&effects)
                .filter_map(|(score, effect)| Some(((*score)? - centre - (*effect)?).abs()))
                .collect();
            if residuals.len() >= LEAST
                && let Some(spread) = median(residuals)
            {
                tasks.push((column.task.name.clone(), centre, (NORMAL * spread).max(FLOOR)));
            }
        }
        Self { tasks, models: rows.len() }
    }

    /// Why the field says nothing, if so.
    pub fn too_small(&self) -> Option<String> {
        let found = self.tasks.len();
        (found < LEAST).then(|| {
            format!(
                "whether the scores are plausible: `--field` needs at least {LEAST} other models with at least {LEAST} tasks in \
                 common, found {} and {found}",
                output::count(self.models, "other model"),
            )
        })
    }

    /// A line for each score of `board` that is far from what is to be expected.
    pub fn doubts(&self, board: &Board) -> Vec<String> {
        let mut doubts = Vec::new();
        if self.too_small().is_some() {
            return doubts;
        }
        for row in &board.rows {
            let of = |name: &str| self.tasks.iter().find(|(task, _, _)| task == name);
            let known: Vec<(&str, f64, f64, f64)> = board
                .columns
                .iter()
                .zip(&row.cells)
                .filter_map(|(column, cell)| {
                    let (task, centre, spread) = of(&column.task.name)?;
                    Some((task.as_str(), cell.complete?, *centre, *spread))
                })
                .collect();
            if known.len() < LEAST {
                continue;
            }
            let Some(effect) = median_of(known.iter().map(|(_, score, centre, _)| score - centre)) else {
                continue;
            };
            for (task, score, centre, spread) in known {
                let deviations = (score - centre - effect) / spread;
                if deviations.abs() > FAR {
                    doubts.push(format!(
                        "{}, {task}: {:.2}, where its other scores and those of {} models predict {:.2}; score \
                         it again with `--rerun`",
                        row.name,
                        100.0 * score,
                        self.models,
                        100.0 * (centre + effect)
                    ));
                }
            }
        }
        doubts
    }
}

fn median_of(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    median(numbers.collect())
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(numbers[middle]),
        _ => Some(f64::midpoint(numbers[middle - 1], numbers[middle])),
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn a_median_is_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(Vec::new()), None);
    }
}
