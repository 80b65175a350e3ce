//! Where the units of a task stand among those that are asked for, and which of them a shard reads beside its own.

use std::collections::HashMap;

use mteb_card::TaskType;
use mteb_registry::Selected;

use super::freshness::UnitsFreshness;
use super::group::block_of;

/// The units of a task that are asked for, in blocks of those that may be encoded together.
pub struct Blocks<'a> {
    task_type: TaskType,
    positions: HashMap<(&'a str, &'a str), usize>,
    /// Of each block the units that are still to be scored here.
    left: HashMap<usize, usize>,
}

impl<'a> Blocks<'a> {
    /// The blocks of `selected`, of which `freshness` says what is to be scored.
    pub fn new(selected: &'a Selected, freshness: &UnitsFreshness<'a>) -> Self {
        let task_type = selected.entry.card.task_type;
        let positions: HashMap<_, _> =
            selected.units().enumerate().map(|(position, unit)| (unit, position)).collect();
        let mut blocks = Self { task_type, positions, left: HashMap::new() };
        for (unit, _) in freshness.iter().filter(|(_, state)| state.standing().is_none()) {
            if let Some(block) = blocks.of(*unit) {
                *blocks.left.entry(block).or_default() += 1;
            }
        }
        blocks
    }

    /// The block of a unit; `None` if it is not asked for.
    pub fn of(&self, unit: (&'a str, &'a str)) -> Option<usize> {
        self.positions.get(&unit).map(|&position| block_of(self.task_type, position))
    }

    /// True if units of the block are still to be scored here.
    pub fn has_left(&self, block: usize) -> bool {
        self.left.get(&block).is_some_and(|&left| left > 0)
    }

    /// A unit of the block is on its way.
    pub fn take(&mut self, block: usize) {
        if let Some(left) = self.left.get_mut(&block) {
            *left = left.saturating_sub(1);
        }
    }
}
