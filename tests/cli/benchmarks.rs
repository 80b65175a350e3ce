//! What a benchmark lacks, names twice, or has the name of.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};

/// A registry `mine` with the tasks A and B and with a benchmark of these lines.
fn registry(benchmark: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("cards")).unwrap();
    for name in ["A", "B"] {
        let card = format!(
            "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
             [dataset]\npath = \"pairs.csv\"\n"
        );
        fs::write(folder.path().join(format!("cards/{name}.toml")), card).unwrap();
    }
    fs::write(
        folder.path().join("cards/pairs.csv"),
        "sentence1,sentence2,score\na b,a b,5\na b,c d,0\na b,a c,3\n",
    )
    .unwrap();
    let text = format!("schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n[[benchmark]]\n{benchmark}");
    fs::write(folder.path().join("mine.toml"), text).unwrap();
    folder
}

fn of(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

#[test]
fn a_mean_without_absent_tasks_is_told_of() {
    let folder = registry("name = \"M\"\ntasks = [\"A\", \"B\"]\nabsent = [\"Foo\"]\n");
    let expected = "warning: mine.toml: benchmark M: no mean here is that of the benchmark, of which this task is not there: Foo\n";
    for command in ["run", "leaderboard"] {
        let run = of(folder.path(), &[command, "--registry", "mine.toml", "--benchmark", "M"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(run.stderr, expected, "{command}");
    }
    let one = of(folder.path(), &["run", "--registry", "mine.toml", "--task", "A"]);
    assert_eq!(one.stderr, "");
}

#[test]
fn what_a_benchmark_says_of_tasks_is_so() {
    let said = |benchmark: &str| of(registry(benchmark).path(), &["validate", "mine.toml"]).stderr;
    let absent = said("name = \"M\"\ntasks = [\"A\"]\nabsent = [\"B\"]\n");
    let expected = "error: mine.toml:7:11: benchmark M: expected the name of a task that no card describes, found one that has a card: B; name it under `tasks`\n";
    assert!(absent.starts_with(expected), "{absent}");
    let twice = said("name = \"M\"\ntasks = [\"A\", \"A\"]\n");
    assert!(
        twice.starts_with("error: mine.toml:6:15: benchmark M: expected each task once, found twice: A\n"),
        "{twice}"
    );
}

#[test]
fn a_name_of_the_host_is_warned_about() {
    let folder = registry("name = \"MTEB(eng, v2)\"\naliases = [\"BEIR\"]\ntasks = [\"A\"]\n");
    let said = |benchmark: &str| {
        format!(
            "warning: mine.toml: benchmark MTEB(eng, v2): {benchmark} is a name of the host's, too; its means are not those of that one, give it a name of its own\n"
        )
    };
    let both = said("MTEB(eng, v2)") + &said("BEIR");
    let validated = of(folder.path(), &["validate", "mine.toml"]);
    assert_eq!((validated.code, validated.stderr.as_str()), (Some(0), &*both));
    let run = of(folder.path(), &["run", "--registry", "mine.toml", "--benchmark", "BEIR"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), &*both));
}

#[test]
fn another_name_of_a_benchmark_is_suggested_too() {
    let folder = registry("name = \"M\"\naliases = [\"Viet one\"]\ntasks = [\"A\"]\n");
    let run = of(folder.path(), &["list", "tasks", "--registry", "mine.toml", "--benchmark", "viet one"]);
    assert!(run.stderr.contains("found: viet one (near it: Viet one"), "{}", run.stderr);
}

#[test]
fn languages_of_the_subset_that_was_named_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = ["list", "tasks", "--task", "NusaX-senti:ind", "--language", "jav"];
    let run = of(folder.path(), &tasks);
    let expected = "error: task NusaX-senti: expected one that fits `--language jav`, found: ind-Latn; leave out the task or the option\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), expected));
}

#[test]
fn the_registries_of_the_host_have_no_fault_and_name_no_successor_that_nobody_knows() {
    let folder = tempfile::tempdir().unwrap();
    for registry in ["mteb", "mteb-eng-v1", "graded", "indonesia", "indonesia-hub", "indonesia-graded"] {
        let run = Run::of(host(folder.path()).args(["validate", registry])).unwrap();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{registry}");
    }
}
