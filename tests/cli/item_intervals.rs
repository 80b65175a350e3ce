//! What a mean of `leaderboard` and `report` is worth, where runs kept what single items came to.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host};
use serde_json::Value;

const HASHING: &str = "mteb-host/hashing";
const RANDOM: &str = "mteb/baseline-random-encoder";

/// A mean over items, a correlation, an average precision, experiments, a mean of F1.
const TASKS: [&str; 5] = [
    "IndonesianLawRetrieval",
    "IndonesianGeneralSTS",
    "IndonesianDuplicateQuestions",
    "IndonesianNewsClustering",
    "IndonesianSundaneseBitext",
];

fn run(folder: &Path, args: &[&str]) -> Run {
    let tasks = TASKS.iter().flat_map(|task| ["--task", task]);
    let run = Run::of(host(folder).args(args).args(tasks)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn both(folder: &Path) {
    for model in ["hashing", "random"] {
        run(folder, &["run", "--quiet", "--outcomes", "--model", model]);
    }
}

fn board(folder: &Path) -> (Value, Value, String) {
    let said = run(folder, &["leaderboard", "--json"]);
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
    let table = run(folder.path(), &["leaderboard", "--format", "csv"]).stdout;
    assert!(
        table.starts_with("Rank (Borda),Model,Tie group,Mean (Task),Low (items),High (items),"),
        "{table}"
    );
    let table = run(folder.path(), &["leaderboard", "--format", "markdown"]).stdout;
    let titles = "| Rank (Borda) | Model | Mean (Task) | Mean (TaskType) | Tie group | ";
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[0].starts_with(titles), "{table}");
    for (row, group) in [(rows[2], "1"), (rows[3], "2")] {
        assert_eq!(row.split('|').nth(5).map(str::trim), Some(group), "{table}");
    }
    run(folder.path(), &["report", "--output", "out"]);
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
    fs::remove_file(outcomes(folder.path(), TASKS[0])).unwrap();
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
    fs::write(outcomes(folder.path(), TASKS[1]), "PAR1").unwrap();
    let (hashing, random, said) = board(folder.path());
    assert!(
        said.contains("warning: results/") && said.contains("left out: expected a Parquet file"),
        "{said}"
    );
    assert_eq!(random["mean_task_interval_items"], Value::Null);
    assert_eq!(hashing["groups_and_ranks_over"], "tasks");
}
