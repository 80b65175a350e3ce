//! What people see: tables that fit the terminal, failures said once, numbers that agree with their words.

use std::fs;
use std::process::Command;

use mteb_host_tests::{Run, Terminal, host, write_pair_card, write_pairs};

fn list_benchmarks(columns: Option<&str>) -> Command {
    let folder = std::env::temp_dir();
    let mut command = host(&folder);
    command.args(["list", "benchmarks"]).env("TERM", "dumb").env_remove("COLUMNS");
    command.envs(columns.map(|columns| ("COLUMNS", columns)));
    command
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| without_colours(line).chars().count()).max().unwrap_or_default()
}

fn without_colours(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, shown)| shown))
}

#[test]
fn a_table_fits_the_terminal_and_a_pipe_gets_100_columns() {
    let (code, narrow) = Terminal::new(80).unwrap().run(&mut list_benchmarks(None)).unwrap();
    assert_eq!(code, Some(0));
    assert!(widest(&narrow) <= 80, "{narrow}");
    // Names stay whole; other columns go where there is no room.
    for name in ["MTEB(eng, v1)", "Indonesia-MTEB(MultilabelClassification)"] {
        assert!(narrow.contains(&format!("│ {name} ")), "{narrow}");
    }
    let whole = Run::of(&mut list_benchmarks(None)).unwrap().stdout;
    assert!((81..=100).contains(&widest(&whole)), "{whole}");
    let asked = Run::of(&mut list_benchmarks(Some("100"))).unwrap().stdout;
    assert!((81..=100).contains(&widest(&asked)), "{asked}");
}

#[test]
fn a_failure_is_said_once_and_one_task_is_no_1_tasks() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Once", &["ind", "jav"]).unwrap();
    write_pairs(folder.path(), "ind", [("a", "b", 1.0), ("a b", "b c", 2.0), ("c", "d", 3.0)]).unwrap();
    fs::create_dir_all(folder.path().join("data/jav")).unwrap();
    fs::write(folder.path().join("data/jav/test.jsonl"), "{\"sentence1\": \"torn").unwrap();
    let run =
        Run::of(host(folder.path()).args(["run", "--registry", "task.toml", "--model", "hashing"])).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let lines: Vec<&str> = run.stderr.lines().filter(|line| line.contains("subset jav")).collect();
    assert_eq!(lines.len(), 1, "{}", run.stderr);
    assert!(lines[0].starts_with("failed: Once, split test, subset jav: "), "{}", run.stderr);
    assert!(run.stderr.ends_with("1 unit failed, for the reasons above\n"), "{}", run.stderr);
    assert!(run.stdout.contains("1 of 2 units failed"), "{}", run.stdout);
}

#[test]
fn a_terminal_shows_the_units_of_a_run_and_a_pipe_gets_no_bars() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Bars", &["ind", "jav"]).unwrap();
    for subset in ["ind", "jav"] {
        write_pairs(folder.path(), subset, [("a", "b", 1.0), ("a b", "b c", 2.0), ("c", "d", 3.0)]).unwrap();
    }
    let command = || {
        let mut command = host(folder.path());
        command.args(["run", "--registry", "task.toml", "--model", "hashing", "--overwrite", "always"]);
        command.env_remove("COLUMNS");
        command
    };
    let (code, seen) = Terminal::new(100).unwrap().run(&mut command()).unwrap();
    assert_eq!(code, Some(0), "{seen}");
    assert!(seen.contains("/2 units"), "{seen:?}");
    let piped = Run::of(&mut command()).unwrap();
    assert_eq!(piped.stderr, "");
}
