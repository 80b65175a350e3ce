//! Checks that the languages and the benchmarks of a registry are known and unambiguous.

use std::collections::HashSet;

use mteb_card::Registry;

use crate::languages::language::language_fault;
use crate::selecting::pattern::TaskPattern;

/// Calls `add` with the path and the message of each fault.
pub fn check_registry_meaning(registry: &Registry, add: &mut dyn FnMut(&[&str], String)) {
    check_languages(registry, add);
    check_names(registry, add);
    check_aliases(registry, add);
    check_tasks(registry, add);
}

/// A benchmark names what it takes once.
fn check_tasks(registry: &Registry, add: &mut dyn FnMut(&[&str], String)) {
    for (index, benchmark) in registry.benchmarks.iter().enumerate() {
        let mut taken: HashSet<&str> = HashSet::new();
        for (place, task) in benchmark.tasks.iter().enumerate() {
            let message = if !taken.insert(task) {
                format!("expected each task once, found twice: {task}")
            } else if let Some(subset) = TaskPattern::new(task).twice() {
                format!("expected each subset once, found twice: {subset} in {task}")
            } else {
                continue;
            };
            let message = format!("benchmark {}: {message}", benchmark.name);
            add(&["benchmark", &index.to_string(), "tasks", &place.to_string()], message);
        }
    }
}

/// `languages` narrows the tasks that `tasks` names.
fn check_languages(registry: &Registry, add: &mut dyn FnMut(&[&str], String)) {
    for (index, code) in registry.languages.iter().enumerate() {
        let with_script = if code.contains('-') { code.clone() } else { format!("{code}-Latn") };
        if language_fault(&with_script).is_some() {
            let message =
                format!("expected a language of ISO 639-3 such as `ind` or `ind-Latn`, found: {code}");
            add(&["languages", &index.to_string()], message);
        }
    }
    if !registry.languages.is_empty() && registry.tasks.is_empty() {
        let message = "expected `tasks` with `languages`, which restricts the tasks named there, found none; \
                       the languages of a benchmark are those of its `[[benchmark]]`";
        add(&["languages"], message.to_owned());
    }
}

/// A benchmark is found by its names.
fn check_names(registry: &Registry, add: &mut dyn FnMut(&[&str], String)) {
    for (index, benchmark) in registry.benchmarks.iter().enumerate() {
        let index = index.to_string();
        if benchmark.name.trim().is_empty() {
            let message = "expected a name by which `--benchmark` finds it, found an empty one";
            add(&["benchmark", &index, "name"], message.to_owned());
        }
        for (place, _) in benchmark.aliases.iter().enumerate().filter(|(_, alias)| alias.trim().is_empty()) {
            let message =
                format!("benchmark {}: expected another name as alias, found an empty one", benchmark.name);
            add(&["benchmark", &index, "aliases", &place.to_string()], message);
        }
    }
}

/// A name stands for one benchmark.
fn check_aliases(registry: &Registry, add: &mut dyn FnMut(&[&str], String)) {
    let mut taken: HashSet<&str> =
        registry.benchmarks.iter().map(|benchmark| benchmark.name.as_str()).collect();
    for (index, benchmark) in registry.benchmarks.iter().enumerate() {
        for (place, alias) in benchmark.aliases.iter().enumerate() {
            if !taken.insert(alias) {
                let name = &benchmark.name;
                let message = if alias == name {
                    format!(
                        "benchmark {name}: expected another name as alias, found its own name: {alias}; leave it out"
                    )
                } else if benchmark.aliases[..place].contains(alias) {
                    format!("benchmark {name}: expected each alias once, found twice: {alias}")
                } else {
                    format!(
                        "benchmark {name}: expected an alias that no other benchmark of the registry has, found: {alias}"
                    )
                };
                add(&["benchmark", &index.to_string(), "aliases", &place.to_string()], message);
            }
        }
    }
}
