//! Whether two tasks of one name are the same: whether their scores are made from the same data in the same way.

use std::path::{Path, PathBuf};

use mteb_card::TaskCard;

use crate::reading::cards::canonical;
use crate::unit_options::options_of_unit;
use crate::{Origin, TaskEntry};

/// True if the scores of both tasks are comparable, wherever their cards lie and whatever these say to readers.
pub fn is_same_task(left: &TaskEntry, right: &TaskEntry) -> bool {
    is_same_card(&left.card, &right.card)
        && left.members.len() == right.members.len()
        && left.members.iter().zip(&right.members).all(|(left, right)| is_same_task(left, right))
        && (left.origin == right.origin || local_data(left) == local_data(right))
}

/// True if both cards make their scores in the same way, from data of the same name.
pub fn is_same_card(left: &TaskCard, right: &TaskCard) -> bool {
    // Most tasks of one name are one card that several registries name; the options of thousands of subsets cost seconds.
    std::ptr::eq(left, right) || left == right || is_scored_alike(left, right)
}

fn is_scored_alike(left: &TaskCard, right: &TaskCard) -> bool {
    let (own, other) = (&left.dataset, &right.dataset);
    left.eval_splits == right.eval_splits
        && left.subset_names() == right.subset_names()
        && left.members == right.members
        && left.revision() == right.revision()
        && own.all_places() == other.all_places()
        && left.subset_names().iter().all(|name| options_of_unit(left, name) == options_of_unit(right, name))
}

/// Where the data of the user's own is that a card leads to, by its one name.
fn local_data(task: &TaskEntry) -> Option<PathBuf> {
    let path = task.card.dataset.path.as_deref()?;
    let Origin::File(card) = &task.origin else { return None };
    Some(canonical(&card.parent().unwrap_or(Path::new("")).join(path)))
}
