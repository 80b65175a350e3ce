//! Every published file is read; the index gives the same again.

use std::fs;

use mteb_report::reading::{Checks, Collection, Options, read};

use crate::facts::Fixture;
use crate::shared::published;

pub fn collection() -> Option<Collection> {
    collection_with(Checks::Nothing)
}

/// The published files, read for the main scores of the benchmarks.
pub fn collection_with(checks: Checks) -> Option<Collection> {
    let main_scores = Fixture::read().main_scores();
    let main_score = |task: &str| main_scores.get(task).cloned();
    let options = Options { index: None, checks, wanted: &|_| true, main_score: &main_score };
    Some(read(&[published()?], &options).unwrap())
}

#[test]
fn no_published_file_is_left_out_whatever_its_age() {
    let Some(collection) = collection() else { return };
    assert_eq!(collection.left_out, []);
    let files = || collection.folders.iter().flat_map(|folder| &folder.files);
    assert_eq!(files().count(), 14_851);
    assert!(files().filter(|file| file.is_historic).count() >= 861);
}

#[test]
fn the_index_gives_what_the_files_gave_and_sees_a_file_that_changed() {
    let root = tempfile::tempdir().unwrap();
    let (results, index) = (root.path().join("results"), root.path().join("index"));
    let folder = results.join("a__b/1");
    fs::create_dir_all(&folder).unwrap();
    let write = |task: &str, score: f64| {
        let text = format!(
            r#"{{"dataset_revision": "r", "task_name": "{task}", "mteb_version": "2.0.0", "evaluation_time": 1,
                "scores": {{"test": [{{"hf_subset": "default", "languages": [], "main_score": {score}}}]}}}}"#
        );
        fs::write(folder.join(format!("{task}.json")), text).unwrap();
    };
    write("One", 0.25);
    write("Two", 0.5);
    let options =
        Options { index: Some(index), checks: Checks::Nothing, wanted: &|_| true, main_score: &|_| None };
    let scores = || {
        let collection = read(std::slice::from_ref(&results), &options).unwrap();
        let files = collection.folders.iter().flat_map(|folder| folder.files.clone());
        files.map(|file| file.entries[0].main_score.unwrap()).collect::<Vec<f64>>()
    };
    assert_eq!(scores(), [0.25, 0.5]);
    assert_eq!(scores(), [0.25, 0.5]);
    write("Two", 0.75);
    assert_eq!(scores(), [0.25, 0.75]);
    fs::remove_file(folder.join("One.json")).unwrap();
    assert_eq!(scores(), [0.75]);
    for file in fs::read_dir(root.path().join("index")).unwrap() {
        fs::write(file.unwrap().path(), "damaged").unwrap();
    }
    assert_eq!(scores(), [0.75]);
}
