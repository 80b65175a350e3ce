//! The counts in the README: tasks of the reference that run, and verdicts of the table of proofs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::command::root;

/// Fails if the README does not say how many tasks run, are verified, differ, and could not be made.
/// `verdicts` are those of all tasks.
pub fn check(verdicts: &BTreeMap<&str, &str>) -> Result<(), String> {
    let read = |name: &str| fs::read_to_string(root().join(name)).map_err(|error| format!("{name}: {error}"));
    let (text, registry) = (read("README.md")?, read("registries/mteb.toml")?);
    match expected_words(verdicts, &tasks(&registry)).into_iter().find(|words| !text.contains(words)) {
        None => Ok(()),
        Some(words) => Err(format!(
            "README.md: expected the counts of `registries/proofs.tsv`, \"{words}\", found others or none"
        )),
    }
}

/// The tasks that a registry names.
fn tasks(registry: &str) -> BTreeSet<&str> {
    let list = registry.split_once("tasks = [").and_then(|(_, rest)| rest.split_once(']'));
    list.map_or("", |(list, _)| list).split('"').skip(1).step_by(2).collect()
}

/// The words that the README must have; of tasks without made data only if there are any.
fn expected_words(verdicts: &BTreeMap<&str, &str>, tasks: &BTreeSet<&str>) -> Vec<String> {
    let count = |verdict: &str| verdicts.values().filter(|found| **found == verdict).count();
    let unsupported = tasks.iter().filter(|task| verdicts.get(**task) == Some(&"unsupported")).count();
    let (runs, all) = (group_digits(tasks.len() - unsupported), group_digits(tasks.len()));
    let unmade = count("not made");
    let words = [
        format!("{runs} of mteb's {all} text tasks"),
        format!("{} are verified", group_digits(count("equal"))),
        format!("the {} tasks where something differs", group_digits(count("differs"))),
    ];
    let unmade =
        (unmade > 0).then(|| format!("the {} for which no data could be generated", group_digits(unmade)));
    words.into_iter().chain(unmade).collect()
}

/// A number as people write it: 1,281.
fn group_digits(number: usize) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", group_digits(number / 1000), number % 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_run_are_counted_among_those_of_the_registry() {
        let registry =
            "tasks = [\n    \"A\",\n    \"B\",\n    \"C\",\n]\n[[benchmark]]\ntasks = [\n    \"D\",\n]\n";
        let verdicts =
            [("A", "equal"), ("B", "unsupported"), ("C", "mean"), ("D", "unsupported"), ("E", "differs")];
        let found = expected_words(&verdicts.into_iter().collect(), &tasks(registry));
        assert_eq!(
            found,
            ["2 of mteb's 3 text tasks", "1 are verified", "the 1 tasks where something differs"]
        );
        assert_eq!(
            [group_digits(47), group_digits(1281), group_digits(1_000_024)],
            ["47", "1,281", "1,000,024"]
        );
    }
}
