//! Asks before everything that is known is run or fetched: thousands of units, and as many downloads.

use std::io::{self, BufRead, IsTerminal};

use mteb_registry::Selected;

use super::filter::FilterArgs;
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
    output::error(format!(
        "expected tasks to {verb}, found no filter, which would mean {units} of {known}; select with \
         `--registry` (such as `--registry indonesia`), `--benchmark`, `--task`, `--task-type` or `--language`, \
         or pass `--all`"
    ));
    Err(Exit::Usage)
}
