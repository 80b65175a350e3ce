//! A registry takes single tasks of another one.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

/// What a command says of a registry with this line.
fn asked(folder: &Path, line: &str, arguments: &[&str]) -> Run {
    fs::write(folder.join("mine.toml"), format!("schema = 1\nname = \"mine\"\n{line}\n")).unwrap();
    Run::of(host(folder).args(arguments)).unwrap()
}

fn tasks(run: &Run) -> Vec<String> {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let found: Value = run.json().unwrap();
    let name = |task: &Value| task["name"].as_str().unwrap_or_else(|| panic!("{found}")).to_owned();
    found.as_array().unwrap().iter().map(name).collect()
}

const LIST: [&str; 5] = ["list", "tasks", "--registry", "mine.toml", "--json"];

#[test]
fn the_tasks_that_are_named_are_taken_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let line = "include = [{ registry = \"indonesia\", tasks = [\"IndonesianGeneralSTS\"] }]";
    assert_eq!(tasks(&asked(folder.path(), line, &LIST)), ["IndonesianGeneralSTS"]);
    let line =
        "include = [{ registry = \"mteb\", tasks = [\"STSBenchmark\", \"SciFact\"] }, \"indonesia@1\"]";
    let found = tasks(&asked(folder.path(), line, &LIST));
    assert!(found.contains(&"STSBenchmark".to_owned()) && found.contains(&"SciFact".to_owned()), "{found:?}");
    assert!(found.len() < 100, "{}: the rest of mteb is not there", found.len());
    let run = ["run", "--registry", "mine.toml", "--quiet", "--json"];
    let line = "include = [{ registry = \"indonesia\", tasks = [\"IndonesianGeneralSTS\"] }]";
    let done = asked(folder.path(), line, &run);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(done.json().unwrap()["tasks"][0]["task"], "IndonesianGeneralSTS");
}

#[test]
fn a_task_that_is_not_there_is_named_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let line = "include = [{ registry = \"indonesia\", tasks = [\"IndonesianGeneralST\"] }]";
    let refused = asked(folder.path(), line, &["validate", "mine.toml"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stdout);
    let said = format!("{}{}", refused.stdout, refused.stderr);
    assert!(
        said.contains("mine.toml:3:")
            && said.contains("expected a task of the registry indonesia, found: IndonesianGeneralST")
            && said.contains("IndonesianGeneralSTS"),
        "{said}"
    );
}
