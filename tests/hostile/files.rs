//! Files that are no regular files, and folders that are not ours.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, faulty_plugin, host, trust, write_pair_card, write_pairs};

/// Files of the user below the folder that is given as cache, each with a name that looks like one of ours.
const IN_CACHE: [&str; 12] = [
    "notes",
    "doctor",
    ".write-notes",
    "workers/staff.ods",
    "workers/alice/contract.txt",
    "workers/worker-alice/contract.txt",
    "plugins/library.so",
    "embeddings/v1/mine.rows",
    "embeddings/v1/mine/old.rows",
    "embeddings/v1/mine/.tmp-thesis",
    "tables/v1/mine.table",
    "tables/v1/stamps/letters.json",
];

#[test]
fn a_folder_of_the_users_that_is_given_as_cache_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path());
    faulty_plugin("faulty_model", &folder.path().join("plugins")).unwrap();
    trust(folder.path(), &folder.path().join("plugins")).unwrap();
    let files = fill(&folder.path().join("mine"), &IN_CACHE);
    for arguments in [
        &["doctor", "--offline"][..],
        &["plugins", "list"],
        &[
            "run",
            "--registry",
            "task.toml",
            "--cache-size",
            "1K",
            "--plugin-dir",
            "plugins",
            "--model",
            "faulty",
        ],
        &["cache", "verify"],
        &["cache", "clear"],
    ] {
        let run = Run::of(host(folder.path()).args(arguments).args(["--cache-dir", "mine"])).unwrap();
        assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
        for file in &files {
            let text = fs::read_to_string(file).unwrap_or_else(|_| panic!("{arguments:?} removed {file:?}"));
            assert_eq!(text, "mine");
        }
    }
}

#[test]
fn files_of_the_users_beside_results_stay() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path());
    let run =
        || Run::of(host(folder.path()).args(["run", "--registry", "task.toml", "--overwrite", "always"]));
    assert_eq!(run().unwrap().code, Some(0));
    let results = result_folder(folder.path());
    let files = fill(&results, &[".write-notes", ".write-abc123"]);
    assert_eq!(run().unwrap().code, Some(0));
    files.iter().for_each(|file| assert!(file.exists(), "{file:?}"));
}

fn write_task(folder: &Path) {
    write_pair_card(folder, "Pairs", &["ind"]).unwrap();
    write_pairs(folder, "ind", [("a", "b c", 1.0), ("b", "b c", 2.0), ("d e f", "b c", 4.0)]).unwrap();
}

fn fill(folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    let files: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    for file in &files {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "mine").unwrap();
    }
    files
}

/// The folder of the only model's only revision.
fn result_folder(folder: &Path) -> PathBuf {
    let only = |folder: PathBuf| fs::read_dir(folder).unwrap().flatten().next().unwrap().path();
    only(only(folder.join("results")))
}
