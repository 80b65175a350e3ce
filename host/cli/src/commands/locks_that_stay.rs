//! A word about the locks that `--update-lock` leaves as they are.

use mteb_engine::registry::{RegistrySource, Selected};

use crate::output;

/// Says which locks `--update-lock` leaves as they are: those of registries that are part of the host.
pub fn say_locks_that_stay(tasks: &[Selected]) {
    let is_bundled = |task: &&Selected| {
        matches!(task.entry.home, RegistrySource::Embedded(_)) && task.entry.card.dataset.plugin.is_none()
    };
    let mut names: Vec<String> =
        tasks.iter().filter(is_bundled).map(|task| task.entry.home.shown()).collect();
    names.sort();
    names.dedup();
    if !names.is_empty() {
        let names = names.join(", ");
        output::warn(format!(
            "`--update-lock` leaves out what is part of the host: {names}; name a copy of the file with `--registry FILE` to \
             lock it"
        ));
    }
}
