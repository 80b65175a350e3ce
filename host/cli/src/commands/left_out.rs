//! Tasks that a run leaves out, and the lines that say so.

use mteb_registry::Selected;

use crate::exit::Exit;
use crate::output;

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
        output::error(format!(
            "expected retrieval or reranking tasks, because this model only ranks documents, found none among \
             {found}; choose another model or other tasks"
        ));
        return Err(Exit::Usage);
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
