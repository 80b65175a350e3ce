//! Which of the tasks that were selected are run: all only if asked for, and those that can be run.

use std::io::{self, BufRead, IsTerminal};

use mteb_registry::Selected;

use super::arguments::FilterArgs;
use crate::exit::Exit;
use crate::output;

/// Checks that `tasks` were chosen: by a filter, by `--all`, or by somebody at the terminal who is asked; `verb` says what
/// becomes of them, as `run`.
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
        // An input that cannot be read is no `yes`.
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
