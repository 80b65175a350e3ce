//! One TOML file adds a task, and a registry includes single tasks of another one.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

#[test]
fn a_card_beside_its_data_is_a_task() {
    let folder = tempfile::tempdir().unwrap();
    let card = "schema = 1\nname = \"MySTS\"\ntype = \"STS\"\ndescription = \"Mine.\"\nlanguages = [\"ind-Latn\"]\n\
                [dataset]\npath = \"pairs.csv\"\ncolumns = { sentence1 = \"kiri\", sentence2 = \"kanan\", score = \"nilai\" }\n";
    fs::write(folder.path().join("my-sts.toml"), card).unwrap();
    let pairs = "kiri,kanan,nilai\nHarga beras naik.,\"Beras makin mahal, katanya.\",4\nHarga beras naik.,Hujan turun.,0\n\
                 Ia pergi ke pasar.,Dia ke pasar.,4.5\n";
    fs::write(folder.path().join("pairs.csv"), pairs).unwrap();
    let run = Run::of(host(folder.path()).args(["run", "--registry", "my-sts.toml", "--json"])).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.json().unwrap()["tasks"][0]["task"], "MySTS");
    assert!(folder.path().join("results/mteb-host__hashing/1/MySTS.json").is_file());
}

#[test]
fn a_registry_file_gathers_cards_and_names_benchmarks() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("cards")).unwrap();
    for name in ["A", "B"] {
        let card = format!(
            "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
             [dataset]\npath = \"../pairs.csv\"\n"
        );
        fs::write(folder.path().join(format!("cards/{name}.toml")), card).unwrap();
    }
    let pairs = "sentence1,sentence2,score\na b,a b,5\na b,c d,0\na b,a c,3\n";
    fs::write(folder.path().join("pairs.csv"), pairs).unwrap();
    let registry = "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n[[benchmark]]\nname = \"Mine(small)\"\ntasks = [\"B\"]\n";
    fs::write(folder.path().join("mine.toml"), registry).unwrap();
    let mut command = host(folder.path());
    command.args(["run", "--registry", "mine.toml", "--benchmark", "Mine(small)", "--json"]);
    let report = Run::of(&mut command).unwrap().json().unwrap();
    let tasks: Vec<_> = report["tasks"].as_array().unwrap().iter().map(|task| &task["task"]).collect();
    assert_eq!(tasks, ["B"]);
}

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
