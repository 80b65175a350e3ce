//! Files that are no regular files, and folders that are not ours.

use std::fs;
use std::os::unix::fs::PermissionsExt;
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
fn files_that_have_the_name_and_not_the_mark_of_ours_stay_and_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (short, long) = ("a".repeat(32), "a".repeat(64));
    let marked = [
        format!("tables/v1/{long}.table"),
        format!("tables/v1/stamps/{long}.json"),
        format!("embeddings/v1/{short}/{long}.rows"),
        format!("embeddings/v1/{short}/model.json"),
    ];
    let files = fill(&folder.path().join("mine"), &marked.each_ref().map(String::as_str));
    let stay = |command: &str| {
        for file in &files {
            assert_eq!(fs::read_to_string(file).ok().as_deref(), Some("mine"), "{command}: {file:?}");
        }
    };
    let cache =
        |command: &str| Run::of(host(folder.path()).args(["cache", command, "--cache-dir", "mine"])).unwrap();
    let verified = cache("verify");
    assert_eq!(verified.code, Some(1), "{}", verified.stderr);
    assert_eq!(verified.stderr.matches("found one without its mark").count(), 2, "{}", verified.stderr);
    stay("verify");
    let cleared = cache("clear");
    assert_eq!(cleared.code, Some(0), "{}", cleared.stderr);
    stay("clear");
    // Nor does a run remove one that makes room for its own.
    write_task(folder.path());
    let run = ["run", "--registry", "task.toml", "--model", "hashing", "--cache-dir", "mine"];
    let run = Run::of(host(folder.path()).args(run).args(["--cache-size", "1K", "--table-cache-size", "1K"]))
        .unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    stay("run");
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

/// What lies below `superseded/`, by its path there without the time, sorted.
fn list_superseded(results: &Path) -> Vec<(String, Vec<u8>)> {
    let (mut folders, mut found) = (vec![results.join("superseded")], Vec::new());
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let below = path.strip_prefix(results.join("superseded")).unwrap().display().to_string();
            let (name, time) = below.rsplit_once('-').unwrap();
            let ending = time.trim_start_matches(|digit: char| digit.is_ascii_digit());
            found.push((format!("{name}{ending}"), fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn files_of_others_in_the_places_of_ours_are_kept_aside_and_named() {
    const LAW: &str = "IndonesianLawRetrieval";
    let places = [
        format!("outcomes/{LAW}/test/default.parquet"),
        format!("rankings/{LAW}/test/default.trec.gz"),
        format!("predictions/{LAW}_predictions.json"),
        "model_meta.json".to_owned(),
    ];
    let other = r#"{"mteb_model_meta":{"model_name":"x","revision":"1"},"default":{"test":{"q":{"d":1.0}}}}"#;
    let all = &["--outcomes", "--rankings", "--predictions"][..];
    for (options, texts, is_left) in
        [(&[][..], ["mine"; 4], 2), (all, ["mine"; 4], 4), (all, ["mine", "mine", other, "[\"my list\"]"], 4)]
    {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("results/mteb-host__hashing/1");
        for (place, text) in places.iter().zip(texts) {
            fs::create_dir_all(results.join(place).parent().unwrap()).unwrap();
            fs::write(results.join(place), text).unwrap();
        }
        let mut run = host(folder.path());
        let run =
            Run::of(run.args(["run", "--quiet", "--task", LAW, "--model", "hashing"]).args(options)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        // What is not asked for is no place of predictions.
        let mut expected: Vec<(String, Vec<u8>)> = Vec::new();
        for (number, (place, text)) in places.iter().zip(texts).enumerate() {
            if number == 2 && is_left == 2 {
                assert_eq!(fs::read_to_string(results.join(place)).unwrap(), text);
                continue;
            }
            assert!(run.stderr.contains(&format!("{place}: expected ")), "{place}: {}", run.stderr);
            expected.push((place.clone(), text.into()));
        }
        expected.sort();
        assert_eq!(list_superseded(&results), expected, "{}", run.stderr);
        // What this program has left is replaced without a copy.
        let mut again = host(folder.path());
        again
            .args(["run", "--quiet", "--task", LAW, "--model", "hashing", "--overwrite", "always"])
            .args(options);
        assert_eq!(Run::of(&mut again).unwrap().code, Some(0));
        assert_eq!(list_superseded(&results), expected);
    }
}

#[test]
fn what_a_killed_writer_left_goes_and_a_file_of_the_users_with_such_a_name_stays() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results/mteb-host__hashing/1");
    let law = "IndonesianLawRetrieval";
    let folders = ["", "outcomes/x/test", "rankings/x/test", "predictions"]
        .map(|below| results.join(below.replace('x', law)));
    let report = folder.path().join("report");
    let mut own = Vec::new();
    let mut left = Vec::new();
    for folder in folders.iter().chain([&report]) {
        fs::create_dir_all(folder).unwrap();
        own.push(folder.join(".mteb-host-write-AAAAAAAAAAAAAAAA"));
        left.push(folder.join(".mteb-host-write-BBBBBBBBBBBBBBBB"));
    }
    own.iter().for_each(|file| fs::write(file, "precious").unwrap());
    for file in &left {
        fs::write(file, "half of a res").unwrap();
        // So are files of this program while they are being written.
        fs::set_permissions(file, fs::Permissions::from_mode(0o1600)).unwrap();
    }
    let run = |arguments: &[&str]| {
        let run = Run::of(host(folder.path()).args(arguments)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    };
    run(&[
        "run",
        "--quiet",
        "--task",
        law,
        "--model",
        "hashing",
        "--outcomes",
        "--rankings",
        "--predictions",
    ]);
    run(&["report"]);
    own.iter().for_each(|file| assert_eq!(fs::read_to_string(file).unwrap(), "precious", "{file:?}"));
    left.iter().for_each(|file| assert!(!file.exists(), "{file:?}"));
}

#[test]
fn pages_and_figures_replace_no_link_and_no_pipe() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path());
    let run = |arguments: &[&str]| Run::of(host(folder.path()).args(arguments)).unwrap();
    assert_eq!(run(&["run", "--registry", "task.toml"]).code, Some(0));
    let page = folder.path().join("report/report.html");
    fs::create_dir_all(page.parent().unwrap()).unwrap();
    fs::write(folder.path().join("own"), "mine").unwrap();
    std::os::unix::fs::symlink("../own", &page).unwrap();
    let said = run(&["report"]);
    let expected = "report/report.html: expected a regular file, found a link; move it away";
    assert!(said.code == Some(1) && said.stderr.contains(expected), "{:?} {}", said.code, said.stderr);
    fs::remove_file(&page).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&page).status().unwrap().success());
    let said = run(&["report"]);
    assert!(said.code == Some(1) && said.stderr.contains("found a pipe"), "{:?} {}", said.code, said.stderr);
    assert!(page.symlink_metadata().is_ok_and(|found| !found.is_file()));
    fs::remove_file(&page).unwrap();
    for _ in 0..2 {
        assert_eq!(run(&["report"]).code, Some(0));
    }
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
