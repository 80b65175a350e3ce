//! `leaderboard`: who is ranked with whom; and the public results give the reference's own tables.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mteb_host_tests::{Run, absent, host, write_pair_card, write_pairs};
use serde_json::Value;

/// Writes the card and the data of a task of pairs, and gives the folder.
fn task(root: &Path, name: &str, score: f64) -> std::path::PathBuf {
    let folder = root.join(name);
    fs::create_dir_all(&folder).unwrap();
    write_pair_card(&folder, name, &["ind"]).unwrap();
    write_pairs(&folder, "ind", [("a b", "b c", 1.0), ("d e f", "d e", score), ("b c", "b", 2.0)]).unwrap();
    folder
}

/// Scores the task of `folder` with a model, below `<root>/results`.
fn score(root: &Path, folder: &Path, model: &str) {
    let mut command = host(root);
    command.args(["run", "--quiet", "--model", model, "--registry"]).arg(folder.join("task.toml"));
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

fn leaderboard(root: &Path, arguments: &[&str]) -> Run {
    Run::of(host(root).arg("leaderboard").args(arguments)).unwrap()
}

#[test]
fn without_a_filter_the_tasks_are_those_that_have_results_known_or_not() {
    let root = tempfile::tempdir().unwrap();
    score(root.path(), &task(root.path(), "MyOwn", 4.0), "hashing");
    let board = leaderboard(root.path(), &[]);
    assert_eq!(board.code, Some(0), "{}", board.stderr);
    assert!(board.stdout.contains("| 1 | mteb-host/hashing |"), "{}", board.stdout);
    let json = leaderboard(root.path(), &["--json"]).json().unwrap();
    assert!(json[0]["tasks"]["MyOwn"].is_number(), "{json}");
    let none = leaderboard(root.path(), &["--task", "SciFact"]);
    assert_eq!(none.code, Some(2), "{}", none.stdout);
    assert!(
        none.stderr.contains("expected results of these tasks in results, found none"),
        "{}",
        none.stderr
    );
}

#[test]
fn a_model_that_lacks_a_task_has_no_rank_and_what_it_lacks_is_named() {
    let root = tempfile::tempdir().unwrap();
    let (one, two) = (task(root.path(), "One", 4.0), task(root.path(), "Two", 3.0));
    score(root.path(), &one, "hashing");
    score(root.path(), &one, "random");
    score(root.path(), &two, "random");
    let board = leaderboard(root.path(), &[]);
    let rows: Vec<&str> = board.stdout.lines().collect();
    assert!(rows[0].ends_with("| Mean (1 in common) | Missing |"), "{}", board.stdout);
    assert!(rows[2].starts_with("| 1 | mteb/baseline-random-encoder |"), "{}", board.stdout);
    assert!(rows[3].starts_with("| – | mteb-host/hashing | – | – |"), "{}", board.stdout);
    assert!(rows[3].ends_with("| Two |"), "{}", board.stdout);
    assert!(board.stdout.contains("1 of 2 models have all 2 tasks"), "{}", board.stdout);
    let json = leaderboard(root.path(), &["--json"]).json().unwrap();
    assert_eq!(json[1]["missing"][0]["task"], "Two");
    assert_eq!(json[1]["rank"], Value::Null);
}

#[test]
fn a_task_of_ones_own_by_a_known_name_is_not_ranked_as_the_known_one() {
    let root = tempfile::tempdir().unwrap();
    score(root.path(), &task(root.path(), "STS12", 4.0), "hashing");
    let board = leaderboard(root.path(), &["--task", "STS12"]);
    assert_eq!(board.code, Some(2), "{}", board.stdout);
    let expected = "mteb-host/hashing, STS12: not counted: data of revision 1 instead of ";
    assert!(board.stderr.contains(expected), "{}", board.stderr);
}

#[test]
fn published_results_of_another_revision_of_the_data_count_as_in_the_reference_and_are_marked() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("results/org__published/abc");
    fs::create_dir_all(&folder).unwrap();
    let entry = serde_json::json!({
        "main_score": 0.5, "cosine_spearman": 0.5, "hf_subset": "default", "languages": ["eng-Latn"]
    });
    let file = serde_json::json!({
        "task_name": "STS12", "dataset_revision": "another", "mteb_version": "1.14.0",
        "scores": { "test": [entry] }, "evaluation_time": 1.0
    });
    fs::write(folder.join("STS12.json"), file.to_string()).unwrap();
    let board = leaderboard(root.path(), &[]);
    assert!(board.stdout.contains("| 1 | org/published † | 50.00 |"), "{}{}", board.stdout, board.stderr);
    assert!(
        board.stdout.contains("† may be from different data: org/published (STS12, data of revision another"),
        "{}",
        board.stdout
    );
}

#[test]
fn two_revisions_and_an_experiment_of_a_model_are_rows_of_their_own() {
    let root = tempfile::tempdir().unwrap();
    score(root.path(), &task(root.path(), "One", 4.0), "hashing");
    let model = root.path().join("results/mteb-host__hashing");
    for other in ["2", "1/experiments/similarity_dot"] {
        fs::create_dir_all(model.join(other)).unwrap();
        fs::copy(model.join("1/One.json"), model.join(other).join("One.json")).unwrap();
    }
    fs::copy(model.join("1/model_meta.json"), model.join("2/model_meta.json")).unwrap();
    let board = leaderboard(root.path(), &[]).stdout;
    for name in [" 1 ", " 2 ", " 1, experiment similarity_dot "] {
        assert!(board.contains(&format!("| mteb-host/hashing at{name}|")), "{name}: {board}");
    }
}

#[test]
fn scores_of_changed_data_do_not_meet_those_of_the_data_before() {
    let root = tempfile::tempdir().unwrap();
    let folder = task(root.path(), "Changing", 4.0);
    score(root.path(), &folder, "hashing");
    task(root.path(), "Changing", 0.5);
    score(root.path(), &folder, "random");
    let board = leaderboard(root.path(), &[]);
    let expected = "mteb-host/hashing, Changing: not counted: from other data or options than the newest result (data changed: ind/test.jsonl)\n";
    assert!(board.stderr.contains(expected), "{}", board.stderr);
    assert!(!board.stdout.contains("hashing"), "{}", board.stdout);
    assert!(board.stdout.contains("| 1 | mteb/baseline-random-encoder |"), "{}", board.stdout);
    score(root.path(), &folder, "hashing");
    let board = leaderboard(root.path(), &[]);
    assert!(!board.stderr.contains("not counted"), "{}", board.stderr);
    assert!(board.stdout.contains("hashing"), "{}", board.stdout);
}

#[test]
fn results_of_data_that_is_no_more_are_told_where_the_data_is_at_hand() {
    let root = tempfile::tempdir().unwrap();
    let folder = task(root.path(), "Changing", 4.0);
    score(root.path(), &folder, "hashing");
    let card = folder.join("task.toml").display().to_string();
    let commands = |more: &[&str]| {
        let run =
            |name: &str| Run::of(host(root.path()).arg(name).args(["--registry", &card]).args(more)).unwrap();
        ["leaderboard", "report"].map(run).map(|run| (run.code, run.stderr))
    };
    assert_eq!(commands(&[]), [(Some(0), String::new()), (Some(0), String::new())]);
    task(root.path(), "Changing", 0.5);
    let line = "warning: Changing: results are counted that are not from the current data (data changed: ";
    for (code, said) in commands(&[]) {
        assert_eq!(code, Some(0));
        assert!(said.starts_with(line) && said.lines().count() == 1, "{said}");
    }
    let board = leaderboard(root.path(), &["--registry", &card]).stdout;
    assert!(
        board.contains("† may be from different data") && board.contains("not from the current data"),
        "{board}"
    );
    let rows = leaderboard(root.path(), &["--registry", &card, "--json"]).json().unwrap();
    assert_eq!(rows[0]["other_data"][0]["counted"], true, "{rows}");
    let unnamed = leaderboard(root.path(), &[]).stderr;
    assert!(
        !unnamed.contains("not from the current data"),
        "without the card nobody knows where the data is"
    );
    score(root.path(), &folder, "hashing");
    assert_eq!(commands(&[])[0].1, "");
    fs::rename(folder.join("data/ind/test.jsonl"), folder.join("data/ind/uji.jsonl")).unwrap();
    let said = &commands(&[])[0].1;
    assert!(said.starts_with(line.trim_end_matches("data changed: ")) && said.contains("test"), "{said}");
    fs::remove_dir_all(folder.join("data")).unwrap();
    assert_eq!(commands(&[])[0].1, "", "a folder that is not here is not asked");
}

#[test]
fn a_model_whose_results_are_left_out_is_not_said_to_have_none() {
    let root = tempfile::tempdir().unwrap();
    let folder = task(root.path(), "Changing", 4.0);
    score(root.path(), &folder, "hashing");
    task(root.path(), "Changing", 0.5);
    score(root.path(), &folder, "random");
    let models = ["compare", "mteb-host/hashing", "mteb/baseline-random-encoder"];
    let run = Run::of(host(root.path()).args(models)).unwrap();
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("warning: mteb-host/hashing, Changing: not counted: from other data"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("found: mteb-host/hashing, whose results are left out"), "{}", run.stderr);
}

#[test]
fn a_file_of_many_subsets_is_read() {
    let root = tempfile::tempdir().unwrap();
    let folder = task(root.path(), "Many", 4.0);
    score(root.path(), &folder, "hashing");
    let file = root.path().join("results/mteb-host__hashing/1/Many.json");
    let mut result: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let entry = result["scores"]["test"][0].clone();
    let subset = |number: usize| {
        let mut entry = entry.clone();
        entry["hf_subset"] = format!("s{number}").into();
        entry
    };
    result["scores"]["test"] = (0..20_000).map(subset).collect();
    fs::write(&file, result.to_string()).unwrap();
    let found =
        Run::of(host(root.path()).args(["show", "results", "mteb-host/hashing", "--format", "csv"])).unwrap();
    assert_eq!(found.stdout.lines().count(), 1 + 20_000, "{}", found.stderr);
}

#[test]
fn results_of_another_card_or_of_data_that_a_lock_refuses_are_told() {
    let root = tempfile::tempdir().unwrap();
    let folder = task(root.path(), "Held", 4.0);
    let card = folder.join("task.toml");
    let run = |arguments: &[&str]| Run::of(host(root.path()).args(arguments).arg(&card)).unwrap();
    let locked = run(&["run", "--quiet", "--update-lock", "--registry"]);
    assert_eq!(locked.code, Some(0), "{}", locked.stderr);
    let said = || run(&["leaderboard", "--registry"]).stderr;
    assert_eq!(said(), "");
    let text = fs::read_to_string(&card).unwrap();
    fs::write(&card, format!("{text}[protocol]\nmax_score = 4\n")).unwrap();
    assert!(said().contains("(options changed: max_score); `run` scores it again"), "{}", said());
    fs::write(&card, text).unwrap();
    task(root.path(), "Held", 0.5);
    assert!(said().contains("are not from the current data (data changed: "), "{}", said());
}

#[test]
fn another_similarity_of_a_model_is_an_experiment_beside_it() {
    let root = tempfile::tempdir().unwrap();
    let folder = task(root.path(), "One", 4.0);
    score(root.path(), &folder, "hashing");
    let mut command = host(root.path());
    command.args(["run", "--quiet", "--model", "hashing", "--similarity", "dot", "--registry"]);
    assert_eq!(Run::of(command.arg(folder.join("task.toml"))).unwrap().code, Some(0));
    let board = leaderboard(root.path(), &[]);
    assert!(!board.stderr.contains("not counted"), "{}", board.stderr);
    for row in ["| mteb-host/hashing |", "| mteb-host/hashing, experiment similarity_dot |"] {
        assert!(board.stdout.contains(row), "{}", board.stdout);
    }
}

#[test]
fn a_task_is_shown_with_the_best_scores_that_are_known() {
    let root = tempfile::tempdir().unwrap();
    let folder = task(root.path(), "MyOwn", 4.0);
    score(root.path(), &folder, "hashing");
    score(root.path(), &folder, "random");
    let show = |more: &[&str]| {
        let run = Run::of(
            host(root.path()).args(["show", "task", "MyOwn", "--registry", "MyOwn/task.toml"]).args(more),
        );
        let run = run.unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run
    };
    let best = show(&["--json"]).json().unwrap()["best"].clone();
    let scores: Vec<f64> =
        best.as_array().unwrap().iter().map(|row| row["score"].as_f64().unwrap()).collect();
    assert!(scores.len() == 2 && scores[0] >= scores[1], "{best}");
    let text = show(&[]).stdout;
    let (_, lines) = text.split_once("\n# best scores in results:\n").unwrap();
    assert!(lines.contains("  mteb-host/hashing") && lines.lines().count() == 2, "{text}");
    // Without results there is the card alone.
    fs::rename(root.path().join("results"), root.path().join("elsewhere")).unwrap();
    assert!(!show(&[]).stdout.contains("best scores"));
    assert_eq!(show(&["--results", "elsewhere", "--json"]).json().unwrap()["best"], best);
}

/// Room for the order of additions.
const ROUNDING: f64 = 1e-9;

/// Facts in which the cards of this project are not those of the reference, and why.
const OTHERS: [(&str, &str, &str); 4] = [
    (
        "Cohere/Cohere-embed-multilingual-v3.0",
        "Embedding Dimensions",
        "its maker says 1,024, the reference 512",
    ),
    ("Cohere/Cohere-embed-multilingual-v3.0", "Max Tokens", "its maker says 512, the reference nothing"),
    ("Querit/Querit", "Embedding Dimensions", "a cross-encoder has none"),
    ("Querit/Querit-4B", "Embedding Dimensions", "a cross-encoder has none"),
];

type Rows = BTreeMap<String, BTreeMap<String, String>>;

#[test]
fn the_leaderboard_like_the_reference_is_the_reference_s() {
    let Some((shared, results)) = find_published() else { return };
    for (benchmark, golden, models) in
        [("MTEB(eng, v1)", "golden_mteb_eng_v1.csv", 308), ("MTEB(kor, v1)", "golden_mteb_kor_v1.csv", 165)]
    {
        let folder = tempfile::tempdir().unwrap();
        let arguments =
            ["leaderboard", "--like-reference", "--format", "csv", "--benchmark", benchmark, "--results"];
        let run = Run::of(host(folder.path()).args(arguments).arg(&results)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let found = rows(run.stdout.as_bytes());
        let expected = rows(&fs::read(shared.join(golden)).unwrap());
        assert_eq!((expected.len(), found.len()), (models, models));
        let differences: Vec<String> =
            expected.iter().flat_map(|(model, row)| differences(model, row, found.get(model))).collect();
        assert_eq!(differences, Vec::<String>::new(), "{benchmark}");
    }
}

fn differences(
    model: &str,
    expected: &BTreeMap<String, String>,
    found: Option<&BTreeMap<String, String>>,
) -> Vec<String> {
    let Some(found) = found else { return vec![format!("{model}: expected a row, found none")] };
    let is_other = |title: &str| OTHERS.iter().any(|other| (other.0, other.1) == (model, title));
    let columns = expected.iter().filter(|(title, _)| *title != "_experiment_id" && !is_other(title));
    columns
        .filter(|(title, expected)| {
            !is_equal(expected, found.get(*title).map_or("no column", String::as_str))
        })
        .map(|(title, expected)| {
            format!("{model}, {title}: expected {expected}, found {:?}", found.get(title))
        })
        .collect()
}

fn is_equal(expected: &str, found: &str) -> bool {
    match (expected.parse::<f64>(), found.parse::<f64>()) {
        (Ok(expected), Ok(found)) => (expected - found).abs() <= ROUNDING,
        _ => expected == found,
    }
}

/// Rows by their model.
fn rows(table: &[u8]) -> Rows {
    let mut reader = csv::Reader::from_reader(table);
    let titles = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| {
        let row: BTreeMap<String, String> =
            titles.iter().map(str::to_owned).zip(record.iter().map(str::to_owned)).collect();
        (row["Model"].clone(), row)
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// The folder of the developers' published results, and these unpacked into the folder of the build. `None`, after a line that
/// says so, where they are absent; a failure where they are absent and `CI` is `true`.
fn find_published() -> Option<(PathBuf, PathBuf)> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/published");
    let archive = shared.join("published.tar.xz");
    if !archive.is_file() {
        absent(format!("no {}", archive.display()));
        return None;
    }
    // Where the tests of tables unpack them too.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("published");
    if !folder.join("whole").exists() {
        fs::create_dir_all(&folder).unwrap();
        let unpacked = Command::new("tar").arg("xJf").arg(archive).arg("-C").arg(&folder).status();
        assert!(unpacked.unwrap().success());
        fs::write(folder.join("whole"), "").unwrap();
    }
    Some((shared, folder))
}
