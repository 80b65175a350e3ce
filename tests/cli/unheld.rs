//! Results of data of one's own on a board: what is held to it, what is not, and what is to be done.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};

/// Writes the card and the data of a task of pairs, and gives the card.
fn task(root: &Path, name: &str, score: f64) -> PathBuf {
    let folder = root.join(name);
    fs::create_dir_all(&folder).unwrap();
    write_pair_card(&folder, name, &["ind"]).unwrap();
    write_pairs(&folder, "ind", [("a b", "b c", 1.0), ("d e f", "d e", score), ("b c", "b", 2.0)]).unwrap();
    folder.join("task.toml")
}

fn of(root: &Path, arguments: &[&str]) -> Run {
    Run::of(host(root).args(arguments)).unwrap()
}

fn score(root: &Path, card: &Path, more: &[&str]) -> Run {
    let card = card.display().to_string();
    let run = of(root, &[&["run", "--quiet", "--registry", &card], more].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

#[test]
fn results_whose_card_is_not_named_are_said_to_be_held_to_nothing() {
    let root = tempfile::tempdir().unwrap();
    let (one, two) = (task(root.path(), "One", 4.0), task(root.path(), "Two", 4.0));
    for card in [&one, &two] {
        for model in ["hashing", "random"] {
            score(root.path(), card, &["--model", model]);
        }
    }
    let both = "One, Two: results are not checked against their current data, and every split and subset that \
                any of them has counts, because their cards were not named; name them with `--registry FILE`";
    for command in ["leaderboard", "report"] {
        assert_eq!(of(root.path(), &[command]).stderr, format!("warning: {both}\n"), "{command}");
    }
    let shown = of(root.path(), &["show", "results", "mteb-host/hashing"]);
    assert_eq!(shown.stderr, format!("warning: {both}\n"));
    let compared = of(root.path(), &["compare", "mteb-host/hashing", "mteb/baseline-random-encoder"]);
    let (beginning, _) = both.split_once('`').unwrap();
    assert!(compared.stdout.contains(&format!("Warning: {beginning}")), "{}", compared.stdout);
    let (one, two) = (one.display().to_string(), two.display().to_string());
    let named = of(root.path(), &["leaderboard", "--registry", &one, "--registry", &two]);
    assert_eq!((named.code, named.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_task_that_only_results_know_can_be_asked_for_and_is_suggested() {
    let root = tempfile::tempdir().unwrap();
    score(root.path(), &task(root.path(), "VnSTS", 4.0), &[]);
    score(root.path(), &task(root.path(), "VnNews", 4.0), &[]);
    let board = of(root.path(), &["leaderboard", "--task", "VnSTS", "--json"]);
    assert_eq!(board.code, Some(0), "{}", board.stderr);
    let tasks = board.json().unwrap()[0]["tasks"].clone();
    assert!(tasks["VnSTS"].is_number() && tasks.as_object().unwrap().len() == 1, "{tasks}");
    let both = of(root.path(), &["leaderboard", "--task", "VnSTS", "--task", "STS12", "--json"]);
    let tasks = both.json().unwrap()[0]["tasks"].clone();
    assert!(tasks["VnSTS"].is_number() && tasks["STS12"].is_null(), "{tasks}");
    let typo = of(root.path(), &["leaderboard", "--task", "VnSTSS"]);
    assert_eq!(typo.code, Some(2));
    let expected = "error: expected the name of a task, found: VnSTSS (near it: VnSTS";
    assert!(typo.stderr.starts_with(expected), "{}", typo.stderr);
}

#[test]
fn a_card_of_ones_own_by_a_known_name_is_asked_for() {
    let root = tempfile::tempdir().unwrap();
    score(root.path(), &task(root.path(), "STS12", 4.0), &[]);
    let board = of(root.path(), &["leaderboard"]);
    assert_eq!(board.code, Some(2));
    let expected =
        ", from a card of this name with local data; pass that card with `--registry FILE` to show it\n";
    assert!(board.stderr.contains(expected), "{}", board.stderr);
    let end =
        "found only results that do not count, for the reasons above; `mteb-host run` scores them again\n";
    assert!(board.stderr.ends_with(end), "{}", board.stderr);
}

#[test]
fn what_is_to_be_done_about_changed_data_that_is_locked_is_true() {
    let root = tempfile::tempdir().unwrap();
    let card = task(root.path(), "Held", 4.0);
    score(root.path(), &card, &["--update-lock"]);
    task(root.path(), "Held", 0.5);
    let file = card.display().to_string();
    let board = || of(root.path(), &["leaderboard", "--registry", &file]);
    let said = board();
    assert_eq!(said.code, Some(0));
    assert!(said.stderr.contains("test.jsonl is not that of "), "{}", said.stderr);
    let remedy = "; restore the earlier file, or accept the current one with `run --update-lock`, which scores \
                  it again\n";
    assert!(said.stderr.ends_with(remedy) && !said.stdout.contains("SHA-256"), "{}", said.stderr);
    assert_eq!(of(root.path(), &["run", "--quiet", "--registry", &file]).code, Some(1));
    score(root.path(), &card, &["--update-lock"]);
    assert_eq!(board().stderr, "");
    let lock = card.with_extension("lock.toml");
    fs::write(&lock, "broken").unwrap();
    let faults = of(root.path(), &["run", "--quiet", "--registry", &file]);
    let broken = board();
    assert_eq!((broken.code, &broken.stderr), (Some(2), &faults.stderr));
    assert!(broken.stderr.contains("expected a lock file, found another"), "{}", broken.stderr);
}

#[test]
fn results_of_the_data_of_now_are_not_stale_where_the_lock_is_of_before() {
    let root = tempfile::tempdir().unwrap();
    let card = task(root.path(), "Held", 4.0);
    score(root.path(), &card, &["--update-lock"]);
    let (lock, away) = (card.with_extension("lock.toml"), root.path().join("away"));
    fs::rename(&lock, &away).unwrap();
    task(root.path(), "Held", 0.5);
    score(root.path(), &card, &[]);
    fs::rename(&away, &lock).unwrap();
    let file = card.display().to_string();
    let board = of(root.path(), &["leaderboard", "--registry", &file]);
    let expected = "Held: results are from the current data, which is not in the lock: ";
    assert!(board.stderr.starts_with(&format!("warning: {expected}")), "{}", board.stderr);
    assert!(
        !board.stderr.contains("not from the current data") && !board.stdout.contains('†'),
        "{}",
        board.stdout
    );
    let taken = score(root.path(), &card, &["--update-lock"]);
    assert_eq!(taken.stderr, "", "nothing is scored again");
    assert_eq!(of(root.path(), &["leaderboard", "--registry", &file]).stderr, "");
}

#[test]
fn a_unit_that_the_card_has_lost_is_named_where_it_counts() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("News");
    fs::create_dir(&folder).unwrap();
    let write = |subsets: [&str; 2]| {
        write_pair_card(&folder, "News", &subsets).unwrap();
        for subset in subsets {
            write_pairs(&folder, subset, [("a b", "b c", 1.0), ("d e f", "d e", 4.0), ("b c", "b", 2.0)])
                .unwrap();
        }
        folder.join("task.toml")
    };
    score(root.path(), &write(["vie", "tay"]), &["--model", "hashing"]);
    score(root.path(), &write(["vie", "tyz"]), &["--model", "random"]);
    let board = of(root.path(), &["leaderboard", "--task", "News"]);
    assert!(board.stdout.contains("(1 of 3 units: split test, subset tay)"), "{}", board.stdout);
    let why = "For News, every unit that any model has counts, because no card says which units there are";
    assert!(board.stdout.replace('\n', " ").contains(why), "{}", board.stdout);
    let models = ["compare", "mteb-host/hashing", "mteb/baseline-random-encoder", "--task", "News"];
    let compared = of(root.path(), &models);
    assert_eq!(compared.code, Some(2));
    let lacks = "mteb-host/hashing lacks News (1 of 3 units: split test, subset tyz)";
    assert!(compared.stderr.contains(lacks), "{}", compared.stderr);
    assert!(compared.stderr.contains("pass the card with `--registry FILE`"), "{}", compared.stderr);
}

#[test]
fn where_a_card_is_given_its_data_decides_and_not_the_newest_result() {
    let root = tempfile::tempdir().unwrap();
    let (one, other) = (task(&root.path().join("x"), "Mine", 4.0), task(&root.path().join("y"), "Mine", 0.5));
    score(root.path(), &one, &["--model", "hashing"]);
    score(root.path(), &other, &["--model", "random"]);
    for (card, [counts, other]) in [
        (&one, ["mteb-host/hashing", "mteb/baseline-random-encoder"]),
        (&other, ["mteb/baseline-random-encoder", "mteb-host/hashing"]),
    ] {
        let card = card.display().to_string();
        let board = of(root.path(), &["leaderboard", "--registry", &card]);
        let said = format!(
            "warning: {other}, Mine: not counted: from other data or options than the current ones (data changed: \
             ind/test.jsonl)\n"
        );
        assert_eq!((board.code, board.stderr), (Some(0), said));
        assert!(board.stdout.contains(counts) && !board.stdout.contains('†'), "{}", board.stdout);
    }
}

/// A folder with the task `News`, its card in a folder of that name, scored with two models while it had the subsets `vie` and `tay`; now it
/// has `vie` alone.
fn with_a_lost_subset(folder: &Path) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    write_pair_card(folder, "News", &["vie", "tay"]).unwrap();
    for subset in ["vie", "tay"] {
        write_pairs(folder, subset, [("a b", "b c", 1.0), ("d e f", "d e", 4.0), ("b c", "b", 2.0)]).unwrap();
    }
    folder.join("task.toml")
}

#[test]
fn results_of_a_subset_that_the_card_has_lost_are_counted_in_a_line() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("News");
    let card = with_a_lost_subset(&folder);
    for model in ["hashing", "random"] {
        score(root.path(), &card, &["--model", model]);
    }
    let file = card.display().to_string();
    let board = |more: &[&str]| of(root.path(), &[&["leaderboard", "--registry", &file], more].concat());
    assert_eq!(board(&["--task", "News:vie"]).stderr, "", "what is not asked for is no stranger");
    write_pair_card(&folder, "News", &["vie"]).unwrap();
    let lost = "not counted: 2 results of splits and subsets that their tasks do not have: News, split test, subset tay";
    let said = board(&[]);
    assert_eq!((said.code, said.stderr), (Some(0), format!("warning: {lost}\n")));
    assert!(!board(&["--json"]).stdout.contains("tay"));
}

#[test]
fn results_are_held_to_a_card_that_lies_beside_them() {
    let root = tempfile::tempdir().unwrap();
    let card = with_a_lost_subset(root.path());
    score(root.path(), &card, &["--model", "hashing"]);
    let shown = || of(root.path(), &["show", "results", "hashing", "--json"]).stdout;
    assert_eq!(of(root.path(), &["leaderboard"]).stderr, "");
    assert!(shown().contains("tay"));
    write_pair_card(root.path(), "News", &["vie"]).unwrap();
    let lost = "not counted: 1 result of a split and subset that its task does not have: News, split test, subset tay";
    for command in [&["leaderboard"][..], &["leaderboard", "--task", "News"], &["report"]] {
        let said = of(root.path(), command);
        assert_eq!((said.code, said.stderr), (Some(0), format!("warning: {lost}\n")), "{command:?}");
    }
    assert!(!shown().contains("tay"), "{}", shown());
    let data = root.path().join("data/vie/test.jsonl");
    fs::write(&data, fs::read_to_string(&data).unwrap().replace("d e f", "d e")).unwrap();
    let stale = "News: results are counted that are not from the current data (data changed: vie/test.jsonl); \
                 `run` scores it again";
    assert!(of(root.path(), &["leaderboard"]).stderr.contains(stale));
    // Of two cards of one name nobody knows which is meant.
    let other = fs::read_to_string(&card).unwrap().replace("[dataset]", "[dataset]\nfirst_rows = 2");
    fs::write(root.path().join("other.toml"), other).unwrap();
    let said = of(root.path(), &["leaderboard"]).stderr;
    assert!(said.starts_with("warning: News: results are not checked against its current data, "), "{said}");
}

#[test]
fn a_score_by_another_main_score_than_that_of_the_card_does_not_count_and_is_no_damage() {
    let root = tempfile::tempdir().unwrap();
    let card = task(root.path(), "Own", 4.0);
    score(root.path(), &card, &["--model", "random"]);
    let text = fs::read_to_string(&card).unwrap();
    fs::write(&card, text.replacen("type = ", "main_score = \"pearson\"\ntype = ", 1)).unwrap();
    score(root.path(), &card, &["--model", "hashing"]);
    let file = card.display().to_string();
    let board = of(root.path(), &["leaderboard", "--registry", &file]);
    let expected = "mteb/baseline-random-encoder, Own: not counted: made with other options: its main score is \
                    cosine_spearman, that of the task is now pearson \
                    (results/mteb__baseline-random-encoder/2/Own.json); `run` scores it again";
    assert!(board.stderr.contains(expected), "{}", board.stderr);
    assert!(!board.stderr.contains("left out"), "{}", board.stderr);
    let models = ["compare", "mteb-host/hashing", "mteb/baseline-random-encoder", "--registry", &file];
    let compared = of(root.path(), &models);
    assert_eq!(compared.code, Some(2));
    assert!(compared.stderr.contains(expected), "{}", compared.stderr);
}
