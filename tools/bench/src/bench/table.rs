//! The table of a benchmark: ratios first.

use super::sides::{Run, Runs};
use crate::measure::middle;
use xtask::document::machine;

/// Main scores may differ by so much where a learner's last digit decides a row.
pub const TOLERANCE: f64 = 5e-3;

/// One task.
pub struct Row {
    task: String,
    host: f64,
    reference: f64,
    /// Largest difference of a main score.
    pub difference: f64,
}

/// Rows in the order of `tasks`: of the host's runs the middle one, of the reference the only one.
pub fn rows(tasks: &[&str], ours: &[Runs], theirs: &Runs) -> Result<Vec<Row>, String> {
    let missing = |task: &str| format!("no result of {task}");
    let row = |&task: &&str| {
        let runs: Vec<&Run> = ours.iter().filter_map(|runs| runs.get(task)).collect();
        let first = runs.first().ok_or_else(|| missing(task))?;
        let host = middle(runs.iter().map(|run| run.seconds));
        let reference = theirs.get(task).ok_or_else(|| missing(task))?;
        let difference = first.difference(reference).map_err(|error| format!("{task}: {error}"))?;
        Ok(Row { task: task.to_owned(), host, reference: reference.seconds, difference })
    };
    tasks.iter().map(row).collect()
}

/// The table with the machine it was made on.
pub fn markdown(rows: &[Row]) -> String {
    let mut text = format!(
        "Machine: {}.\n\n| task | times as fast | mteb-host, s | mteb, s | largest difference of a main score |\n\
         |---|---:|---:|---:|---:|\n",
        machine()
    );
    for Row { task, host, reference, difference } in rows {
        let ratio = reference / host;
        text += &format!("| {task} | {ratio:.0} | {host:.3} | {reference:.2} | {difference:.6} |\n");
    }
    text
}
