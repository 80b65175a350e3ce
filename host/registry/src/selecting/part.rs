//! What of a benchmark is looked at: all of it, or a part, which has other means.

use super::selected::Selected;

/// How much of a benchmark is there, where it is not all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchmarkPart {
    /// The benchmark.
    pub benchmark: String,
    /// How many of its tasks are looked at, and how many it has that are there.
    pub tasks: [usize; 2],
    /// The same of its units: splits and subsets of tasks.
    pub units: [usize; 2],
    /// Names of its tasks that are not there.
    pub absent: Vec<String>,
}

impl BenchmarkPart {
    /// What `taken` is of the benchmark of these `tasks`; `None` if it is all of it.
    pub fn of(benchmark: &str, tasks: &[Selected], absent: &[String], taken: &[Selected]) -> Option<Self> {
        let units = |tasks: &[Selected]| tasks.iter().map(|task| task.units().count()).sum();
        let part = Self {
            benchmark: benchmark.to_owned(),
            tasks: [taken.len(), tasks.len()],
            units: [units(taken), units(tasks)],
            absent: absent.to_vec(),
        };
        (part.is_narrowed() || !absent.is_empty()).then_some(part)
    }

    /// True if something of it that is there is left out.
    pub fn is_narrowed(&self) -> bool {
        self.tasks[0] < self.tasks[1] || self.units[0] < self.units[1]
    }
}
