//! What goes with a score: what it was made from, and the files beside it.

use std::collections::BTreeMap;
use std::io;

use mteb_card::TaskCard;
use mteb_json::Json;
use mteb_plugin_api::Identity;
use mteb_results::identity::UnitFacts;
use mteb_results::{CompanionFiles, KeepFiles, UnitName, kept_facts};

use super::score_unit::Scored;

/// What a unit was made from, as a result file says it, with the `prompts` that were used, `warnings`, and `notes` of what the model did
/// to texts.
pub fn facts_json(
    facts: UnitFacts,
    prompts: BTreeMap<String, String>,
    (warnings, notes): (&[String], &[String]),
) -> Json {
    let mut facts = UnitFacts { prompts, ..facts }.to_json();
    let list = |lines: &[String]| Json::List(lines.iter().map(|line| Json::from(line.as_str())).collect());
    if !notes.is_empty() {
        facts.set("notes", list(notes));
    }
    // What was said of the data is said again with the score that is found done.
    let of_data: Vec<String> = warnings.iter().filter(|line| !notes.contains(line)).cloned().collect();
    if !of_data.is_empty() {
        facts.set("warnings", list(&of_data));
    }
    facts
}

/// Writes what is left of a unit beside its scores, in place of what an earlier score has left; gives lines about what was moved away.
/// Scores of the `model` were made from these `facts`; the unit is one of the task of this `card`.
///
/// # Errors
/// If a file cannot be written.
pub fn write_companions(
    (kept, keep, card): (&CompanionFiles, KeepFiles, &TaskCard),
    unit: UnitName,
    identity: &Identity,
    (model, facts): (&Json, &Json),
    scored: &Scored,
) -> io::Result<Vec<String>> {
    let mut notes = kept.forget(unit, identity, keep)?;
    if let Some(items) = scored.items.as_ref().filter(|_| keep.outcomes) {
        kept.write_outcomes(unit, items, &kept_facts(model, facts, None))?;
    }
    let Some(rankings) = &scored.rankings else { return Ok(notes) };
    if keep.rankings {
        kept.write_rankings(unit, rankings, &kept_facts(model, facts, Some(keep.depth)))?;
    }
    if keep.predictions {
        notes.extend(kept.write_predictions(unit, rankings, (identity, card))?);
    }
    Ok(notes)
}
