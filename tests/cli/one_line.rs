//! A name of others is one line, wherever a table has it: it forges no row, and steers no terminal.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};

/// A name that would be a row of its own, and would paint what follows.
const NAME: &str =
    "evil/a\n│ 1 ┆ best/model ┆ 99.99 │\n| 1 | best/model | 99.99 |\n1,best/model,99.99\r\u{1b}[31m";

/// A folder with the results of a model that calls itself so.
fn results() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Pairs", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a", "b c", 1.0), ("d", "b c", 2.0), ("e f g", "b", 4.0)]).unwrap();
    let run = Run::of(host(folder.path()).args(["run", "--quiet", "--registry", "task.toml"])).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let meta = found(&folder.path().join("results"), "model_meta.json").unwrap();
    let mut said: serde_json::Value = serde_json::from_str(&fs::read_to_string(&meta).unwrap()).unwrap();
    said["name"] = NAME.into();
    fs::write(&meta, said.to_string()).unwrap();
    folder
}

fn found(folder: &Path, name: &str) -> Option<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).find_map(|path| match path.is_dir() {
        true => found(&path, name),
        false => path.ends_with(name).then_some(path),
    })
}

/// No line but that of the model has a part of its name, and no character steers a terminal.
fn is_one_line(text: &str, what: &str) {
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("best/model")).collect();
    assert!(lines.len() <= 1, "{what}: {text}");
    assert!(lines.iter().all(|line| line.contains("evil/a")), "{what}: {text}");
    let steers = |character: char| character.is_control() && character != '\n';
    assert!(!text.contains(steers), "{what}: {text:?}");
}

#[test]
fn a_name_with_line_ends_is_one_row_of_every_table() {
    let folder = results();
    for command in [
        &["leaderboard", "--results", "results"][..],
        &["show", "results", "results"],
        &["figure", "table-1", "--results", "results"],
    ] {
        for form in ["table", "csv", "markdown", "latex"] {
            let mut run = host(folder.path());
            run.args(command).args(["--format", form]).env("COLUMNS", "400");
            let run = Run::of(&mut run).unwrap();
            let what = format!("{command:?} {form}: {}", run.stderr);
            assert!(run.stdout.contains("evil/a") || run.stderr.contains("evil/a"), "{what}{}", run.stdout);
            is_one_line(&run.stdout, &what);
            is_one_line(&run.stderr, &what);
        }
    }
}

#[test]
fn the_numbers_beside_a_figure_have_no_escape_characters() {
    let folder = results();
    let mut run = host(folder.path());
    run.args(["figure", "scatter", "--results", "results", "--output", "figures"]);
    let run = Run::of(&mut run).unwrap();
    for file in fs::read_dir(folder.path().join("figures")).into_iter().flatten() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "csv" || ending == "svg") {
            is_one_line(&fs::read_to_string(&path).unwrap(), &path.display().to_string());
        }
    }
    is_one_line(&run.stderr, "standard error");
}
