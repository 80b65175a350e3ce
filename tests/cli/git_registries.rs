//! `--registry ADDRESS@COMMIT`: a registry of a git repository at one commit, fetched by the system's git, kept, and named in results.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host};
use serde_json::Value;

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
fn published() -> (tempfile::TempDir, String, String) {
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
    let (folder, address, hash) = published();
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
    let (folder, address, hash) = published();
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
    let (folder, address, hash) = published();
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
