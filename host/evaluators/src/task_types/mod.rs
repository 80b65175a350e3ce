//! The task types, one a file; [`find`] looks one up by its name in a card.

use crate::TaskType;

/// Every task type there is, by the name that cards use.
pub const ALL: &[&dyn TaskType] = &[];

/// The task type called `name`.
pub fn find(name: &str) -> Option<&'static dyn TaskType> {
    ALL.iter().copied().find(|task_type| task_type.name() == name)
}
