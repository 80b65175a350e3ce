//! Checks of each score of a submitted unit, not only of its main score: by its experiments, and by its outcomes.

use std::path::Path;

use mteb_results::{ResultFile, check_all_against_items, contradicted_measures, unit_faults};
use mteb_tasks::Items;

use super::submitted::Submitted;

/// What cannot be right of the units of the `file` at `path`, by what stands in it, a line each.
pub fn faults_in_file(path: &Path, file: &ResultFile) -> Vec<String> {
    let mut lines: Vec<String> =
        unit_faults(file).iter().map(|fault| format!("{}: {fault}", path.display())).collect();
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
    faults.iter().map(|fault| format!("{}: {fault}", unit.shown())).collect()
}

/// True if one of the lines `said` of files says what a board says of a unit or a file it leaves out.
pub fn is_said<'a>(line: &str, mut said: impl Iterator<Item = &'a String>) -> bool {
    let Some((place, fault)) = line.split_once(": left out: ") else { return false };
    let of_file = format!("{place}: {fault}");
    let unit = place.find(", split ").map(|start| &place[start + 2..]);
    let of_unit = unit.map(|unit| format!(": {unit}: {fault}"));
    said.any(|said| *said == of_file || of_unit.as_ref().is_some_and(|end| said.ends_with(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_was_said_to_have_is_not_said_again_of_the_board() {
        let said = ["results/a/1/T.json: split test, subset b: expected one entry, found two".to_owned()];
        let line = "a, T, split test, subset b: left out: expected one entry, found two";
        assert!(is_said(line, said.iter()));
        assert!(!is_said(&line.replace("subset b", "subset c"), said.iter()));
        let of_file = "results/a/1/T.json: left out: split test, subset b: expected one entry, found two";
        assert!(is_said(of_file, said.iter()));
    }
}
