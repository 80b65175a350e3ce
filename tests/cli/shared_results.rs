//! `leaderboard`: which results stand in one row, and which rows a model has.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, faulty_plugin, host, trust, write_pair_card, write_pairs};

/// Writes cards of tasks of pairs beside each other, with their data.
fn tasks(root: &Path, names: &[&str]) {
    for name in names {
        let folder = root.join(name);
        fs::create_dir_all(&folder).unwrap();
        write_pair_card(&folder, name, &["ind"]).unwrap();
        let pairs = [("a b", "b c", 1.0), ("d e f", "d e", 4.0), ("b c", "b", 2.0), ("c", "c d", 2.5)];
        write_pairs(&folder, "ind", pairs).unwrap();
    }
}

/// Scores tasks with a model into a folder.
fn score(root: &Path, model: &str, names: &[&str], output: &str) {
    let mut command = host(root);
    command.args(["run", "--quiet", "--model", model, "--output-folder", output]);
    if root.join("plugins").is_dir() {
        command.args(["--plugin-dir", "plugins"]);
    }
    for name in names {
        command.args(["--registry", &format!("{name}/task.toml")]);
    }
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

fn leaderboard(root: &Path, arguments: &[&str]) -> Run {
    Run::of(host(root).arg("leaderboard").args(arguments)).unwrap()
}

/// The rows of the table, without its head.
fn rows(board: &Run) -> Vec<&str> {
    board.stdout.lines().skip(2).take_while(|line| line.starts_with('|')).collect()
}

/// The plugin `changing_model`, trusted; its model is called `changing`.
fn plugin(root: &Path) -> PathBuf {
    let library = faulty_plugin("changing_model", &root.join("plugins")).unwrap();
    trust(root, &root.join("plugins")).unwrap();
    library
}

/// The same plugin, as another build gives it.
fn build_anew(root: &Path, library: &Path) {
    let mut bytes = fs::read(library).unwrap();
    bytes.extend(b"built anew");
    fs::write(library, bytes).unwrap();
    trust(root, &root.join("plugins")).unwrap();
}

#[test]
fn results_of_two_builds_of_a_model_do_not_make_one_mean() {
    let root = tempfile::tempdir().unwrap();
    tasks(root.path(), &["One", "Two"]);
    let library = plugin(root.path());
    score(root.path(), "changing", &["One", "Two"], "results");
    build_anew(root.path(), &library);
    score(root.path(), "changing", &["One"], "results");
    let board = leaderboard(root.path(), &[]);
    let expected =
        "tests/changing, Two: not counted: from another state of the model than its newest result: plugin";
    assert!(board.stderr.contains(expected), "{}", board.stderr);
    assert!(rows(&board)[0].starts_with("| – | tests/changing | – |"), "{}", board.stdout);
    score(root.path(), "changing", &["Two"], "results");
    let board = leaderboard(root.path(), &[]);
    assert!(!board.stderr.contains("not counted"), "{}", board.stderr);
    assert!(rows(&board)[0].starts_with("| 1 | tests/changing |"), "{}", board.stdout);
}

#[test]
fn the_same_results_given_twice_are_one_row() {
    let root = tempfile::tempdir().unwrap();
    tasks(root.path(), &["One", "Two"]);
    score(root.path(), "hashing", &["One", "Two"], "mine");
    score(root.path(), "hashing", &["One", "Two"], "theirs");
    let once = leaderboard(root.path(), &["--results", "mine"]);
    let twice = leaderboard(root.path(), &["--results", "mine", "--results", "theirs"]);
    assert_eq!((twice.stdout, twice.stderr), (once.stdout, once.stderr));
}

#[test]
fn two_people_who_share_the_tasks_of_a_model_give_one_row() {
    let root = tempfile::tempdir().unwrap();
    tasks(root.path(), &["One", "Two", "Three"]);
    score(root.path(), "hashing", &["One", "Two"], "mine");
    score(root.path(), "hashing", &["Two", "Three"], "theirs");
    let board = leaderboard(root.path(), &["--results", "mine", "--results", "theirs"]);
    assert_eq!(rows(&board).len(), 1, "{}", board.stdout);
    assert!(rows(&board)[0].starts_with("| 1 | mteb-host/hashing |"), "{}", board.stdout);
}

/// The results of one task in the folders `mine` and `theirs`, by two builds of one plugin.
fn two_builds(root: &Path) {
    tasks(root, &["One"]);
    let library = plugin(root);
    score(root, "changing", &["One"], "mine");
    build_anew(root, &library);
    score(root, "changing", &["One"], "theirs");
}

#[test]
fn rows_of_one_model_whose_results_differ_name_their_folders() {
    let root = tempfile::tempdir().unwrap();
    two_builds(root.path());
    let board = leaderboard(root.path(), &["--results", "mine", "--results", "theirs"]);
    for folder in ["mine", "theirs"] {
        let expected = format!("| tests/changing in {folder}/tests__changing/1 |");
        assert!(board.stdout.contains(&expected), "{expected}: {}", board.stdout);
    }
}

#[test]
fn results_in_folders_within_the_folder_are_found() {
    let root = tempfile::tempdir().unwrap();
    tasks(root.path(), &["One"]);
    score(root.path(), "hashing", &["One"], "all/mine");
    score(root.path(), "random", &["One"], "all/theirs");
    let board = leaderboard(root.path(), &["--results", "all"]);
    assert_eq!((board.code, rows(&board).len()), (Some(0), 2), "{}", board.stderr);
}

#[test]
fn a_score_that_is_no_number_is_named_and_its_model_stays() {
    let root = tempfile::tempdir().unwrap();
    tasks(root.path(), &["Flat"]);
    let equal = [("a b", "b a", 3.0), ("a b", "b a", 2.0)];
    write_pairs(&root.path().join("Flat"), "ind", equal).unwrap();
    score(root.path(), "hashing", &["Flat"], "results");
    let board = leaderboard(root.path(), &[]);
    assert_eq!(board.code, Some(0), "{}", board.stderr);
    assert!(rows(&board)[0].starts_with("| – | mteb-host/hashing |"), "{}", board.stdout);
    assert!(rows(&board)[0].ends_with("| Flat (scored, but undefined) |"), "{}", board.stdout);
    let json = leaderboard(root.path(), &["--json"]).json().unwrap();
    assert_eq!(json[0]["missing"][0]["undefined"], 1, "{json}");
}

#[test]
fn a_mean_of_tasks_counts_until_one_of_them_is_scored_on_other_data() {
    let root = tempfile::tempdir().unwrap();
    tasks(root.path(), &["One"]);
    let folder = root.path().join("One");
    fs::rename(folder.join("task.toml"), folder.join("One.toml")).unwrap();
    let mean = "schema = 1\nname = \"Mean\"\ntype = \"STS\"\ndescription = \"The mean.\"\n\
                languages = [\"ind-Latn\"]\nmembers = [\"One\"]\n";
    fs::write(folder.join("Mean.toml"), mean).unwrap();
    let run = |card: &str| {
        let run = Run::of(host(root.path()).args(["run", "--quiet", "--registry", card])).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    };
    run("One/Mean.toml");
    let board = leaderboard(root.path(), &["--registry", "One/Mean.toml"]);
    assert_eq!(board.stderr, "");
    assert!(rows(&board)[0].starts_with("| 1 | mteb-host/hashing |"), "{}", board.stdout);
    write_pairs(&folder, "ind", [("a b", "b c", 1.0), ("d e f", "d e", 0.5), ("b c", "b", 2.0)]).unwrap();
    run("One/One.toml");
    let board = leaderboard(root.path(), &["--registry", "One/Mean.toml"]);
    let expected = "mteb-host/hashing, Mean: not counted: its member One was scored again since";
    assert!(board.stderr.contains(expected), "{}", board.stderr);
    run("One/Mean.toml");
    assert_eq!(leaderboard(root.path(), &["--registry", "One/Mean.toml"]).stderr, "");
}

#[test]
fn a_name_that_several_rows_have_is_answered_with_their_names() {
    let root = tempfile::tempdir().unwrap();
    two_builds(root.path());
    let arguments = ["--results", "mine", "--results", "theirs", "tests/changing", "tests/changing"];
    let compared = Run::of(host(root.path()).arg("compare").args(arguments)).unwrap();
    let expected = "expected the name of one row, found: tests/changing, which matches \
                    `tests/changing in mine/tests__changing/1`, `tests/changing in theirs/tests__changing/1`";
    assert_eq!(compared.code, Some(2), "{}", compared.stdout);
    assert!(compared.stderr.contains(expected), "{}", compared.stderr);
}
