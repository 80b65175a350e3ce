//! Updates existing results without scoring. If results for the current data and options were
//! replaced, e.g. because two editions of a task run alternately, they are restored from the copies
//! of the file. Values that a result merely repeats from its card are updated if the card has
//! changed.

use std::path::PathBuf;

use mteb_base::calendar;
use mteb_registry::Selected;
use mteb_results::identity::UnitFacts;
use mteb_results::{ResultFile, ResultStore, UnitName, units};
use mteb_source::DataSources;
use mteb_tasks::Evaluator;

use super::error::UnitError;
use super::freshness::{Freshness, UnitsFreshness, check_freshness};
use super::options::RunContext;
use super::unknown_results::{leave_out_other_revisions, leave_out_other_types};
use crate::Observer;

/// What of a copy stands, as split and subset.
struct Restorable {
    path: PathBuf,
    copy: ResultFile,
    units: Vec<(String, String)>,
}

/// Restores valid results from the copies of the file where the `file` itself has none or stale
/// ones. Returns the updated file, and what the run does with each unit.
///
/// # Errors
/// If the file cannot be written or read again.
pub fn restore_superseded<'a>(
    (context, selected, evaluator): (&RunContext, &'a Selected, &dyn Evaluator),
    (file, mut freshness): (ResultFile, UnitsFreshness<'a>),
    sources: &mut DataSources,
    observer: &dyn Observer,
) -> Result<(ResultFile, UnitsFreshness<'a>), UnitError> {
    let (card, store) = (&selected.entry.card, &context.store);
    let is_wanted = |state: &Freshness| matches!(state, Freshness::Changed(_) | Freshness::Missing);
    if !freshness.values().any(is_wanted) {
        return Ok((file, freshness));
    }
    let mut all = Vec::new();
    for (path, copy) in store.superseded(&card.name) {
        let has_wanted =
            |(unit, state): (&(&str, &str), &Freshness)| is_wanted(state) && may_stand(&copy, *unit);
        if !freshness.iter().any(has_wanted) {
            continue;
        }
        let mut units = Vec::new();
        for (unit, found) in check_freshness(context, selected, evaluator, &copy, sources) {
            let state = freshness.get_mut(&unit).filter(|state| is_wanted(state));
            let stands = matches!(found, Freshness::Stands(_)) && may_stand(&copy, unit);
            if let Some(state) = state.filter(|_| stands) {
                *state = found;
                units.push((unit.0.to_owned(), unit.1.to_owned()));
            }
        }
        if !units.is_empty() {
            all.push(Restorable { path, copy, units });
        }
    }
    if all.is_empty() {
        return Ok((file, freshness));
    }
    let merge = |found: Option<ResultFile>| merge_restored(found, &all, (context, selected));
    let path = store.file(&card.name);
    let updated = store.update(&card.name, true, merge);
    let updated = updated.map_err(|error| UnitError::cannot_write(&path, "the result file", error))?;
    updated.notes.iter().for_each(|note| observer.warn(note));
    for restorable in &all {
        observer.say(&line(&card.name, restorable));
        for (split, subset) in &restorable.units {
            // The companion files next to the file belong to the scores that were replaced.
            let unit = UnitName { task: &card.name, split, subset };
            let notes = context.kept.forget(unit, &context.info.identity, context.options.keep);
            notes
                .map_err(|source| UnitError::CannotMove { path: path.clone(), source })?
                .iter()
                .for_each(|line| observer.warn(line));
        }
    }
    let file = store.read(&card.name)?;
    Ok((ResultFile::of_card(file, card), freshness))
}

/// True if a copy has a score of this host for a unit and records all of its inputs.
fn may_stand(copy: &ResultFile, (split, subset): (&str, &str)) -> bool {
    copy.entry(split, subset).is_some()
        && !copy.is_of_others(split, subset)
        && copy.facts(split, subset).and_then(UnitFacts::from_json).is_some()
}

/// The file with the restored results, or the copy itself if nothing else remains.
fn merge_restored(
    found: Option<ResultFile>,
    all: &[Restorable],
    (context, selected): (&RunContext, &Selected),
) -> ResultFile {
    let card = &selected.entry.card;
    let mut next = ResultFile::of_card(found, card);
    leave_out_other_types(&mut next, card);
    leave_out_other_revisions(&mut next, card);
    let is_back = |unit: (&str, &str)| {
        let mut back = all.iter().flat_map(|restorable| &restorable.units);
        back.any(|(split, subset)| (split.as_str(), subset.as_str()) == unit)
    };
    if let [Restorable { copy, units: back, .. }] = all
        && units(&next).all(is_back)
        && units(copy).count() == back.len()
    {
        let others = next.others;
        next = ResultFile { others, ..copy.clone() };
    } else {
        next.set_host(&context.host);
        for Restorable { copy, units, .. } in all {
            units.iter().for_each(|unit| insert(&mut next, copy, unit, (context, selected)));
        }
        next.order_facts();
    }
    card.revision().clone_into(&mut next.dataset_revision);
    // If results differ and no card says which data is meant, the newest file counts.
    next.date = calendar::seconds();
    next
}

/// Puts in a unit of a copy with what it was made from, and by which model where it says so in other words than that of now.
fn insert(
    next: &mut ResultFile,
    copy: &ResultFile,
    (split, subset): &(String, String),
    (context, selected): (&RunContext, &Selected),
) {
    let card = &selected.entry.card;
    let (Some(entry), Some(facts)) = (copy.entry(split, subset), copy.facts(split, subset)) else { return };
    let mut facts = facts.clone();
    facts.remove("model");
    if let Some(model) = copy.model(split, subset).filter(|model| context.host.get("model") != Some(*model)) {
        facts.set("model", model.clone());
    }
    next.insert(split, entry.clone(), &card.eval_splits, &card.subset_names());
    next.set_facts(split, subset, facts);
}

/// The message about restored results.
fn line(task: &str, Restorable { path, units, .. }: &Restorable) -> String {
    let count = if units.len() == 1 { "1 result".to_owned() } else { format!("{} results", units.len()) };
    format!("{task}: reused {count} with this data and these options from {}", path.display())
}

/// Brings the languages of the units whose scores stand up to date, and the revision that the card gives its data, in the
/// result file that was read as `file`. The scores stay, and so does all else.
///
/// # Errors
/// If the file cannot be written.
pub fn update_card_fields(
    store: &ResultStore,
    selected: &Selected,
    freshness: &UnitsFreshness,
    file: &ResultFile,
    observer: &dyn Observer,
) -> Result<(), UnitError> {
    // A file of the reference has more than is kept of it here.
    if !file.is_ours() {
        return Ok(());
    }
    let card = &selected.entry.card;
    let standing = || freshness.iter().filter(|(_, state)| matches!(state, Freshness::Stands(_)));
    let renew = |file: &mut ResultFile| -> Vec<&'static str> {
        let mut renewed = Vec::new();
        for ((split, subset), _) in standing() {
            if file.set_languages(split, subset, card.subset_languages(subset)) {
                renewed.push("languages");
            }
        }
        if standing().next().is_some() && file.dataset_revision != card.revision() {
            card.revision().clone_into(&mut file.dataset_revision);
            renewed.push("revision");
        }
        renewed.dedup();
        renewed
    };
    let renewed = renew(&mut file.clone());
    if renewed.is_empty() {
        return Ok(());
    }
    let write = |found: Option<ResultFile>| {
        let mut file = ResultFile::of_card(found, card);
        renew(&mut file);
        file
    };
    let path = store.file(&card.name);
    let updated = store.update(&card.name, false, write);
    let updated = updated.map_err(|error| UnitError::cannot_write(&path, "the result file", error))?;
    updated.notes.iter().for_each(|note| observer.warn(note));
    let what = renewed.join(" and ");
    observer
        .say(&format!("{}: {what} of the card updated in the result; the scores are unchanged", card.name));
    Ok(())
}
