//! Narrows a task to the subsets and splits that a pattern names.

use std::collections::HashSet;
use std::sync::Arc;

use mteb_base::suggest::{hint, some};
use mteb_card::TaskCard;

use super::pattern::TaskPattern;
use super::selected::{Selected, TakenSubsets};
use super::selection_error::SelectionError;
use crate::entry::TaskEntry;

/// True if `pattern` names the task.
pub fn is_named(pattern: &TaskPattern, entry: &TaskEntry) -> bool {
    let named = pattern.name == "*" || pattern.name == entry.card.name;
    let typed = pattern.task_type.as_deref().is_none_or(|name| entry.card.task_type.as_str() == name);
    named && typed
}

/// Narrows a task: to the subsets and splits that the pattern names, else to what its registry
/// takes of it.
///
/// # Errors
/// If the task has no subset or split that is named.
pub fn narrow(entry: &Arc<TaskEntry>, pattern: &TaskPattern) -> Result<Selected, SelectionError> {
    let registry = &entry.taken;
    let subsets = if pattern.subsets.is_empty() { &registry.subsets } else { &pattern.subsets };
    let split = if pattern.split.is_none() { &registry.split } else { &pattern.split };
    narrow_to(entry, subsets, split.as_deref())
}

/// Narrows a task that is narrowed already. Subsets and splits that the pattern names are taken
/// from the whole task.
///
/// # Errors
/// If the task has no subset or split that is named.
pub fn narrow_further(task: &Selected, pattern: &TaskPattern) -> Result<Selected, SelectionError> {
    let named = narrow(&task.entry, pattern)?;
    let subsets = if pattern.subsets.is_empty() { task.subsets.clone() } else { named.subsets };
    let splits = if pattern.split.is_none() { task.splits.clone() } else { named.splits };
    Ok(Selected { entry: named.entry, subsets, splits })
}

/// Narrows a task to what its registry takes of it.
///
/// # Errors
/// If the task has no subset or split that the registry names.
pub fn narrow_as_taken(entry: &Arc<TaskEntry>) -> Result<Selected, SelectionError> {
    narrow(entry, &TaskPattern::default())
}

/// The first subset, else the first split, that `narrowed` takes and `task` does not, as messages
/// name it; `None` if there is none.
pub fn beyond(task: &Selected, narrowed: &Selected) -> Option<String> {
    let subset = task.subsets.named().and_then(|subsets| {
        narrowed.subset_names().into_iter().find(|subset| !subsets.contains(subset.as_str()))
    });
    let split = narrowed.splits.iter().find(|split| !task.splits.contains(split));
    subset.map(|subset| format!("subset {subset}")).or_else(|| split.map(|split| format!("split {split}")))
}

/// The task with the named subsets and the named split. Without a name, all of them remain.
fn narrow_to(
    entry: &Arc<TaskEntry>,
    subsets: &[String],
    split: Option<&str>,
) -> Result<Selected, SelectionError> {
    let card = &entry.card;
    let lacks = |parts| Err(SelectionError::Parts { task: card.name.clone(), parts });
    match (named_subsets(card, subsets), named_split(card, split)) {
        (Ok(subsets), Ok(splits)) => Ok(Selected { entry: Arc::clone(entry), subsets, splits }),
        (Err(subset), Err(split)) => lacks(vec![split, subset]),
        (Err(one), _) | (_, Err(one)) => lacks(vec![one]),
    }
}

/// The split of a task that is named; all if none is.
fn named_split(card: &TaskCard, named: Option<&str>) -> Result<Vec<String>, SelectionError> {
    match named {
        None => Ok(card.eval_splits.clone()),
        Some(split) if card.eval_splits.iter().any(|known| known == split) => Ok(vec![split.to_owned()]),
        Some(split) => {
            let known = card.eval_splits.join(", ");
            let near = hint(split, card.eval_splits.iter().map(String::as_str), "");
            Err(SelectionError::NoSplit { known, found: split.to_owned(), near })
        }
    }
}

/// The named subsets of a task, in the card's order; all subsets if none is named.
fn named_subsets(card: &TaskCard, named: &[String]) -> Result<TakenSubsets, SelectionError> {
    if named.is_empty() {
        return Ok(TakenSubsets::All);
    }
    // A task may have tens of thousands of subsets, while the pattern names only a few.
    let wanted: HashSet<&str> = named.iter().map(String::as_str).collect();
    let kept = TakenSubsets::among(card, &wanted);
    if kept.count(card) < wanted.len() {
        let known: HashSet<String> = kept.names(card).into_iter().collect();
        let all = card.subset_names();
        let unknown = named.iter().filter(|subset| !known.contains(subset.as_str()));
        let unknown: Vec<String> = unknown
            .map(|subset| match subset.as_str() {
                "" => "none after the colon".to_owned(),
                subset => format!("{subset}{}", hint(subset, all.iter().copied(), "")),
            })
            .collect();
        let found = some(unknown.iter().map(String::as_str));
        return Err(SelectionError::NoSubsets { known: some(all), found });
    }
    Ok(kept)
}

/// Narrows a task to subsets with one of `languages`, if it was named without subsets. One without
/// any such subset stays whole, because its registry names it.
pub fn narrow_to_languages(task: Arc<TaskEntry>, languages: &[String]) -> Arc<TaskEntry> {
    if languages.is_empty() || task.taken.has_subsets() || task.card.subsets.is_empty() {
        return task;
    }
    let is_wanted = |code: &str| {
        languages.iter().any(|wanted| {
            code == wanted || code.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.starts_with('-'))
        })
    };
    let taken = task.taken.clone().with_subsets(task.card.subsets.with_language(is_wanted, false));
    Arc::new(TaskEntry { taken, ..(*task).clone() })
}
