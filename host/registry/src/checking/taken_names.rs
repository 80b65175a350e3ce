//! Names of registries and benchmarks that the host has already: a mean would be taken for that of another benchmark.

use mteb_card::{Benchmark, Registry};

use crate::reading::named::known_registries;
use crate::reading::source::RegistrySource;
use crate::{Fault, LoadedRegistry};

/// A warning for each registry of the user that is called as one of the host, and for each of its benchmarks that is, or has such
/// another name; of `benchmark` alone, if one is asked for.
pub fn taken_names(loaded: &[LoadedRegistry], benchmark: Option<&str>) -> Vec<Fault> {
    let is_wanted = |found: &&Benchmark| benchmark.is_none_or(|name| found.is_called(name));
    let asked = |registry: &&LoadedRegistry| {
        benchmark.is_none() || registry.registry.benchmarks.iter().any(|found| is_wanted(&found))
    };
    let mut own = loaded.iter().filter(asked).peekable();
    if own.peek().is_none() {
        return Vec::new();
    }
    let host = registries_of_the_host();
    let mut warnings = Vec::new();
    for LoadedRegistry { registry, file, .. } in own {
        if host.iter().any(|(of, _)| of == file) {
            continue;
        }
        let mut warn = |what: String| {
            let message = format!(
                "{what} has the name of one that comes with mteb-host; its means are not those of that one, so \
                 give it a name of its own"
            );
            warnings.push(Fault::of_file(file, &message));
        };
        let namesake = host.iter().find(|(_, other)| other.name == registry.name);
        if namesake.is_some_and(|(_, other)| other.benchmarks != registry.benchmarks) && benchmark.is_none() {
            warn(format!("registry {}: this", registry.name));
        }
        let all = || host.iter().flat_map(|(_, other)| &other.benchmarks);
        for found in registry.benchmarks.iter().filter(is_wanted) {
            if all().any(|other| other == found) {
                continue;
            }
            let names = std::iter::once(&found.name).chain(&found.aliases);
            for name in names.filter(|name| all().any(|other| other.is_called(name))) {
                warn(format!("benchmark {}: {name}", found.name));
            }
        }
    }
    warnings
}

/// The registries that are part of the binary, each with its file.
pub fn registries_of_the_host() -> Vec<(String, Registry)> {
    let known = known_registries().into_iter().map(|(_, source)| source);
    let own = known.filter(|source| matches!(source, RegistrySource::Embedded(_)));
    own.filter_map(|source| Some((source.shown(), source.read().ok()?.parse().ok()?))).collect()
}
