//! Joins the results of one model that this host wrote into several folders, as where two people share the tasks.

use std::sync::Arc;

use crate::facts::KnownModels;
use crate::join::{Model, join};
use crate::reading::{Checks, Entry, ResultsFolder, ScoreOrigin, Summary, newest_state};

/// A model for each state that its results are of. Folders of one model are joined where they do not contradict each other; a
/// result that is there twice counts once.
pub fn join_own<'a>(
    folders: impl IntoIterator<Item = &'a ResultsFolder>,
    facts: &KnownModels,
    checks: Checks,
) -> Vec<Model> {
    let mut joined: Vec<Model> = Vec::new();
    for model in folders.into_iter().flat_map(|folder| join([folder], facts)) {
        match joined.iter_mut().find(|other| is_same(other, &model, checks)) {
            Some(other) => add(other, model),
            None => joined.push(model),
        }
    }
    joined
}

/// True if both are the same model in the same state, and no unit that they share has two scores.
fn is_same(left: &Model, right: &Model, checks: Checks) -> bool {
    let key = |model: &Model| (model.name.clone(), model.revisions.clone(), model.experiment.clone());
    let agree = |(task, file): (&String, &Arc<Summary>)| {
        left.files.get(task).is_none_or(|other| agree(other, file, checks))
    };
    key(left) == key(right)
        && is_same_state(left.state.as_deref(), right.state.as_deref(), checks)
        && right.files.iter().all(agree)
}

/// True if the units that two files share have the same scores, made from the same.
fn agree(left: &Summary, right: &Summary, checks: Checks) -> bool {
    let units = left.by_unit();
    left.dataset_revision == right.dataset_revision
        && right.entries.iter().all(|entry| {
            units.get(&(entry.split.as_str(), entry.subset.as_str())).is_none_or(|other| {
                (other.main_score, &other.scores) == (entry.main_score, &entry.scores)
                    && other.made_from() == entry.made_from()
                    && is_same_state(left.state_of(other), right.state_of(entry), checks)
            })
        })
}

fn is_same_state(left: Option<&str>, right: Option<&str>, checks: Checks) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => checks.state_change(left, right).is_none(),
        (None, None) => true,
        _ => false,
    }
}

fn add(joined: &mut Model, model: Model) {
    for (task, file) in model.files {
        let file = match joined.files.get(&task) {
            Some(other) => Arc::new(merged(other, &file)),
            None => file,
        };
        joined.files.insert(task, file);
    }
    for (task, files) in model.before {
        joined.before.entry(task).or_default().extend(files);
    }
    joined.places.extend(model.places);
    joined.state = newest_state(joined.files.values()).map(str::to_owned);
}

/// The newer of two files with what the other one has beside it.
fn merged(left: &Summary, right: &Summary) -> Summary {
    let (older, newer) = if left.date <= right.date { (left, right) } else { (right, left) };
    let mut file = newer.clone();
    let units = newer.by_unit();
    for entry in &older.entries {
        if !units.contains_key(&(entry.split.as_str(), entry.subset.as_str())) {
            file.entries.push(with_state(entry, older));
        }
    }
    file
}

/// An entry that says of which state of the model it is, as it leaves its file.
fn with_state(entry: &Entry, file: &Summary) -> Entry {
    let mut entry = entry.clone();
    let state = file.state_of(&entry).map(str::to_owned);
    if file.is_ours {
        entry.origin.get_or_insert_with(ScoreOrigin::default).state = state;
    }
    entry
}
