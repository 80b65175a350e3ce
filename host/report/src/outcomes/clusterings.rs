//! The outcomes of clusterings: their V-measure, made again from the clusters that the texts are in.

use std::collections::{BTreeMap, HashMap};

use mteb_items::outcomes::{Items, OutcomesError};
use mteb_measures::cluster::Contingency;

use super::side::{Side, Values};
use crate::compare::Texts;

/// The clusterings with their V-measure: the experiments of each level, or the sets.
///
/// # Errors
/// If a column is absent.
pub(super) fn read_clusterings(items: &Items) -> Result<Side, OutcomesError> {
    let (gold, clusters) = (items.texts("gold")?, items.ints("cluster")?);
    let are_sets = items.get("set").is_some();
    let numbers = items.ints(if are_sets { "set" } else { "experiment" })?;
    let levels = if are_sets { None } else { Some(items.ints("level")?) };
    let mut draws: BTreeMap<(i64, i64), Vec<usize>> = BTreeMap::new();
    for (row, &number) in numbers.iter().enumerate() {
        draws.entry((levels.map_or(0, |levels| levels[row]), number)).or_default().push(row);
    }
    let name = |(level, number): &(i64, i64)| match are_sets {
        true => format!("set {number}"),
        false => format!("level {level}, experiment {number}"),
    };
    let measured = |rows: &Vec<usize>| {
        let labels: Vec<&str> = rows.iter().map(|&row| &gold[row]).collect();
        let found: Vec<i64> = rows.iter().map(|&row| clusters[row]).collect();
        let classes = numbered(&labels);
        match are_sets && classes.iter().all(|&class| class == 0) {
            // A set of one label needs no clustering.
            true => 1.0,
            false => Contingency::new(&classes, &numbered(&found)).v_measure(),
        }
    };
    Ok(Side {
        kind: if are_sets { "sets" } else { "experiments" },
        texts: Texts::Nowhere,
        measure: "v_measure".to_owned(),
        item_measure: "the same measure",
        ids: draws.keys().map(name).collect(),
        values: Values::Scores(draws.values().map(measured).collect()),
    })
}

/// Equal cells get equal numbers, from 0.
fn numbered<T: std::hash::Hash + Eq + Copy>(cells: &[T]) -> Vec<u32> {
    let mut numbers: HashMap<T, u32> = HashMap::new();
    let mut number = |cell: &T| {
        let next = numbers.len() as u32;
        *numbers.entry(*cell).or_insert(next)
    };
    cells.iter().map(&mut number).collect()
}
