//! Whether the files of tasks with data of the user's own are there; none is opened.

use std::collections::BTreeSet;
use std::sync::Arc;

use mteb_hub::NoReport;
use mteb_registry::{Fault, TaskEntry, data_path, fault_in, faults_in};
use mteb_workers::settings::Settings;

use super::SourceError;
use super::datasets::{DatasetPlace, Datasets};
use super::layout::{UnitOf, place_in_file};
use super::own_data::found_places;

/// A fault for each split and subset of the `tasks`, and of their members, whose files are not
/// there: at the subset in its card, in the words of a run that misses them. A card whose `path`
/// leads nowhere has that fault alone, which its check tells of.
pub fn absent_files(tasks: &[Arc<TaskEntry>], settings: &Settings) -> Vec<Fault> {
    let mut datasets = Datasets::new(settings.clone(), Arc::new(NoReport));
    let all = tasks.iter().flat_map(|task| task.members.iter().chain([task]));
    let own = all.filter(|task| task.card.dataset.path.is_some() && task.card.unsupported.is_none());
    let mut faults = BTreeSet::new();
    for task in own.filter(|task| data_path(task).is_ok()) {
        let dataset = match datasets.find(task) {
            Ok(DatasetPlace::Folder(dataset)) => dataset,
            Ok(DatasetPlace::File(path)) => {
                let units =
                    task.card.units().map(|(split, subset)| UnitOf { card: &task.card, split, subset });
                faults.extend(units.filter_map(|unit| place_in_file(task, &path, unit).err()));
                continue;
            }
            Ok(DatasetPlace::Pack) => continue,
            Err(error) => {
                faults.insert(fault_in(&task.origin, &["dataset", "path"], error.to_string()).of_data());
                continue;
            }
        };
        let absent = task.card.units().filter_map(|(split, subset)| {
            let error = found_places(&dataset.folder, UnitOf { card: &task.card, split, subset }).err()?;
            let is_named = task.card.subset(subset).is_some();
            let place = if is_named { ["subsets", subset] } else { ["dataset", "path"] };
            Some((place, format!("split {split}, subset {subset}: {}", SourceError::from(error))))
        });
        faults.extend(faults_in(&task.origin, absent).into_iter().map(Fault::of_data));
    }
    faults.into_iter().collect()
}
