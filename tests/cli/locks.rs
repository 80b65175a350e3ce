//! `--update-lock`: which file an entry of a lock is, and what several runs at once take in.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};

const PAIRS: &str = "sentence1,sentence2,score\na b,a b,5\na b,c d,0\na b,a c,3\n";

/// A card whose data is the folder that it lies in.
fn write_task(folder: &Path, name: &str, pairs: &str) {
    fs::create_dir_all(folder).unwrap();
    let card = format!(
        "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
         [dataset]\npath = \".\"\n"
    );
    fs::write(folder.join(format!("{name}.toml")), card).unwrap();
    fs::write(folder.join("test.csv"), pairs).unwrap();
}

fn run(folder: &Path, more: &[&str]) -> Run {
    let args = ["run", "--registry", "mine.toml", "--quiet", "--overwrite", "always"];
    Run::of(host(folder).args(args).args(more)).unwrap()
}

#[test]
fn cards_whose_data_is_their_own_folder_have_entries_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    write_task(&folder.path().join("one"), "One", PAIRS);
    write_task(&folder.path().join("two"), "Two", &PAIRS.replace("c d,0", "c d,1"));
    fs::write(folder.path().join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"one\", \"two\"]\n")
        .unwrap();
    let first = run(folder.path(), &["--update-lock"]);
    assert_eq!((first.code, first.stderr.as_str()), (Some(0), ""));
    let lock = fs::read_to_string(folder.path().join("mine.lock.toml")).unwrap();
    let datasets: Vec<&str> = lock.lines().filter(|line| line.starts_with("dataset")).collect();
    assert_eq!(datasets, ["dataset = \"./one\"", "dataset = \"./two\""]);
    let again = run(folder.path(), &[]);
    assert_eq!((again.code, again.stderr.as_str()), (Some(0), ""));
    fs::write(folder.path().join("one/test.csv"), PAIRS.replace("c d,0", "c d,1")).unwrap();
    let changed = run(folder.path(), &[]);
    assert_eq!(changed.code, Some(1));
    assert!(changed.stderr.contains("one/test.csv: expected the SHA-256 "), "{}", changed.stderr);
}

#[test]
fn a_lock_of_before_that_names_the_path_as_the_card_does_is_still_held_to() {
    let folder = locked_one();
    let lock = folder.path().join("mine.lock.toml");
    let of_before = fs::read_to_string(&lock).unwrap().replace("\"./one\"", "\".\"");
    fs::write(&lock, of_before).unwrap();
    assert_eq!(run(folder.path(), &[]).code, Some(0));
    fs::write(folder.path().join("one/test.csv"), PAIRS.replace("c d,0", "c d,1")).unwrap();
    assert_eq!(run(folder.path(), &[]).code, Some(1));
}

#[test]
fn runs_at_the_same_time_lose_no_entry_of_the_lock() {
    const RUNS: usize = 8;
    let folder = tempfile::tempdir().unwrap();
    for number in 0..RUNS {
        write_task(&folder.path().join(format!("cards/{number}")), &format!("T{number}"), PAIRS);
    }
    fs::write(folder.path().join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n").unwrap();
    // The caches and results are made before, so that the runs meet at the lock.
    assert_eq!(run(folder.path(), &[]).code, Some(0));
    let started: Vec<_> = (0..RUNS)
        .map(|number| {
            let (task, results) = (format!("T{number}"), format!("results-{number}"));
            let mut command = host(folder.path());
            command.args(["run", "--registry", "mine.toml", "--quiet", "--update-lock", "--task", &task]);
            command.args(["--output-folder", &results]).spawn().unwrap()
        })
        .collect();
    for mut process in started {
        assert!(process.wait().unwrap().success());
    }
    let lock = fs::read_to_string(folder.path().join("mine.lock.toml")).unwrap();
    assert_eq!(lock.matches("[[file]]").count(), RUNS, "{lock}");
}

#[test]
fn tasks_of_an_included_registry_of_the_host_are_scored_while_the_own_lock_is_written() {
    let folder = tempfile::tempdir().unwrap();
    write_task(&folder.path().join("one"), "One", PAIRS);
    let registry = "schema = 1\nname = \"mine\"\ncards = [\"one\"]\ninclude = [\"mteb-eng-v1\"]\n";
    fs::write(folder.path().join("mine.toml"), registry).unwrap();
    let hub =
        folder.path().join("hub/datasets/mteb/stsbenchmark-sts/b0fddb56ed78048fa8b90373c8a3cfc37b684831");
    fs::create_dir_all(&hub).unwrap();
    fs::write(hub.join("test.csv"), PAIRS).unwrap();
    let both = ["--task", "One", "--task", "STSBenchmark", "--hub-dir", "hub", "--update-lock"];
    let run = run(folder.path(), &both);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    insta::assert_snapshot!(run.stderr, @"warning: `--update-lock` skips registries that come with mteb-host: registries/mteb-eng-v1.toml; to lock one, pass a copy of its file with `--registry FILE`");
    let lock = fs::read_to_string(folder.path().join("mine.lock.toml")).unwrap();
    assert_eq!(lock.matches("[[file]]").count(), 1, "{lock}");
}

#[test]
fn a_lock_that_is_none_is_a_fault_of_its_registry_until_it_is_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    write_task(&folder.path().join("one"), "One", PAIRS);
    fs::write(folder.path().join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"one\"]\n").unwrap();
    let lock = folder.path().join("mine.lock.toml");
    const HEAD: &str = "# Checksums of the data files. Written by `mteb-host run --update-lock`.";
    fs::write(&lock, format!("{HEAD}\nx")).unwrap();
    let refused = run(folder.path(), &[]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.starts_with("error: mine.lock.toml:2:2: expected a lock file, found another: "));
    assert!(
        refused.stderr.ends_with("; write it again with `--update-lock`, or remove it\n"),
        "{}",
        refused.stderr
    );
    let validate = Run::of(host(folder.path()).args(["validate", "mine.toml"])).unwrap();
    assert_eq!(validate.code, Some(2));
    assert!(validate.stderr.starts_with(&refused.stderr), "{}", validate.stderr);
    let anew = run(folder.path(), &["--update-lock"]);
    assert_eq!((anew.code, anew.stderr.as_str()), (Some(0), ""));
    assert!(fs::read_to_string(&lock).unwrap().contains("dataset = \"./one\""));
    fs::write(&lock, "notes = \"of mine\"\n").unwrap();
    let foreign = run(folder.path(), &["--update-lock"]);
    assert_eq!(foreign.code, Some(2));
    assert!(foreign.stderr.contains("expected a lock file, found another: "), "{}", foreign.stderr);
    assert!(foreign.stderr.contains("; move it away"), "{}", foreign.stderr);
    assert_eq!(fs::read_to_string(&lock).unwrap(), "notes = \"of mine\"\n", "what others wrote stays");
}

#[test]
fn a_local_file_that_is_gone_leaves_the_lock_when_it_is_updated() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one", "two"] {
        write_task(&folder.path().join(name), if name == "one" { "One" } else { "Two" }, PAIRS);
    }
    fs::write(folder.path().join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"one\", \"two\"]\n")
        .unwrap();
    assert_eq!(run(folder.path(), &["--update-lock"]).code, Some(0));
    fs::rename(folder.path().join("one/test.csv"), folder.path().join("one/test-a.csv")).unwrap();
    assert_eq!(run(folder.path(), &["--update-lock", "--task", "One"]).code, Some(0));
    let lock = fs::read_to_string(folder.path().join("mine.lock.toml")).unwrap();
    let paths: Vec<&str> = lock.lines().filter(|line| line.starts_with("path")).collect();
    assert_eq!(paths, ["path = \"test-a.csv\"", "path = \"test.csv\""], "that of the other task stays");
}

/// A registry with the task One, locked.
fn locked_one() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_task(&folder.path().join("one"), "One", PAIRS);
    fs::write(folder.path().join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"one\"]\n").unwrap();
    assert_eq!(run(folder.path(), &["--update-lock"]).code, Some(0));
    folder
}

/// A registry with the tasks One and Two, locked.
fn lock_registry() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_task(&folder.path().join("one"), "One", PAIRS);
    write_task(&folder.path().join("two"), "Two", PAIRS);
    fs::write(folder.path().join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"one\", \"two\"]\n")
        .unwrap();
    assert_eq!(run(folder.path(), &["--update-lock"]).code, Some(0));
    folder
}

fn of(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

/// The card of One reads another folder, as after a move.
fn move_data(folder: &Path) {
    fs::create_dir(folder.join("one/moved")).unwrap();
    fs::rename(folder.join("one/test.csv"), folder.join("one/moved/test.csv")).unwrap();
    let card = folder.join("one/One.toml");
    let text = fs::read_to_string(&card).unwrap();
    fs::write(&card, text.replace("path = \".\"", "path = \"moved\"")).unwrap();
}

#[test]
fn a_file_that_is_read_and_is_not_in_the_lock_is_told_of() {
    let folder = lock_registry();
    assert_eq!(run(folder.path(), &[]).stderr, "");
    move_data(folder.path());
    let expected = "warning: mine.lock.toml: 1 data file that was read is not in the lock: one/moved/test.csv; \
                    add it with `run --update-lock`\n";
    let scored = run(folder.path(), &[]);
    assert_eq!((scored.code, scored.stderr.as_str()), (Some(0), expected));
    let again = of(folder.path(), &["run", "--registry", "mine.toml", "--quiet"]);
    assert_eq!(again.stderr, expected, "where the result is there already, too");
    let data = of(folder.path(), &["validate", "--data", "--registry", "mine.toml"]);
    assert_eq!((data.code, data.stderr.as_str()), (Some(0), expected));
    assert_eq!(run(folder.path(), &["--update-lock"]).stderr, "");
    assert_eq!(run(folder.path(), &[]).stderr, "");
}

#[test]
fn an_entry_that_no_card_uses_is_told_of_and_leaves_the_lock_when_it_is_updated() {
    let folder = lock_registry();
    assert_eq!(of(folder.path(), &["validate", "mine.toml"]).stderr, "");
    fs::create_dir(folder.path().join("one/moved")).unwrap();
    fs::copy(folder.path().join("one/test.csv"), folder.path().join("one/moved/test.csv")).unwrap();
    let card = folder.path().join("one/One.toml");
    let text = fs::read_to_string(&card).unwrap().replace("path = \".\"", "path = \"moved\"");
    fs::write(&card, text).unwrap();
    let expected = "warning: mine.lock.toml: 1 data file is named that no card of the registry reads any more: \
                    one/test.csv; `run --update-lock` removes it\n";
    for what in ["mine.toml", "."] {
        let validated = of(folder.path(), &["validate", what]);
        assert_eq!(validated.code, Some(0));
        assert_eq!(validated.stderr.replace("./mine", "mine"), expected, "{what}");
    }
    assert_eq!(run(folder.path(), &["--update-lock", "--task", "One"]).code, Some(0));
    let lock = fs::read_to_string(folder.path().join("mine.lock.toml")).unwrap();
    let datasets: Vec<&str> = lock.lines().filter(|line| line.starts_with("dataset")).collect();
    assert_eq!(
        datasets,
        ["dataset = \"./one/moved\"", "dataset = \"./two\""],
        "that of the other task stays"
    );
    assert_eq!(of(folder.path(), &["validate", "mine.toml"]).stderr, "");
}

#[test]
fn a_checksum_in_capitals_is_the_same() {
    let folder = locked_one();
    let lock = folder.path().join("mine.lock.toml");
    let text = fs::read_to_string(&lock).unwrap();
    let hash = text.split("sha256 = \"").nth(1).unwrap().split('"').next().unwrap();
    fs::write(&lock, text.replace(hash, &hash.to_uppercase())).unwrap();
    let again = run(folder.path(), &[]);
    assert_eq!((again.code, again.stderr.as_str()), (Some(0), ""));
    fs::write(folder.path().join("one/test.csv"), PAIRS.replace("c d,0", "c d,1")).unwrap();
    assert_eq!(run(folder.path(), &[]).code, Some(1));
}
