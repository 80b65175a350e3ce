//! Which units of a task are scored again, and why, as a run announces or refuses it; and the
//! blocks of the selected units, because a shard also reads some units that are not its own.

use std::collections::{HashMap, HashSet};

use mteb_base::suggest::first_of;
use mteb_card::TaskType;
use mteb_registry::Selected;

use super::freshness::{Freshness, UnitsFreshness};
use super::group::block_of;

/// The units of a task whose results are no longer valid.
pub struct ScoredAgain {
    /// The task, and the subsets if they are not all.
    which: String,
    /// Why, as a list.
    reasons: String,
}

impl ScoredAgain {
    /// What is scored again of `task`; `None` if nothing is.
    pub fn of(task: &str, freshness: &UnitsFreshness) -> Option<Self> {
        let mut reasons: Vec<&str> = Vec::new();
        let mut subsets: Vec<&str> = Vec::new();
        for ((_, subset), state) in freshness {
            let found: &[String] = match state {
                Freshness::Changed(found) => found,
                Freshness::Unknown(_) => &[],
                _ => continue,
            };
            if !subsets.contains(subset) {
                subsets.push(subset);
            }
            for reason in found {
                if !reasons.contains(&reason.as_str()) {
                    reasons.push(reason);
                }
            }
        }
        if subsets.is_empty() {
            return None;
        }
        let unknown = freshness.values().find_map(|state| match state {
            Freshness::Unknown(why) => Some(*why),
            _ => None,
        });
        reasons.extend(unknown);
        let all: HashSet<&str> = freshness.keys().map(|(_, subset)| *subset).collect();
        let which = match subsets.as_slice() {
            _ if subsets.len() == all.len() => task.to_owned(),
            [one] => format!("{task}, subset {one}"),
            several => format!("{task}, {} of {} subsets", several.len(), all.len()),
        };
        Some(Self { which, reasons: first_of(reasons, 3, "; ", "; and ") })
    }

    /// The line of a run that scores them.
    pub fn announcement(&self) -> String {
        format!("{}: will be scored again: {}", self.which, self.reasons)
    }

    /// Why a run that may not score them refuses the results.
    pub fn refusal(&self) -> String {
        format!("{}: {}", self.which, self.reasons)
    }
}

/// The selected units of a task, in blocks of units that may be encoded together.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(reason: &str) -> Freshness {
        Freshness::Changed(vec![reason.to_owned()])
    }

    #[test]
    fn a_refusal_has_the_reasons_of_the_announcement_word_for_word() {
        let odd = "data changed: a: will be scored again: b.csv";
        let freshness = UnitsFreshness::from([(("test", "default"), changed(odd))]);
        let again = ScoredAgain::of("T", &freshness).unwrap();
        assert_eq!(again.announcement(), format!("T: will be scored again: {odd}"));
        assert_eq!(again.refusal(), format!("T: {odd}"));
    }

    #[test]
    fn the_subsets_are_named_where_others_stand() {
        let mut freshness = UnitsFreshness::from([
            (("test", "ace"), changed("model changed: weights")),
            (("test", "ban"), Freshness::Stands(0.5)),
            (("test", "bug"), Freshness::Missing),
        ]);
        let refusal =
            |freshness: &UnitsFreshness| ScoredAgain::of("T", freshness).map(|again| again.refusal());
        assert_eq!(refusal(&freshness).as_deref(), Some("T, subset ace: model changed: weights"));
        freshness.insert(("test", "ban"), Freshness::Unknown("nobody knows"));
        let both = "T, 2 of 3 subsets: model changed: weights; nobody knows";
        assert_eq!(refusal(&freshness).as_deref(), Some(both));
        freshness.retain(|_, state| !matches!(state, Freshness::Changed(_) | Freshness::Unknown(_)));
        assert_eq!(refusal(&freshness), None);
    }
}
