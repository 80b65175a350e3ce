//! Rings in a graph of files.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::Arrows;

/// The sets of files that reach each other, each with two or more.
pub fn rings(arrows: &Arrows) -> Vec<BTreeSet<&str>> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in arrows.keys() {
        next.entry(from).or_default().push(to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        next.keys().map(|file| (*file, reached_from(file, &next))).collect();
    let mut rings: Vec<BTreeSet<&str>> = Vec::new();
    for (file, others) in &reached {
        if !others.contains(file) || rings.iter().any(|ring| ring.contains(file)) {
            continue;
        }
        let back = |other: &&&str| reached.get(**other).is_some_and(|reached| reached.contains(file));
        rings.push(others.iter().filter(back).copied().collect());
    }
    rings
}

/// A ring in one line: its arrows, with the names that they stand for.
pub fn describe(ring: &BTreeSet<&str>, arrows: &Arrows) -> String {
    let inside =
        arrows.iter().filter(|((from, to), _)| ring.contains(from.as_str()) && ring.contains(to.as_str()));
    let line = |((from, to), names): (&(String, String), &BTreeSet<String>)| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        format!("{from} → {to} ({})", names.join(", "))
    };
    inside.map(line).collect::<Vec<_>>().join(", ")
}

fn reached_from<'a>(file: &str, next: &BTreeMap<&str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = next.get(file).cloned().unwrap_or_default();
    while let Some(file) = open.pop() {
        if reached.insert(file) {
            open.extend(next.get(file).into_iter().flatten());
        }
    }
    reached
}
