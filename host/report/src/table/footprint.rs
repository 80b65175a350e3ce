//! What the results of a row have cost together, as they state it.

use super::row::Row;
use crate::reading::Footprint;

/// What was measured while a row was scored, on whatever machine that was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowFootprint {
    /// Tasks of whose results this is.
    pub tasks: usize,
    /// Seconds of all tasks, where every result says them.
    pub seconds: Option<f64>,
    /// Texts a second while texts were encoded, over all tasks that encoded any.
    pub texts_per_second: Option<f64>,
    /// Peak resident memory in MB: of the model's worker, else of the host.
    pub memory_mb: Option<f64>,
    /// Most memory on the graphics card in MB.
    pub gpu_memory_mb: Option<f64>,
    /// Joules of all processors over all tasks, where every result says them of all its units.
    pub joules: Option<f64>,
    /// The same of the graphics card.
    pub gpu_joules: Option<f64>,
    /// What was computed on, each once.
    pub devices: Vec<String>,
}

impl Row {
    /// What its results have cost.
    pub fn footprint(&self) -> RowFootprint {
        let stated = || self.cells.iter().filter_map(|cell| cell.footprint.as_ref());
        let largest = |of: fn(&Footprint) -> Option<f64>| stated().filter_map(of).reduce(f64::max);
        // Part of the units of a task would pass for all of it.
        let sum = |of: fn(&Footprint) -> Option<f64>| -> Option<f64> {
            let whole = self.cells.iter().map(|cell| {
                cell.footprint.as_ref().filter(|found| found.units >= cell.units.len() as u64).and_then(of)
            });
            whole.sum::<Option<f64>>().filter(|_| !self.cells.is_empty())
        };
        let (texts, seconds) = stated()
            .filter_map(|found| Some((found.texts_encoded, found.texts_encoded / found.texts_per_second?)))
            .fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let mut devices: Vec<String> = stated().filter_map(|found| found.device.clone()).collect();
        devices.sort_unstable();
        devices.dedup();
        let all_seconds = self.cells.iter().map(|cell| cell.seconds.filter(|seconds| *seconds > 0.0));
        RowFootprint {
            tasks: stated().count(),
            seconds: all_seconds.sum::<Option<f64>>().filter(|seconds| *seconds > 0.0),
            texts_per_second: (seconds > 0.0).then_some(texts / seconds),
            memory_mb: largest(|found| found.memory_mb),
            gpu_memory_mb: largest(|found| found.gpu_memory_mb),
            joules: sum(|found| found.joules),
            gpu_joules: sum(|found| found.gpu_joules),
            devices,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Cell;

    fn cell(units: usize, of_units: u64, encoded: f64, speed: f64, joules: Option<f64>) -> Cell {
        Cell {
            units: vec![Some(0.5); units],
            seconds: Some(2.0),
            footprint: Some(Footprint {
                units: of_units,
                texts_encoded: encoded,
                texts_per_second: Some(speed),
                memory_mb: Some(speed),
                joules,
                device: Some("cpu".to_owned()),
                ..Footprint::default()
            }),
            ..Cell::default()
        }
    }

    #[test]
    fn speed_is_of_all_texts_together_and_energy_of_whole_tasks_alone() {
        let row = |cells: Vec<Cell>| Row { cells, ..Row::default() }.footprint();
        let found = row(vec![cell(1, 1, 100.0, 100.0, Some(5.0)), cell(2, 2, 100.0, 50.0, Some(7.0))]);
        // 200 texts in three seconds.
        assert_eq!((found.texts_per_second, found.memory_mb), (Some(200.0 / 3.0), Some(100.0)));
        assert_eq!((found.joules, found.seconds, found.tasks), (Some(12.0), Some(4.0), 2));
        assert_eq!(found.devices, ["cpu"]);
        let part = row(vec![cell(1, 1, 1.0, 1.0, Some(5.0)), cell(2, 1, 1.0, 1.0, Some(7.0))]);
        assert_eq!(part.joules, None);
        let silent = row(vec![cell(1, 1, 1.0, 1.0, Some(5.0)), Cell::default()]);
        assert_eq!((silent.joules, silent.seconds, silent.memory_mb), (None, None, Some(1.0)));
    }
}
