//! Checks the measures that a card names beside the usual ones: they are there, and the main score is one that they give.

use mteb_base::suggest::hint;
use mteb_card::{CardMeasure, DeclaredMeasure, PackMeasure, TaskCard, declared_measures};

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
