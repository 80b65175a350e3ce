//! Says which units of a task failed, a line a cause.

use crate::exit::Exit;
use crate::output;
use crate::report::notes_of_task;

/// Says why units of a task failed, each given as split, subset and reason; how a command ends that met no more than these.
pub fn say_failed<S: AsRef<str>>(task: &str, failed: &[(S, S, String)]) -> Exit {
    let lines = failed.iter().map(|(split, subset, why)| (split.as_ref(), subset.as_ref(), why.as_str()));
    notes_of_task(task, lines).iter().for_each(output::error);
    if failed.is_empty() { Exit::Done } else { Exit::Failed }
}
