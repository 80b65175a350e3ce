//! Checks that `superseded_by` names a known benchmark, task or model.

use std::collections::{BTreeMap, BTreeSet};

use mteb_base::suggest::hint;
use mteb_card::{Benchmark, Registry};

use super::model_meaning::file_of;
use super::same_name::{PackCards, registries_of_the_host};
use crate::reading::place::fault_in;
use crate::reading::source::{embedded_card, embedded_card_names, embedded_model_card, embedded_model_names};
use crate::{Fault, FoundCard, LoadedRegistry};

/// A warning for each benchmark and task of `loaded`, and for each of `models`, whose successor nobody knows. `included` are
/// further registries whose benchmarks are known.
pub fn unknown_successors(
    loaded: &[LoadedRegistry],
    included: &[&Registry],
    models: &[FoundCard],
    packs: &PackCards,
) -> Vec<Fault> {
    let mut warnings = Vec::new();
    for registry in loaded {
        warnings.extend(of_benchmarks(registry, included));
    }
    warnings.extend(of_tasks(loaded, packs));
    warnings.extend(of_models(models));
    warnings
}

fn of_benchmarks(loaded: &LoadedRegistry, included: &[&Registry]) -> Vec<Fault> {
    let own = &loaded.registry.benchmarks;
    if own.iter().all(|benchmark| benchmark.superseded_by.is_empty()) {
        return Vec::new();
    }
    let host = registries_of_the_host();
    let host = host.iter().flat_map(|(_, registry)| &registry.benchmarks);
    let others = included.iter().flat_map(|registry| &registry.benchmarks).chain(host);
    let all: Vec<&Benchmark> = own.iter().chain(others).collect();
    let names: BTreeSet<&str> = all
        .iter()
        .flat_map(|benchmark| std::iter::once(&benchmark.name).chain(&benchmark.aliases))
        .map(String::as_str)
        .collect();
    // A benchmark is one by whichever of its names.
    let called = |name: &str| all.iter().find(|other| other.is_called(name)).copied();
    let newer = |name: &str| -> Vec<&str> {
        let names = called(name).into_iter().flat_map(|benchmark| &benchmark.superseded_by);
        names.filter_map(|name| called(name)).map(|benchmark| benchmark.name.as_str()).collect()
    };
    let mut warnings = Vec::new();
    for (index, benchmark) in own.iter().enumerate() {
        for (place, name) in benchmark.superseded_by.iter().enumerate() {
            let fault = if benchmark.is_called(name) {
                itself("benchmark", name)
            } else if names.contains(name.as_str()) {
                let next = called(name).map_or(name.as_str(), |next| next.name.as_str());
                let Some(ring) = ring(&benchmark.name, next, &newer) else { continue };
                ring_message("benchmark", &ring)
            } else {
                unknown_message("benchmark", name, &names)
            };
            let message = format!("benchmark {}: {fault}", benchmark.name);
            let path = ["benchmark", &index.to_string(), "superseded_by", &place.to_string()];
            warnings.push(loaded.fault(&path, message));
        }
    }
    warnings
}

fn of_tasks(loaded: &[LoadedRegistry], packs: &PackCards) -> Vec<Fault> {
    let tasks = || loaded.iter().flat_map(|registry| &registry.tasks);
    let names: BTreeSet<&str> = tasks()
        .map(|task| task.card.name.as_str())
        .chain(packs.values().flat_map(|cards| cards.keys().map(String::as_str)))
        .collect();
    let of_task: BTreeMap<&str, &str> = tasks()
        .filter_map(|task| Some((task.card.name.as_str(), task.card.superseded_by.as_deref()?)))
        .collect();
    let mut warnings = BTreeSet::new();
    for task in tasks() {
        let newer = task.card.superseded_by.as_deref();
        let is_itself = |name: &&str| *name == task.card.name;
        warnings.extend(
            newer
                .filter(is_itself)
                .map(|name| fault_in(&task.origin, &["superseded_by"], itself("task", name))),
        );
        if let Some(name) = newer.filter(|name| !is_itself(name))
            && let Some(ring) =
                ring(&task.card.name, name, &|name| of_task.get(name).copied().into_iter().collect())
        {
            warnings.insert(fault_in(&task.origin, &["superseded_by"], ring_message("task", &ring)));
        }
        let is_known = |name: &str| names.contains(name) || embedded_card(name).is_some();
        if let Some(name) = newer.filter(|name| !is_known(name)) {
            let embedded = embedded_card_names();
            let all: BTreeSet<&str> =
                names.iter().copied().chain(embedded.iter().map(String::as_str)).collect();
            warnings.insert(fault_in(&task.origin, &["superseded_by"], unknown_message("task", name, &all)));
        }
    }
    warnings.into_iter().collect()
}

fn of_models(models: &[FoundCard]) -> Vec<Fault> {
    let own: BTreeSet<&str> = models.iter().map(|found| found.card.name.as_str()).collect();
    let mut warnings = Vec::new();
    for found in models {
        let newer = found.card.superseded_by.as_deref();
        let is_itself = |name: &&str| *name == found.card.name;
        warnings
            .extend(newer.filter(is_itself).map(|name| found.fault("superseded_by", itself("model", name))));
        let is_known = |name: &str| own.contains(name) || embedded_model_card(&file_of(name)).is_some();
        if let Some(name) = newer.filter(|name| !is_known(name)) {
            let embedded = embedded_model_names();
            let all: BTreeSet<&str> =
                own.iter().copied().chain(embedded.iter().map(String::as_str)).collect();
            warnings.push(found.fault("superseded_by", unknown_message("model", name, &all)));
        }
    }
    warnings
}

/// The way from `name` by its successor `next` back to `name`; `None` if there is none. `newer` gives the successors of a name.
fn ring<'a>(name: &'a str, next: &'a str, newer: &dyn Fn(&str) -> Vec<&'a str>) -> Option<Vec<&'a str>> {
    let mut seen = BTreeSet::from([next]);
    let mut ways = vec![vec![name, next]];
    while let Some(way) = ways.pop() {
        for next in way.last().map(|last| newer(last)).unwrap_or_default() {
            let on = way.iter().copied().chain([next]).collect();
            if next == name {
                return Some(on);
            }
            if seen.insert(next) {
                ways.push(on);
            }
        }
    }
    None
}

fn ring_message(kind: &str, ring: &[&str]) -> String {
    let found = ring.get(1).copied().unwrap_or_default();
    format!(
        "expected a newer {kind}, found one that this one replaces in turn: {found} ({}); leave out one of them",
        ring.join(" -> ")
    )
}

fn itself(kind: &str, name: &str) -> String {
    format!("expected another {kind}, found its own name: {name}; leave it out, or name what replaces it")
}

fn unknown_message(kind: &str, name: &str, known: &BTreeSet<&str>) -> String {
    format!("expected the name of a known {kind}, found: {name}{}", hint(name, known.iter().copied(), ""))
}
