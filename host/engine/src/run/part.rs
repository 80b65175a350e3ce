//! The part of a run that one shard of a plan scores, what the plan was made for, and the order of
//! tasks: tasks that share a dataset run one after the other while its texts are in memory.

use std::collections::HashMap;
use std::hash::Hash;

use mteb_card::DataPlace;
use mteb_registry::Selected;
use mteb_results::identity::DataFacts;
use mteb_tasks::Ranges;

/// The units of a plan, and which of them are scored on this machine.
#[derive(Clone, Debug, Default)]
pub struct RunPart(HashMap<String, OfTask>);

/// The units of a task, by split and subset.
type OfTask = HashMap<String, HashMap<String, PartUnit>>;

/// A unit of a plan.
#[derive(Clone, Debug)]
struct PartUnit {
    is_own: bool,
    /// The ranges of its corpus that this machine searches, if other machines search the rest.
    ranges: Option<Ranges>,
    /// The files that its rows should be read from, if the plan records them.
    data: Option<DataFacts>,
}

impl RunPart {
    /// Adds a unit of the plan; `is_own` if it, or these `ranges` of its corpus, are the part of this machine.
    pub fn add(
        &mut self,
        task: &str,
        (split, subset): (&str, &str),
        (is_own, ranges): (bool, Option<Ranges>),
        data: Option<DataFacts>,
    ) {
        let units = self.0.entry(task.to_owned()).or_default().entry(split.to_owned()).or_default();
        units.insert(subset.to_owned(), PartUnit { is_own, ranges, data });
    }

    /// The ranges of the corpus of a unit that are searched here, where others search the rest; `None` if it is scored whole.
    pub fn ranges(&self, task: &str, unit: (&str, &str)) -> Option<&Ranges> {
        self.unit(task, unit)?.ranges.as_ref()
    }

    /// True if a unit of the task is scored here.
    pub fn has_of(&self, task: &str) -> bool {
        let mut units = self.0.get(task).into_iter().flat_map(HashMap::values).flat_map(HashMap::values);
        units.any(|unit| unit.is_own)
    }

    /// True if the unit is scored here.
    pub fn has(&self, task: &str, unit: (&str, &str)) -> bool {
        self.unit(task, unit).is_some_and(|unit| unit.is_own)
    }

    /// The differences between the files that the plan records for a unit and those that are read
    /// now: each with the planned and the current value.
    pub fn changes_of_data(&self, task: &str, unit: (&str, &str), now: &DataFacts) -> Option<String> {
        self.unit(task, unit)?.data.as_ref()?.difference(now)
    }

    fn unit(&self, task: &str, (split, subset): (&str, &str)) -> Option<&PartUnit> {
        self.0.get(task)?.get(split)?.get(subset)
    }
}

/// The units of `selected` that a run with this `part` scores, in evaluation order: all, where there is no part.
pub fn own_units<'a>(part: Option<&RunPart>, selected: &'a Selected) -> Vec<(&'a str, &'a str)> {
    let task = &selected.entry.card.name;
    selected.units().filter(|unit| part.is_none_or(|part| part.has(task, *unit))).collect()
}

/// The numbers of `tasks`: in the order given, but each right after those of the same dataset.
pub fn by_dataset(tasks: &[Selected]) -> Vec<usize> {
    number_groups(tasks.iter().map(dataset))
}

/// The dataset of a task; for a task that is the mean of others, the dataset of the first member.
fn dataset(task: &Selected) -> Option<DataPlace<'_>> {
    let entry = task.entry.members.first().unwrap_or(&task.entry);
    entry.card.dataset.place()
}

/// The indices of `keys`, ordered so that those of equal keys follow their first occurrence.
fn number_groups<K: Hash + Eq>(keys: impl Iterator<Item = Option<K>>) -> Vec<usize> {
    let mut first = HashMap::new();
    let place = |(number, key): (usize, Option<K>)| {
        (key.map_or(number, |key| *first.entry(key).or_insert(number)), number)
    };
    let mut places: Vec<(usize, usize)> = keys.enumerate().map(place).collect();
    places.sort_unstable();
    places.into_iter().map(|(_, number)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_stand_together_and_the_rest_keeps_its_order() {
        let keys = [Some("a"), None, Some("b"), Some("a"), None, Some("b"), Some("c")];
        assert_eq!(number_groups(keys.into_iter()), [0, 3, 1, 2, 5, 4, 6]);
        assert_eq!(number_groups(std::iter::empty::<Option<u8>>()), [0_usize; 0]);
    }
}
