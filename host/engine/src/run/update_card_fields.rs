//! What a result only repeats of its card, and no score depends on: it is written anew where the card says otherwise now.

use mteb_registry::Selected;
use mteb_results::{ResultFile, ResultStore};

use super::error::UnitError;
use super::freshness::{Freshness, UnitsFreshness};
use crate::Observer;

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
