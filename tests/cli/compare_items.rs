//! Single items, where runs kept what queries, pairs and texts came to: `compare` over them, and what a mean
//! of `leaderboard` and `report` is worth.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};
use serde_json::{Value, json};

const HASHING: &str = "mteb-host/hashing";
const RANDOM: &str = "mteb/baseline-random-encoder";

/// A task of each type with what its items are, and the measure that is compared.
const TASKS: [(&str, &str, &str); 11] = [
    ("IndonesianDuplicateQuestions", "pairs", "max_ap"),
    ("IndonesianEmotions", "texts", "lrap"),
    ("IndonesianGeneralSTS", "pairs", "cosine_spearman"),
    ("IndonesianHowToReranking", "queries", "map_at_1000"),
    ("IndonesianInstructionRetrieval", "queries", "p-MRR"),
    ("IndonesianLawRetrieval", "queries", "ndcg_at_10"),
    ("IndonesianNewsClustering", "experiments", "v_measure"),
    ("IndonesianNewsSummary", "documents", "cosine_spearman"),
    ("IndonesianNewsTopic", "texts", "accuracy"),
    ("IndonesianReviewSentiment", "texts", "accuracy"),
    ("IndonesianSundaneseBitext", "sentences", "f1"),
];

fn run_model(folder: &Path, model: &str, tasks: &[&str], more: &[&str]) {
    let tasks = tasks.iter().flat_map(|task| ["--task", task]);
    let run =
        Run::of(host(folder).args(["run", "--quiet", "--model", model]).args(tasks).args(more)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

fn compare(folder: &Path, more: &[&str]) -> Run {
    let run = Run::of(host(folder).args(["compare", HASHING, RANDOM]).args(more)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("expected a number, found {value}"))
}

/// Each measure over the items of both models is that of their results, to the digits that these have.
#[test]
fn every_type_of_task_is_compared_over_its_items() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<&str> = TASKS.iter().map(|(name, _, _)| *name).collect();
    for model in ["hashing", "random"] {
        run_model(folder.path(), model, &names, &["--outcomes"]);
    }
    let found = compare(folder.path(), &["--json"]).json().unwrap();
    assert_eq!(found["warnings"], Value::Array(Vec::new()));
    assert_eq!(found["tasks"].as_array().unwrap().len(), TASKS.len());
    for (name, kind, measure) in TASKS {
        let task = found["tasks"].as_array().unwrap().iter().find(|task| task["task"] == name).unwrap();
        for unit in task["units"].as_array().unwrap() {
            let items = &unit["items"];
            assert_eq!((&items["kind"], &items["measure"]), (&kind.into(), &measure.into()), "{name}");
            for model in [0, 1] {
                let difference = number(&items["scores"][model]) - number(&unit["scores"][model]);
                assert!(difference.abs() < 1e-4, "{name}: {unit}");
            }
            let (low, high) = (number(&items["interval"][0]), number(&items["interval"][1]));
            let difference = number(&items["difference"]);
            assert!(low <= difference && difference <= high && low < high, "{name}: {items}");
            assert!((0.0..=1.0).contains(&number(&items["p_value"])) && number(&items["p_value"]) > 0.0);
            let changed = items["changed"].as_array().unwrap();
            assert!((1..=5).contains(&changed.len()), "{name}: {items}");
            for item in changed {
                assert!(item["text"].is_string() == (kind != "experiments"), "{name}: {item}");
                assert!(item["scores"][0] != item["scores"][1], "{name}: {item}");
            }
        }
    }
}

#[test]
fn the_items_that_changed_most_are_shown_with_their_texts() {
    let folder = tempfile::tempdir().unwrap();
    for model in ["hashing", "random"] {
        run_model(folder.path(), model, &["IndonesianLawRetrieval"], &["--outcomes"]);
    }
    let shown = compare(folder.path(), &[]).stdout;
    let found = compare(folder.path(), &["--json"]).json().unwrap();
    let item = &found["tasks"][0]["units"][0]["items"]["changed"][0];
    let (id, text) = (item["id"].as_str().unwrap(), item["text"].as_str().unwrap());
    assert!(
        shown.contains("Queries of IndonesianLawRetrieval whose scores differ most (ndcg_at_10):"),
        "{shown}"
    );
    let start: String = text.chars().take(40).collect();
    assert!(
        shown.lines().any(|line| line.contains(&format!("| {id} |")) && line.contains(&start)),
        "{shown}"
    );
    assert!(shown.contains("## Single items"), "{shown}");
}

#[test]
fn texts_of_data_that_is_not_that_of_the_scores_are_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Own", &["ind"]).unwrap();
    let rows = |first: &'static str| [(first, "b c", 1.0), ("d e f", "d e", 4.0), ("b c", "b", 2.0)];
    write_pairs(folder.path(), "ind", rows("a b")).unwrap();
    for model in ["hashing", "random"] {
        let args = ["run", "--quiet", "--model", model, "--outcomes", "--registry", "task.toml"];
        assert_eq!(Run::of(host(folder.path()).args(args)).unwrap().code, Some(0));
    }
    let found = || compare(folder.path(), &["--json", "--registry", "task.toml"]).json().unwrap();
    let texts = |found: &Value| -> Vec<Value> {
        let changed = found["tasks"][0]["units"][0]["items"]["changed"].as_array().unwrap();
        changed.iter().map(|item| item["text"].clone()).collect()
    };
    let before = found();
    assert!(texts(&before).iter().all(Value::is_string) && before["warnings"] == json!([]), "{before}");
    write_pairs(folder.path(), "ind", rows("lain sama sekali")).unwrap();
    let after = found();
    assert!(texts(&after).iter().all(Value::is_null), "{after}");
    let warnings: Vec<&str> =
        after["warnings"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let start = "Own, split test, subset ind: texts are not shown, for the data is not that of the scores (data changed: ";
    assert!(warnings.iter().any(|warning| warning.starts_with(start)), "{warnings:?}");
}

#[test]
fn outcomes_that_one_run_did_not_keep_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    run_model(folder.path(), "hashing", &["IndonesianGeneralSTS"], &["--outcomes"]);
    run_model(folder.path(), "random", &["IndonesianGeneralSTS"], &[]);
    let found = compare(folder.path(), &["--json"]).json().unwrap();
    assert_eq!(
        found["warnings"][0],
        format!(
            "1 split and subset has no outcomes of {RANDOM}; run it with `--outcomes` to compare single items"
        )
    );
    assert!(found["tasks"][0]["units"][0]["items"].is_null());
}

#[test]
fn outcomes_that_are_damaged_or_of_something_else_are_named_and_left_out() {
    const TASK: &str = "IndonesianGeneralSTS";
    let folder = tempfile::tempdir().unwrap();
    for model in ["hashing", "random"] {
        run_model(folder.path(), model, &[TASK, "IndonesianHeadlineSTS"], &["--outcomes"]);
    }
    let place = |model: &str, task: &str| format!("results/{model}/outcomes/{task}/test/default.parquet");
    let hashing = folder.path().join(place("mteb-host__hashing/1", TASK));
    let whole = fs::read(&hashing).unwrap();
    let mut changed = whole.clone();
    changed[whole.len() / 3] ^= 1;
    let random = fs::read(folder.path().join(place("mteb__baseline-random-encoder/2", TASK))).unwrap();
    let other_task =
        fs::read(folder.path().join(place("mteb-host__hashing/1", "IndonesianHeadlineSTS"))).unwrap();
    for (bytes, why) in [
        (&whole[..whole.len() / 2], "expected a Parquet file of outcomes, found it damaged or truncated: "),
        (&changed, "expected a Parquet file of outcomes, found it damaged or truncated: "),
        (&random, "made from different inputs than the result next to it; run again with `--outcomes`"),
        (&other_task, "made from different inputs than the result next to it; run again with `--outcomes`"),
    ] {
        fs::write(&hashing, bytes).unwrap();
        let found = compare(folder.path(), &["--json", "--task", TASK]).json().unwrap();
        let warning = found["warnings"][0].as_str().unwrap();
        let start = format!("{}: left out: {why}", place("mteb-host__hashing/1", TASK));
        assert!(warning.starts_with(&start), "{warning}");
        assert!(found["tasks"][0]["units"][0]["items"].is_null());
    }
}

#[test]
fn what_differs_between_two_results_is_named() {
    let folder = tempfile::tempdir().unwrap();
    run_model(folder.path(), "hashing", &["IndonesianLawRetrieval"], &["--outcomes"]);
    run_model(folder.path(), "hashing", &["IndonesianLawRetrieval"], &["--outcomes", "--dimensions", "32"]);
    let args = ["compare", HASHING, "mteb-host/hashing, experiment embed_dim_32", "--json"];
    let run = Run::of(host(folder.path()).args(args)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let found = run.json().unwrap();
    let differs: Vec<&str> = found["differs"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(differs.contains(&"options as usual and embed_dim_32"), "{differs:?}");
    assert!(
        differs.iter().any(|line| line.starts_with("dimension ") && line.ends_with(" and 32")),
        "{differs:?}"
    );
    assert!(number(&found["tasks"][0]["units"][0]["items"]["items"]) > 10.0);
}

/// A mean over items, a correlation, an average precision, experiments, a mean of F1.
const TASKS_OF_INTERVALS: [&str; 5] = [
    "IndonesianLawRetrieval",
    "IndonesianGeneralSTS",
    "IndonesianDuplicateQuestions",
    "IndonesianNewsClustering",
    "IndonesianSundaneseBitext",
];

fn run_tasks(folder: &Path, args: &[&str]) -> Run {
    let tasks = TASKS_OF_INTERVALS.iter().flat_map(|task| ["--task", task]);
    let run = Run::of(host(folder).args(args).args(tasks)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn both(folder: &Path) {
    for model in ["hashing", "random"] {
        run_tasks(folder, &["run", "--quiet", "--outcomes", "--model", model]);
    }
}

fn board(folder: &Path) -> (Value, Value, String) {
    let said = run_tasks(folder, &["leaderboard", "--json"]);
    let rows = said.json().unwrap();
    let row = |name: &str| rows.as_array().unwrap().iter().find(|row| row["model"] == name).unwrap().clone();
    (row(HASHING), row(RANDOM), said.stderr)
}

fn ends(interval: &Value) -> (f64, f64) {
    let end = |place: usize| interval[place].as_f64().unwrap_or_else(|| panic!("no interval: {interval}"));
    (end(0), end(1))
}

/// The outcomes of a task of the random baseline.
fn outcomes(folder: &Path, task: &str) -> PathBuf {
    let model = folder.join("results/mteb__baseline-random-encoder");
    let revision = fs::read_dir(model).unwrap().next().unwrap().unwrap().path();
    let unit = fs::read_dir(revision.join("outcomes").join(task).join("test")).unwrap().next().unwrap();
    unit.unwrap().path()
}

#[test]
fn items_tell_models_apart_where_tasks_are_too_few() {
    let folder = tempfile::tempdir().unwrap();
    both(folder.path());
    let (hashing, random, said) = board(folder.path());
    assert_eq!(said, "");
    for row in [&hashing, &random] {
        assert_eq!(row["groups_and_ranks_over"], "items", "{row}");
        let (mean, tasks) = (row["mean_task"].as_f64().unwrap(), ends(&row["mean_task_interval"]));
        let items = ends(&row["mean_task_interval_items"]);
        assert!(items.0 < mean && mean < items.1 && tasks.0 < mean && mean < tasks.1, "{row}");
        // Tasks differ far more than the items of one.
        assert!(items.1 - items.0 < tasks.1 - tasks.0, "{row}");
    }
    // Five tasks would put both into one group.
    assert_eq!((&hashing["tie_group"], &random["tie_group"]), (&1.into(), &2.into()));
    assert_eq!(hashing["rank_interval"], serde_json::json!([1, 1]));
    let table = run_tasks(folder.path(), &["leaderboard", "--format", "csv"]).stdout;
    assert!(
        table.starts_with("Rank (Borda),Model,Tie group,Mean (Task),Low (items),High (items),"),
        "{table}"
    );
    let table = run_tasks(folder.path(), &["leaderboard", "--format", "markdown"]).stdout;
    let titles = "| Rank (Borda) | Model | Mean (Task) | Mean (TaskType) | Tie group | ";
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[0].starts_with(titles), "{table}");
    for (row, group) in [(rows[2], "1"), (rows[3], "2")] {
        assert_eq!(row.split('|').nth(5).map(str::trim), Some(group), "{table}");
    }
    run_tasks(folder.path(), &["report", "--output", "out"]);
    let page = fs::read_dir(folder.path().join("out")).unwrap().next().unwrap().unwrap().path();
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("\"over\":\"items\""), "the column says what it is over");
    assert!(page.contains("An interval covers the variance between items"));
}

#[test]
fn tasks_are_the_units_where_one_model_lacks_outcomes() {
    let folder = tempfile::tempdir().unwrap();
    both(folder.path());
    let whole = board(folder.path()).0;
    fs::remove_file(outcomes(folder.path(), TASKS_OF_INTERVALS[0])).unwrap();
    let (hashing, random, said) = board(folder.path());
    assert_eq!((said.as_str(), &random["mean_task_interval_items"]), ("", &Value::Null));
    assert_eq!(hashing["mean_task_interval_items"], whole["mean_task_interval_items"]);
    for row in [&hashing, &random] {
        assert_eq!((&row["groups_and_ranks_over"], &row["tie_group"]), (&"tasks".into(), &1.into()));
    }
}

#[test]
fn damaged_outcomes_are_named_and_counted_for_nothing() {
    let folder = tempfile::tempdir().unwrap();
    both(folder.path());
    fs::write(outcomes(folder.path(), TASKS_OF_INTERVALS[1]), "PAR1").unwrap();
    let (hashing, random, said) = board(folder.path());
    assert!(
        said.contains("warning: results/") && said.contains("left out: expected a Parquet file"),
        "{said}"
    );
    assert_eq!(random["mean_task_interval_items"], Value::Null);
    assert_eq!(hashing["groups_and_ranks_over"], "tasks");
}
