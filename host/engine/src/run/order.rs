//! The order in which tasks run: those that share a dataset follow each other, while its texts are in memory.

use std::collections::HashMap;
use std::hash::Hash;

use mteb_card::DataPlace;
use mteb_registry::Selected;

/// The numbers of `tasks`: in the order given, but each right after those of the same dataset.
pub fn by_dataset(tasks: &[Selected]) -> Vec<usize> {
    grouped(tasks.iter().map(dataset))
}

/// Where a task's data is from; of a task that is the mean of others, that of the first.
fn dataset(task: &Selected) -> Option<DataPlace<'_>> {
    let entry = task.entry.members.first().unwrap_or(&task.entry);
    entry.card.dataset.place()
}

/// Numbers from 0 on, one a key: those of equal keys stand together where the first of them would stand alone.
fn grouped<K: Hash + Eq>(keys: impl Iterator<Item = Option<K>>) -> Vec<usize> {
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
        assert_eq!(grouped(keys.into_iter()), [0, 3, 1, 2, 5, 4, 6]);
        assert_eq!(grouped(std::iter::empty::<Option<u8>>()), [0_usize; 0]);
    }
}
