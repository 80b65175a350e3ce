//! Checks of each score of a submitted unit, not only of its main score: by its experiments, and by its outcomes.

use std::path::Path;

use mteb_results::{ResultFile, check_all_against_items, contradicted_measures, unit_faults};
use mteb_tasks::Items;

use super::said::Said;
use super::submitted::Submitted;

/// What cannot be right of the units of the `file` at `path`, by what stands in it, a line each; what `said` knows now is said.
pub fn faults_in_file(path: &Path, file: &ResultFile, said: &mut Said) -> Vec<String> {
    let faults = unit_faults(file);
    faults.iter().for_each(|fault| said.add_fault(path, fault));
    let mut lines: Vec<String> = faults.iter().map(|fault| format!("{}: {fault}", path.display())).collect();
    for split in &file.splits {
        for entry in &split.entries {
            let place = format!("{}: split {}, subset {}", path.display(), split.split, entry.subset);
            let faults = contradicted_measures(file, &split.split, entry);
            lines.extend(faults.iter().map(|fault| format!("{place}: {fault}")));
        }
    }
    lines
}

/// Scores of a unit that its outcomes contradict, a line each.
pub fn faults_by_outcomes(unit: &Submitted, file: &ResultFile, items: &Items) -> Vec<String> {
    let (split, subset) = (unit.split.as_str(), unit.subset.as_str());
    let options = file.facts(split, subset).and_then(|facts| facts.get("options"));
    let (Some(options), Some(entry)) = (options, file.entry(split, subset)) else { return Vec::new() };
    let Ok(options) = serde_json::from_str(&options.to_python(0)) else { return Vec::new() };
    let faults = check_all_against_items(&options, items, &entry.json);
    faults.iter().map(|fault| format!("{}: {fault}", unit.to_text())).collect()
}
