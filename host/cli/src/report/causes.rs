//! Failures by their cause: what a hundred units met is said once.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use mteb_engine::run::{RunReport, TaskReport, UnitReport};

/// Tasks that a line names.
const NAMED: usize = 3;

/// A unit that failed, and why.
#[derive(Clone, Copy, Debug)]
pub struct Failure<'a> {
    /// Its task.
    pub task: &'a str,
    /// Its split.
    pub split: &'a str,
    /// Its subset.
    pub subset: &'a str,
    /// Why.
    pub cause: &'a str,
}

/// The causes that were said already.
#[derive(Debug, Default)]
pub struct Causes(Mutex<HashSet<String>>);

impl Causes {
    /// The failures of a task with causes that were not said before; from now on they were.
    pub fn unsaid<'a>(&self, task: &'a TaskReport) -> Vec<(&'a UnitReport, &'a str)> {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        task.failures().filter(|(_, cause)| said.insert((*cause).to_owned())).collect()
    }
}

/// A line for each cause that several units of a run met.
pub fn shared_causes(report: &RunReport) -> Vec<String> {
    let failures: Vec<Failure> = report
        .failures()
        .map(|(task, unit, cause)| Failure {
            task: &task.task,
            split: &unit.split,
            subset: &unit.subset,
            cause,
        })
        .collect();
    grouped(&failures).iter().filter(|same| same.len() > 1).map(|same| line(same)).collect()
}

/// A line a cause, in the order in which they were met.
pub fn by_cause(failures: &[Failure]) -> Vec<String> {
    grouped(failures).iter().map(|same| line(same)).collect()
}

fn grouped<'a, 'b>(failures: &'b [Failure<'a>]) -> Vec<Vec<&'b Failure<'a>>> {
    let mut order: Vec<Vec<&Failure>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for failure in failures {
        let place = *places.entry(failure.cause).or_insert(order.len());
        match order.get_mut(place) {
            Some(same) => same.push(failure),
            None => order.push(vec![failure]),
        }
    }
    order
}

fn line(same: &[&Failure]) -> String {
    match same {
        [] => String::new(),
        [Failure { task, split, subset, cause }] => {
            format!("{task}, split {split}, subset {subset}: {cause}")
        }
        [first, ..] => {
            let mut tasks: Vec<&str> = same.iter().map(|failure| failure.task).collect();
            tasks.dedup();
            let more = tasks.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let tasks = tasks.into_iter().take(NAMED).collect::<Vec<_>>().join(", ");
            format!("{} units of {tasks}{more}: {}", same.len(), first.cause)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure<'a>(task: &'a str, cause: &'a str) -> Failure<'a> {
        Failure { task, split: "test", subset: "ind", cause }
    }

    #[test]
    fn a_cause_is_one_line_whatever_its_units() {
        let failures = [
            failure("A", "no network"),
            failure("B", "no column `text`"),
            failure("B", "no network"),
            failure("C", "no network"),
            failure("D", "no network"),
        ];
        assert_eq!(
            by_cause(&failures),
            ["4 units of A, B, C and 1 more: no network", "B, split test, subset ind: no column `text`"]
        );
    }
}
