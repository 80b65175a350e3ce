//! Registries in a folder, found by their names, and benchmarks of several of them.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};

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
