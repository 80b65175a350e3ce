//! The files of results that are submitted: what their names and contents say of the model, and
//! whether each score of a unit, not only its main score, can be right by its experiments and its
//! outcomes.

use std::path::{Path, PathBuf};

use mteb_json::Json;
use mteb_results::folder_layout::{EXPERIMENTS, OUTCOMES, PREDICTIONS, RANKINGS, SUPERSEDED};
use mteb_results::{
    META, ResultFile, check_all_against_items, contradicted_measures, folder_name, read_json, unit_faults,
};
use mteb_tasks::Items;

use super::findings::Said;
use super::items::Submitted;

/// The result files below a folder: `MODEL/REVISION/TASK.json`, and those of experiments.
pub fn result_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(all) = mteb_data::files_below(folder) else { return Vec::new() };
    let is_result = |path: &&String| {
        let parts: Vec<&str> = path.split('/').collect();
        let last = parts.last().copied().unwrap_or_default();
        let is_beside =
            [SUPERSEDED, OUTCOMES, RANKINGS, PREDICTIONS].iter().any(|other| parts.contains(other));
        parts.len() >= 3 && last.ends_with(".json") && last != META && !is_beside
    };
    let mut files: Vec<PathBuf> = all.iter().filter(is_result).map(|path| folder.join(path)).collect();
    files.sort();
    files
}

/// What of the model's name and revision differs between a file, `model_meta.json` and the folders.
pub fn identity_faults(path: &Path, file: &ResultFile) -> Vec<String> {
    let mut faults = Vec::new();
    let Some(folder) = path.parent() else { return faults };
    let meta = match read_json(&folder.join(META)) {
        Ok(meta) => meta,
        Err(why) => return vec![format!("expected `model_meta.json` next to it: {why}")],
    };
    let said = |json: &Json, key: &str| json.get(key).and_then(Json::as_text).unwrap_or_default().to_owned();
    let [name, revision] = ["name", "revision"].map(|key| said(&meta, key));
    let is_experiment = path.components().any(|part| part.as_os_str() == EXPERIMENTS);
    let above = |levels: usize| {
        let folder = path.ancestors().nth(levels).and_then(Path::file_name);
        folder.unwrap_or_default().to_string_lossy().into_owned()
    };
    if !is_experiment && above(2) != folder_name(&name) {
        faults.push(format!(
            "expected a folder `{}`, as `model_meta.json` names the model {name}, found: {}",
            folder_name(&name),
            above(2)
        ));
    }
    let units = file
        .splits
        .iter()
        .flat_map(|split| split.entries.iter().map(move |entry| (&split.split, &entry.subset)));
    for (split, subset) in units {
        let Some(model) = file.model(split, subset) else { continue };
        let found = [("name", &name), ("revision", &revision)];
        let differs = found.iter().find(|(key, expected)| {
            model.get(key).and_then(Json::as_text).is_some_and(|found| found != expected.as_str())
        });
        if let Some((key, expected)) = differs {
            faults.push(format!(
                "split {split}, subset {subset}: expected the {key} {expected}, as in `model_meta.json`, found: {}",
                said(model, key)
            ));
        }
    }
    faults
}

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
