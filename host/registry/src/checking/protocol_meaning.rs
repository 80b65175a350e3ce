//! Checks that the options of an evaluation fit the task type and each other.

use mteb_card::{TaskCard, TaskType, defaults};
use mteb_tasks::facts;

use super::measures_meaning::check_measures;

/// Calls `add` with the path and the message of each option that the task type does not have.
pub fn check_options(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    let fitting = facts(card.task_type).options;
    for option in card.protocol.set_options() {
        if !fitting.contains(&option) {
            add(&["protocol", option], no_option(card.task_type, option));
        }
    }
}

/// Calls `add` with the path and the message of each fault of what options say.
pub fn check_protocol(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    let protocol = &card.protocol;
    if protocol.max_fraction_of_documents.is_some() && protocol.max_documents.is_some() {
        let message =
            "expected one of `max_fraction_of_documents` and `max_documents`, found both".to_owned();
        add(&["protocol", "max_documents"], message);
    }
    check_scale(card, add);
    if let Some(threshold) = protocol.relevance_threshold
        && !(threshold.is_finite() && threshold > 0.0)
    {
        let message =
            format!("expected a grade above 0, from which a document is relevant, found: {threshold}");
        add(&["protocol", "relevance_threshold"], message);
    }
    if card.task_type.is_ranking() && card.task_type.declared().is_none() {
        check_cuts(card, add);
    }
    check_measures(card, add);
}

/// The two ends of the scale of gold scores, 0 and 5 where they are not named.
fn check_scale(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    let (least, most) = (card.protocol.min_score, card.protocol.max_score);
    if least.is_none() && most.is_none() {
        return;
    }
    let key = if most.is_some() { "max_score" } else { "min_score" };
    let (least, most) = (least.unwrap_or(defaults::MIN_SCORE), most.unwrap_or(defaults::MAX_SCORE));
    if least >= most {
        let message = if key == "max_score" {
            format!("expected more than `min_score`, which is {least}, found: {most}")
        } else {
            format!("expected less than `max_score`, which is {most}, found: {least}")
        };
        add(&["protocol", key], message);
    } else if !(most - least).is_finite() {
        add(
            &["protocol", key],
            format!("expected a scale that can be measured, found one from {least:e} to {most:e}"),
        );
    }
}

fn no_option(task_type: TaskType, option: &str) -> String {
    format!(
        "a task of type {task_type} has no option `{option}`; it has: {}",
        facts(task_type).options.join(", ")
    )
}

/// The main score is only measured at a cut that is made, and accuracy is the score at the first place.
fn check_cuts(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    let cuts = card.protocol.k_values.as_deref().unwrap_or(&defaults::K_VALUES);
    if !cuts.contains(&1) {
        let message = format!(
            "expected cut-offs that include 1, which the accuracy needs, found: {}",
            list_cut_offs(cuts)
        );
        add(&["protocol", "k_values"], message);
    }
    let main_score = card.main_score();
    let cut = main_score.rsplit_once("_at_").and_then(|(_, cut)| cut.parse::<usize>().ok());
    if let Some(cut) = cut.filter(|cut| !cuts.contains(cut)) {
        let message = format!(
            "expected a cut-off of `k_values` ({}) at the end of the main score, found {cut}: {main_score}",
            list_cut_offs(cuts)
        );
        let place: &[&str] =
            if card.main_score.is_some() { &["main_score"] } else { &["protocol", "k_values"] };
        add(place, message);
    }
}

fn list_cut_offs(cuts: &[usize]) -> String {
    cuts.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}
