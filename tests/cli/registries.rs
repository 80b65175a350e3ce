//! Registries in a folder, found by their names, benchmarks of several of them, and registries of a git
//! repository at one commit, which the system's git fetches and results name.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host};
use serde_json::Value;

/// Writes a registry `file` called `name` in the folder `regs`, with a task of its own and these further lines.
fn registry(root: &Path, (file, name): (&str, &str), lines: &str) {
    let cards = root.join("regs").join(format!("{file}-cards"));
    fs::create_dir_all(&cards).unwrap();
    let card = format!(
        "schema = 1\nname = \"{file}STS\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"vie-Latn\"]\n\
         [dataset]\npath = \"pairs.csv\"\n"
    );
    fs::write(cards.join(format!("{file}STS.toml")), card).unwrap();
    fs::write(cards.join("pairs.csv"), "sentence1,sentence2,score\na b,a b,5\na b,c d,0\na b,a c,3\n")
        .unwrap();
    let text = format!("schema = 1\nname = \"{name}\"\ncards = [\"{file}-cards\"]\n{lines}");
    fs::write(root.join(format!("regs/{file}.toml")), text).unwrap();
}

fn benchmark(name: &str, more: &str) -> String {
    format!("[[benchmark]]\nname = \"{name}\"\ntasks = [\"*\"]\n{more}")
}

fn of(root: &Path, arguments: &[&str]) -> Run {
    let mut command = host(root);
    Run::of(command.env("MTEB_HOST_REGISTRIES", root.join("regs")).args(arguments)).unwrap()
}

#[test]
fn a_registry_is_found_by_its_own_name_as_by_that_of_its_file() {
    let root = tempfile::tempdir().unwrap();
    registry(root.path(), ("foo", "dongduong"), "");
    for name in ["foo", "dongduong"] {
        let tasks = of(root.path(), &["list", "tasks", "--json", "--registry", name]);
        assert_eq!(tasks.json().unwrap()[0]["name"], "fooSTS", "{}", tasks.stderr);
        let valid = of(root.path(), &["validate", name]);
        assert_eq!((valid.code, valid.stderr.as_str()), (Some(0), ""));
    }
    let near = of(root.path(), &["run", "--registry", "dongduon"]).stderr;
    assert!(near.contains("found neither (near it: dongduong)"), "{near}");
    registry(root.path(), ("bar", "dongduong"), "");
    let two = of(root.path(), &["run", "--registry", "dongduong"]);
    assert_eq!(two.code, Some(2));
    let expected = "error: dongduong: expected the name of one registry, found that of ";
    assert!(two.stderr.starts_with(expected) && two.stderr.contains("bar.toml, "), "{}", two.stderr);
}

#[test]
fn names_that_registries_share_are_said_by_validate_as_by_run() {
    let root = tempfile::tempdir().unwrap();
    for file in ["aa", "vietnam", "zz"] {
        registry(root.path(), (file, "vietnam"), &benchmark("VN", ""));
    }
    let folder = of(root.path(), &["validate", "regs"]);
    assert_eq!(folder.code, Some(0), "{}", folder.stderr);
    for file in ["vietnam", "zz"] {
        let left_out = format!(
            "warning: regs/{file}.toml:5:8: benchmark VN: this one is ignored, that of regs/aa.toml is used\n"
        );
        assert!(folder.stderr.contains(&left_out), "{}", folder.stderr);
    }
    let same = "warning: regs/zz.toml:2:8: registry vietnam: expected a name that no other registry of the folder has, found that of \
                regs/aa.toml, regs/vietnam.toml; give each a name of its own\n";
    assert!(folder.stderr.contains(same), "{}", folder.stderr);
    let named = of(root.path(), &["validate", "vietnam"]).stderr;
    assert!(named.contains("vietnam.toml:2:8: registry vietnam: expected a name that no other"), "{named}");
    let run = of(root.path(), &["run", "--quiet", "--registry", "vietnam", "--benchmark", "VN"]);
    assert_eq!((run.code, run.stderr), (Some(0), named));
    let both = ["regs/aa.toml", "regs/zz.toml"];
    let validated = of(root.path(), &["validate", both[0], both[1]]).stderr;
    let run = of(
        root.path(),
        &["run", "--quiet", "--registry", both[0], "--registry", both[1], "--benchmark", "VN"],
    );
    assert_eq!((run.code, run.stderr), (Some(0), validated));
}

#[test]
fn an_alias_that_is_the_name_of_another_registry_s_benchmark_is_told_of() {
    let root = tempfile::tempdir().unwrap();
    registry(root.path(), ("lao", "lao"), &benchmark("Lao", "aliases = [\"SEA\"]\n"));
    registry(root.path(), ("sea", "sea"), &benchmark("SEA", ""));
    let expected = "warning: regs/lao.toml:7:11: benchmark Lao: its alias SEA leads to another benchmark: SEA \
                    of regs/sea.toml\n";
    assert_eq!(of(root.path(), &["validate", "regs"]).stderr, expected);
    let both = ["--registry", "regs/lao.toml", "--registry", "regs/sea.toml"];
    let run = of(root.path(), &[&["list", "tasks", "--benchmark", "SEA", "--json"][..], &both].concat());
    assert_eq!((run.json().unwrap()[0]["name"].as_str(), run.stderr.as_str()), (Some("seaSTS"), expected));
}

#[test]
fn a_benchmark_at_fault_is_said_at_its_place_whatever_is_asked_of_its_registry() {
    let root = tempfile::tempdir().unwrap();
    let lines = "include = [\"indonesia\"]\n[[benchmark]]\nname = \"B\"\ntasks = [\"ownSTS\", \"IndonesianGeneralSTSS\"]\n";
    registry(root.path(), ("own", "own"), lines);
    let place =
        "regs/own.toml:7:20: benchmark B: registry own has no task that matches: IndonesianGeneralSTSS";
    for command in [
        &["validate", "regs/own.toml"][..],
        &["validate", "--data", "--task", "ownSTS", "--registry", "regs/own.toml"],
        &["run", "--task", "ownSTS", "--registry", "regs/own.toml"],
        &["leaderboard", "--task", "ownSTS", "--registry", "regs/own.toml"],
        &["show", "benchmark", "B", "--registry", "regs/own.toml"],
    ] {
        let run = of(root.path(), command);
        assert_eq!(run.code, Some(2), "{command:?}: {}", run.stderr);
        assert!(run.stderr.starts_with(&format!("error: {place}")), "{command:?}: {}", run.stderr);
    }
    let unnamed = of(root.path(), &["show", "benchmark", "B"]);
    assert!(unnamed.stderr.contains("own.toml:7:20: benchmark B: "), "{}", unnamed.stderr);
}

#[test]
fn a_registry_that_is_included_and_not_there_is_named_with_others_than_the_one_that_asks() {
    let root = tempfile::tempdir().unwrap();
    registry(root.path(), ("bad", "bad"), "include = [\"indonesa\", \"badd\"]\n");
    let said = of(root.path(), &["validate", "regs/bad.toml"]).stderr;
    let first = "regs/bad.toml:4:12: indonesa: expected the name of a registry or a file, found neither (near it: indonesia";
    assert!(said.contains(first), "{said}");
    let second = "regs/bad.toml:4:24: badd: expected the name of a registry or a file, found neither";
    assert!(said.contains(second) && !said.contains("bad.toml)"), "{said}");
}

#[test]
fn tasks_of_two_editions_that_are_included_are_left_out_in_one_line() {
    let root = tempfile::tempdir().unwrap();
    registry(root.path(), ("both", "both"), "include = [\"indonesia\", \"indonesia@1\"]\n");
    let said = of(root.path(), &["validate", "regs/both.toml"]).stderr;
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains(" tasks of indonesia@1 are ignored, those of indonesia are used: "), "{said}");
}

const PAIRS: &str = "sentence1,sentence2,score\na b,a b,5\na b,c d,0\na b,a c,3\n";

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
    let run = Run::of(command.args(arguments)).unwrap();
    assert_eq!(run.code, Some(0), "git {arguments:?}: {}", run.stderr);
    run.stdout.trim().to_owned()
}

fn commit(folder: &Path) -> String {
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", "a commit"]);
    git(folder, &["rev-parse", "HEAD"])
}

/// A folder with a repository of one registry in `repository`; its address, and its commit.
fn publish_registry() -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let repository = folder.path().join("repository");
    fs::create_dir_all(repository.join("data")).unwrap();
    git(&repository, &["init", "--quiet", "--initial-branch=main"]);
    let card = "schema = 1\nname = \"Pairs\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"data\"\n";
    fs::write(repository.join("Pairs.toml"), card).unwrap();
    fs::write(repository.join("desa.toml"), "schema = 1\nname = \"desa\"\ncards = [\"Pairs.toml\"]\n")
        .unwrap();
    fs::write(repository.join("data/test.csv"), PAIRS).unwrap();
    // What git would run if it were asked to check files out, or had hooks of the repository.
    fs::create_dir_all(repository.join(".githooks")).unwrap();
    fs::write(repository.join(".githooks/post-checkout"), "#!/bin/sh\ntouch hooked\n").unwrap();
    let hash = commit(&repository);
    let address = format!("git+file://{}", repository.canonicalize().unwrap().display());
    (folder, address, hash)
}

fn run(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

fn facts(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("results/mteb-host__hashing/1/Pairs.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    file["mteb_host"]["units"]["test"]["default"].clone()
}

#[test]
fn tasks_of_a_commit_are_scored_named_in_results_and_kept_for_later() {
    let (folder, address, hash) = publish_registry();
    let (at, repository) = (format!("{address}@{hash}"), folder.path().join("repository"));
    let first = run(folder.path(), &["run", "--quiet", "--registry", &at]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    assert!(first.stderr.contains(&format!("fetching registry {at}")), "{}", first.stderr);
    assert_eq!(facts(folder.path())["registry"], at.as_str());
    // Another commit changes the data; the first stays what it was, without the repository, and offline.
    fs::write(repository.join("data/test.csv"), PAIRS.replace("c d,0", "c d,1")).unwrap();
    let second = commit(&repository);
    let other = run(folder.path(), &["run", "--quiet", "--registry", &format!("{address}@{second}")]);
    assert_eq!(other.code, Some(0), "{}", other.stderr);
    assert_eq!(facts(folder.path())["registry"], format!("{address}@{second}").as_str());
    let cached = run(folder.path(), &["list", "tasks", "--offline", "--json", "--registry", &at]);
    assert_eq!((cached.code, cached.stderr.as_str()), (Some(0), ""));
    assert!(cached.stdout.contains("Pairs"));
    let never = format!("{address}@{}", "0".repeat(40));
    let absent = run(folder.path(), &["list", "tasks", "--offline", "--registry", &never]);
    assert_eq!(absent.code, Some(2));
    assert!(absent.stderr.contains("because nothing is downloaded offline, found none"), "{}", absent.stderr);
    let checked = run(folder.path(), &["validate", &at]);
    assert_eq!(checked.code, Some(0), "{}", checked.stderr);
}

#[test]
fn a_branch_is_answered_with_its_commit_and_other_addresses_are_refused() {
    let (folder, address, hash) = publish_registry();
    let refused = |registry: &str| {
        let run = run(folder.path(), &["list", "tasks", "--registry", registry]);
        assert_eq!(run.code, Some(2), "{registry}: {}", run.stdout);
        run.stderr
    };
    let said = refused(&format!("{address}@main"));
    assert!(said.contains(&format!("now it is `{address}@{hash}`")), "{said}");
    assert!(refused(&address).contains(&format!("now it is `{address}@{hash}`")));
    assert!(refused("ext::sh -c touch% hacked").contains("expected a git address"));
    assert!(!folder.path().join("hacked").exists());
    assert!(refused("https://me:secret@example.org/a@main").contains("without a user's name and password"));
    let mut without_git = host(folder.path());
    without_git.env("PATH", folder.path()).args([
        "list",
        "tasks",
        "--registry",
        &format!("{address}@{hash}"),
    ]);
    let without_git = Run::of(&mut without_git).unwrap();
    assert_eq!(without_git.code, Some(2));
    assert!(without_git.stderr.contains("expected the program `git`"), "{}", without_git.stderr);
    // No file that somebody gives on reaches a network by itself.
    fs::write(
        folder.path().join("mine.toml"),
        format!("schema = 1\nname = \"mine\"\ninclude = [\"{address}@{hash}\"]\n"),
    )
    .unwrap();
    assert!(refused("mine.toml").contains("which the command line alone may name"));
    fs::write(folder.path().join("mteb-host.toml"), format!("registry = [\"{address}@{hash}\"]\n")).unwrap();
    let said = run(folder.path(), &["list", "tasks"]);
    assert_ne!(said.code, Some(0));
    assert!(said.stderr.contains("expected a registry that needs no network"), "{}", said.stderr);
}

#[test]
fn the_lock_and_the_cards_of_a_commit_are_not_written() {
    let (folder, address, hash) = publish_registry();
    let at = format!("{address}@{hash}");
    let locked = run(folder.path(), &["run", "--quiet", "--registry", &at, "--update-lock"]);
    assert_eq!(locked.code, Some(0), "{}", locked.stderr);
    assert!(locked.stderr.contains("skips registries of a commit"), "{}", locked.stderr);
    let expected = run(folder.path(), &["run", "--quiet", "--registry", &at, "--write-expected"]);
    assert_eq!(expected.code, Some(1));
    assert!(expected.stderr.contains("found one of a commit"), "{}", expected.stderr);
    assert_eq!(
        run(folder.path(), &["list", "tasks", "--registry", &at]).code,
        Some(0),
        "nothing has changed"
    );
}
