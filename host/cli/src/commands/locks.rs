//! A word about the locks of the registries of a run: those that cannot be read, and those that `--update-lock` leaves as they are.

use mteb_registry::{Registries, RegistrySource, Selected, drop_unused_entries, fetched_from, lock_faults};

use crate::exit::Exit;
use crate::output;

/// Checks the locks of the registries of `tasks`: one that cannot be read is a registry at fault, unless those of the registries
/// `updated` are to be updated and a new one may take its place. From these what no card uses any more is taken out.
///
/// # Errors
/// The exit code, after the faults were said.
pub fn check_locks(tasks: &[Selected], updated: Option<&Registries>) -> Result<(), Exit> {
    if updated.is_some() {
        say_locks_that_stay(tasks);
    }
    let mut faults = lock_faults(tasks.iter().map(|task| &task.entry));
    faults.retain(|found| !(updated.is_some() && found.is_rewritable));
    faults.iter().for_each(output::error);
    if !faults.is_empty() {
        return Err(Exit::Usage);
    }
    let Some(registries) = updated else { return Ok(()) };
    drop_unused_entries(&registries.loaded).map_err(output::failed)
}

/// Says which locks `--update-lock` leaves as they are: those of registries that are part of the host, and of commits of git.
fn say_locks_that_stay(tasks: &[Selected]) {
    let is_bundled = |task: &&Selected| {
        matches!(task.entry.home, RegistrySource::Embedded(_)) && task.entry.card.dataset.plugin.is_none()
    };
    let mut names: Vec<String> =
        tasks.iter().filter(is_bundled).map(|task| task.entry.home.label()).collect();
    names.sort();
    names.dedup();
    let mut commits: Vec<String> = tasks.iter().filter_map(|task| fetched_from(&task.entry.home)).collect();
    commits.sort();
    commits.dedup();
    if !commits.is_empty() {
        output::warn(format!(
            "`--update-lock` skips registries of a commit, whose lock is part of it: {}",
            commits.join(", ")
        ));
    }
    if !names.is_empty() {
        let names = names.join(", ");
        output::warn(format!(
            "`--update-lock` skips registries that come with mteb-host: {names}; to lock one, pass a copy of \
             its file with `--registry FILE`"
        ));
    }
}
