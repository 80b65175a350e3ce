//! Failures by their cause: what a hundred units met is said once.

use std::collections::HashMap;

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

/// A line a cause, in the order in which they were met.
pub fn by_cause(failures: &[Failure]) -> Vec<String> {
    let mut order: Vec<Vec<&Failure>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for failure in failures {
        let place = *places.entry(failure.cause).or_insert(order.len());
        match order.get_mut(place) {
            Some(same) => same.push(failure),
            None => order.push(vec![failure]),
        }
    }
    order.iter().map(|same| line(same)).collect()
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
