//! Checks that the options of an evaluation fit the task type and each other, those under
//! `[protocol.own]` among them, and that the measures that a card names exist.

use mteb_base::suggest::hint;
use mteb_card::{CardMeasure, DeclaredMeasure, PackMeasure, TaskCard, TaskType, declared_measures, defaults};
use mteb_tasks::facts;
use serde_json::Value;

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

type Add<'a> = dyn FnMut(&[&str], String) + 'a;

/// Calls `add` with the path and the message of each fault of `extra_measures`, and of a main score that none of them gives.
pub fn check_measures(card: &TaskCard, add: &mut Add) {
    let measures = &card.protocol.extra_measures;
    for (index, measure) in measures.iter().enumerate() {
        let place = index.to_string();
        if measures[..index].contains(measure) {
            let message = format!("expected each measure once, found again: {measure}");
            add(&["protocol", "extra_measures", &place], message);
        } else if let CardMeasure::Pack(measure) = measure
            && let Some(message) = pack_fault(measure)
        {
            add(&["protocol", "extra_measures", &place], message);
        }
    }
    let main = card.main_score();
    let Some(declared) = PackMeasure::declared_score(main) else { return };
    let is_named = measures.iter().filter_map(CardMeasure::of_pack).any(|measure| measure.gives(main));
    if !is_named {
        let measure = main.rsplit_once("_at_").map_or(main, |(measure, _)| measure);
        let message =
            format!("expected the measure of the main score among `extra_measures`, found no {measure}");
        add(&["main_score"], message);
    } else if !declared.declaration.may_be_main() {
        let message = format!(
            "expected a mean over queries, from -1 to 1, of which higher is better, as the main score, found: {main}"
        );
        add(&["main_score"], message);
    }
}

fn pack_fault(measure: &PackMeasure) -> Option<String> {
    let Some(DeclaredMeasure { declaration, .. }) = measure.declared() else {
        let of_packs = declared_measures().into_iter().map(|known| known.name);
        let near = hint(&measure.name, of_packs, "`mteb-host doctor` lists the plugins");
        return Some(format!("expected a measure that a plugin provides, found: {}{near}", measure.name));
    };
    for (name, value) in &measure.parameters {
        let Some(parameter) = declaration.parameters.get(name) else {
            let known: Vec<&str> = declaration.parameters.keys().map(String::as_str).collect();
            let near = hint(name, known.iter().copied(), "");
            let has = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Some(format!(
                "the measure {} has no parameter `{name}`{near}; it has: {has}",
                measure.name
            ));
        };
        if !(parameter.low..=parameter.high).contains(value) {
            return Some(format!(
                "expected `{name}` of {} from {} to {}, found: {value}",
                measure.name, parameter.low, parameter.high
            ));
        }
    }
    None
}

/// The options that a card sets for a type that declares some.
pub fn check_own_options(card: &TaskCard, add: &mut Add) {
    let Some(declared) =
        card.task_type.declared().filter(|declared| !declared.declaration.options.is_empty())
    else {
        return;
    };
    let known = &declared.declaration.options;
    for (name, value) in &card.protocol.own {
        match known.get(name) {
            None => {
                let names: Vec<&str> = known.keys().map(String::as_str).collect();
                let near = hint(name, names.iter().copied(), "");
                let message = format!(
                    "a task of type {} has no option `{name}`{near}; it has: {}",
                    card.task_type,
                    names.join(", ")
                );
                add(&["protocol", mteb_card::OWN, name], message);
            }
            Some(option) if kind_of(&option.default) != kind_of(value) => {
                let (expected, found) = (kind_of(&option.default), kind_of(value));
                add(
                    &["protocol", mteb_card::OWN, name],
                    format!("expected {expected}, found {found}: {value}"),
                );
            }
            Some(_) => {}
        }
    }
}

/// A kind of values in the words of messages.
fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "`true` or `false`",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a table",
    }
}
