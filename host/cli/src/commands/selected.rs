//! Which of the tasks that were selected are run: all only if asked for, and those that can be run;
//! and a word about the locks of their registries: those that cannot be read, and those that
//! `--update-lock` leaves as they are.

use std::io::{self, BufRead, IsTerminal};

use mteb_registry::{Registries, RegistrySource, Selected, drop_unused_entries, fetched_from, lock_faults};

use super::arguments::FilterArgs;
use crate::exit::Exit;
use crate::output;

/// Checks that `tasks` were chosen on purpose: by a filter, by `--all`, or by a confirmation at the
/// terminal. `verb` is what happens to the tasks, e.g. `run`.
///
/// # Errors
/// The exit code, after it was said how to choose.
pub fn check_chosen(filter: &FilterArgs, all: bool, tasks: &[Selected], verb: &str) -> Result<(), Exit> {
    if all || *filter != FilterArgs::default() {
        return Ok(());
    }
    let can_run: Vec<&Selected> = tasks.iter().filter(|task| task.entry.card.unsupported.is_none()).collect();
    let units: usize = can_run.iter().map(|task| task.units().count()).sum();
    let (units, known) = (output::count(units, "unit"), output::count(can_run.len(), "task"));
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        output::say(format!("No tasks were selected. To {verb} all {known} ({units}), type `yes`:"));
        let mut answer = String::new();
        // Input that cannot be read does not count as `yes`.
        let _ = io::stdin().lock().read_line(&mut answer);
        if answer.trim().eq_ignore_ascii_case("yes") {
            return Ok(());
        }
    }
    Err(output::usage(format!(
        "expected tasks to {verb}, found no filter, which would mean {units} of {known}; select with \
         `--registry` (such as `--registry indonesia`), `--benchmark`, `--task`, `--task-type` or `--language`, \
         or pass `--all`"
    )))
}

/// A task that cannot be run fails only where it was named.
pub(super) fn leave_out_unsupported(tasks: &mut Vec<Selected>) {
    let is_unsupported = |task: &Selected| task.entry.card.unsupported.is_some();
    let names: Vec<&str> =
        tasks.iter().filter(|task| is_unsupported(task)).map(|task| task.entry.card.name.as_str()).collect();
    if !names.is_empty() {
        let names = names.join(", ");
        output::warn(format!("skipped because they cannot be run (`mteb-host show task` says why): {names}"));
    }
    tasks.retain(|task| !is_unsupported(task));
}

/// A model that ranks documents cannot be scored on other tasks.
pub(super) fn leave_out_what_cannot_be_ranked(tasks: &mut Vec<Selected>) -> Result<(), Exit> {
    let before = tasks.len();
    tasks.retain(|task| task.entry.card.task_type.is_ranking());
    if tasks.is_empty() {
        let found = output::count(before, "task");
        return Err(output::usage(format!(
            "expected retrieval or reranking tasks, because this model only ranks documents, found none among \
             {found}; choose another model or other tasks"
        )));
    }
    if tasks.len() < before {
        let left = before - tasks.len();
        let what = if left == 1 {
            "1 task that is not retrieval or reranking".to_owned()
        } else {
            format!("{left} tasks that are not retrieval or reranking")
        };
        output::warn(format!("skipped {what}: this model only ranks documents"));
    }
    Ok(())
}

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
