//! What a board shows of a benchmark beside its means: groups of its tasks, and its languages one by one.

use std::collections::HashMap;

use mteb_measures::aggregate::{mean_of_tasks, task_score};

use super::column::{Column, Unit};
use super::row::Row;
use crate::benchmark::Group;

/// Units of a column, both by their numbers.
type Part = (usize, Vec<usize>);

/// A group of tasks, which has a mean of its own.
#[derive(Clone, Debug)]
pub struct BoardGroup {
    /// By what the tasks are grouped; `None` for a mean that stands alone.
    pub grouping: Option<String>,
    /// Which of these groups it is, or the name of the mean.
    pub label: String,
    parts: Vec<Part>,
}

impl BoardGroup {
    /// The group over `columns`; `None` if none of its tasks is among them.
    pub fn new(group: &Group, columns: &[Column]) -> Option<Self> {
        let mut parts = Vec::new();
        let mut known: HashMap<&str, (usize, HashMap<&Unit, usize>)> = HashMap::new();
        for (number, column) in columns.iter().enumerate() {
            if group.tasks.iter().any(|(task, _)| *task == column.task.name) {
                let units = column.units.iter().enumerate().map(|(place, unit)| (unit, place));
                known.insert(&column.task.name, (number, units.collect()));
            }
        }
        for (task, wanted) in &group.tasks {
            let Some((number, places)) = known.get(task.as_str()) else { continue };
            let units: Vec<usize> = wanted.iter().filter_map(|unit| places.get(unit).copied()).collect();
            if !units.is_empty() {
                parts.push((*number, units));
            }
        }
        let (grouping, label) = (group.grouping.clone(), group.label.clone());
        (!parts.is_empty()).then_some(Self { grouping, label, parts })
    }

    /// The title of its column.
    pub fn title(&self) -> String {
        self.grouping.as_ref().map_or_else(|| self.label.clone(), |name| format!("{name}: {}", self.label))
    }

    /// The mean over its tasks, each the mean of the units that count, as the reference takes it; `None` if one is missing.
    pub fn mean(&self, row: &Row) -> Option<f64> {
        let scores: Vec<Option<f64>> =
            self.parts.iter().map(|part| Some(task_score(&scores(row, part)?))).collect();
        mean_of_tasks(&scores)
    }
}

/// A language that is shown, and the units that are of it.
#[derive(Clone, Debug)]
pub struct BoardLanguage {
    /// Its code, as `vie-Latn`.
    pub code: String,
    parts: Vec<Part>,
}

impl BoardLanguage {
    /// Those of the languages that any unit of the columns is of.
    pub fn all(codes: &[String], columns: &[Column]) -> Vec<Self> {
        let mut found: HashMap<&str, Vec<Part>> = HashMap::new();
        for (number, column) in columns.iter().enumerate().filter(|_| !codes.is_empty()) {
            let languages = column.task.languages();
            for (place, (_, subset)) in column.units.iter().enumerate() {
                for code in languages.of(subset) {
                    let parts = found.entry(code).or_default();
                    match parts.last_mut().filter(|(last, _)| *last == number) {
                        Some((_, units)) => units.push(place),
                        None => parts.push((number, vec![place])),
                    }
                }
            }
        }
        let language = |code: &String| Some(Self { code: code.clone(), parts: found.remove(code.as_str())? });
        codes.iter().filter_map(language).collect()
    }

    /// The mean over every unit of the language, whatever its task, as the reference takes it; `None` if one is missing.
    pub fn mean(&self, row: &Row) -> Option<f64> {
        let all: Vec<Vec<f64>> = self.parts.iter().map(|part| scores(row, part)).collect::<Option<_>>()?;
        let all = all.concat();
        Some(all.iter().sum::<f64>() / all.len() as f64)
    }
}

fn scores(row: &Row, (number, units): &Part) -> Option<Vec<f64>> {
    let cell = row.cells.get(*number)?;
    units.iter().map(|place| cell.units.get(*place).copied().flatten()).collect()
}
