//! The main scores of embedders by the tasks' own judgements, on the units that are evaluated by graded ones.

use std::collections::BTreeMap;
use std::path::PathBuf;

use mteb_graded::evaluate::Evaluated;
use mteb_results::UnitName;

use super::found::main_scores;

/// The mean main score of each system over tasks (of a task with several units, first the mean of these); those that lack a unit
/// are left out.
///
/// # Errors
/// One line: a folder is not there or has no score of these units, or a result file cannot be read.
pub fn binary_scores(results: &[PathBuf], evaluated: &[Evaluated]) -> Result<Vec<(String, f64)>, String> {
    if let Some(absent) = results.iter().find(|folder| !folder.is_dir()) {
        return Err(format!("{}: expected a folder of results, found none", absent.display()));
    }
    let mut scores: BTreeMap<String, BTreeMap<&str, Vec<f64>>> = BTreeMap::new();
    let mut units: BTreeMap<&str, usize> = BTreeMap::new();
    for Evaluated { task, split, subset, .. } in evaluated {
        *units.entry(task).or_default() += 1;
        for (system, score) in main_scores(results, UnitName { task, split, subset })? {
            scores.entry(system).or_default().entry(task).or_default().push(score);
        }
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let of_system = |(system, tasks): (String, BTreeMap<&str, Vec<f64>>)| {
        let is_whole =
            units.iter().all(|(task, count)| tasks.get(task).is_some_and(|found| found.len() == *count));
        let means: Vec<f64> = tasks.values().map(|found| mean(found)).collect();
        is_whole.then(|| (system, mean(&means)))
    };
    let scores: Vec<(String, f64)> = scores.into_iter().filter_map(of_system).collect();
    if scores.is_empty() {
        let folders: Vec<String> = results.iter().map(|folder| folder.display().to_string()).collect();
        return Err(format!(
            "{}: expected results of a system on all of the evaluated tasks, found none; run \
             `mteb-host graded rank` first",
            folders.join(", ")
        ));
    }
    Ok(scores)
}
