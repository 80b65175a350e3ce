//! `list`, `show`, `schema`, `leaderboard`, `doctor`.

use std::fs;

use mteb_host_tests::{Run, host, root};

#[test]
fn every_list_is_json_on_request() {
    let folder = tempfile::tempdir().unwrap();
    for what in ["tasks", "models", "plugins", "registries", "benchmarks"] {
        let run = Run::of(host(folder.path()).args(["list", what, "--json"])).unwrap();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{what}");
        assert!(!run.json().unwrap().as_array().unwrap().is_empty(), "{what}");
    }
}

#[test]
fn filters_narrow_tasks_and_subsets() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = host(folder.path());
    command.args(["list", "tasks", "--json", "--registry", "indonesia-hub", "--language", "jav"]);
    let tasks = Run::of(command.args(["--task-type", "classification"])).unwrap().json().unwrap();
    let shown: Vec<String> = tasks
        .as_array()
        .unwrap()
        .iter()
        .map(|task| format!("{} {}", task["name"].as_str().unwrap(), task["subsets"]))
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    JavaneseIMDBClassification ["default"]
    JavaneseIMDBClassification.v2 ["default"]
    MassiveIntentClassification ["jv"]
    MassiveScenarioClassification ["jv"]
    NusaParagraphEmotionClassification ["jav"]
    NusaParagraphTopicClassification ["jav"]
    NusaX-senti ["jav"]
    SIB200Classification ["jav_Latn"]
    SIB200Classification.v2 ["jav_Latn"]
    SIB200Classification.v3 ["jav_Latn"]
    "#);
}

#[test]
fn a_task_that_does_not_exist_is_an_error_of_usage() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::of(host(folder.path()).args(["run", "--task", "NusaX"])).unwrap();
    assert_eq!(run.code, Some(2));
    insta::assert_snapshot!(run.stderr, @"error: expected the name of a task, found: NusaX (near it: NusaXBitextMining, NusaX-senti); name a card of your own with `--registry FILE`");
}

#[test]
fn a_model_that_does_not_exist_is_an_error_of_usage() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = host(folder.path());
    let run =
        Run::of(command.args(["run", "--task", "IndonesianGeneralSTS", "--model", "nobody/none"])).unwrap();
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("error: expected a model that a plugin provides, found: nobody/none"));
}

#[test]
fn tasks_whose_data_is_not_public_are_marked() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| Run::of(host(folder.path()).args(args)).unwrap();
    let tasks = run(&["list", "tasks", "--registry", "mteb", "--benchmark", "RTEB(fra, beta)", "--json"]);
    let tasks = tasks.json().unwrap();
    let of =
        |name: &str| tasks.as_array().unwrap().iter().find(|task| task["name"] == name).cloned().unwrap();
    assert_eq!(of("French1Retrieval")["private"], true);
    let private = tasks.as_array().unwrap().iter().filter(|task| task["private"] == true).count();
    assert!(private < tasks.as_array().unwrap().len(), "some are public: {tasks}");
    let benchmark = run(&["show", "benchmark", "RTEB(fra, beta)"]);
    let line = format!("the data of {private} tasks is not public");
    assert!(benchmark.stdout.contains(&line), "{}", benchmark.stdout);
}

#[test]
fn show_task_prints_a_card_that_is_a_card() {
    let folder = tempfile::tempdir().unwrap();
    let shown = Run::of(host(folder.path()).args(["show", "task", "SciFact"])).unwrap();
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    fs::write(folder.path().join("card.toml"), &shown.stdout).unwrap();
    let valid = Run::of(host(folder.path()).args(["validate", "card.toml"])).unwrap();
    assert_eq!((valid.code, valid.stderr.as_str()), (Some(0), ""));
}

#[test]
fn schemas_are_those_of_the_registries_folder() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["task-card", "model-card", "judge-card", "registry", "plugin-manifest"] {
        let run = Run::of(host(folder.path()).args(["schema", name])).unwrap();
        let committed = fs::read_to_string(root().join(format!("registries/schemas/{name}.json"))).unwrap();
        assert!(run.stdout == committed, "{name} does not match the types: run `cargo xtask schemas`");
    }
    let result = Run::of(host(folder.path()).args(["schema", "result"])).unwrap();
    assert!(result.json().is_ok());
}

#[test]
fn the_leaderboard_ranks_models_by_borda() {
    let folder = tempfile::tempdir().unwrap();
    for model in ["hashing", "random"] {
        let mut command = host(folder.path());
        command.args(["run", "--task", "IndonesianGeneralSTS", "--quiet", "--model", model]);
        assert_eq!(Run::of(&mut command).unwrap().code, Some(0));
    }
    let mut command = host(folder.path());
    let board = Run::of(command.args(["leaderboard", "--task", "IndonesianGeneralSTS"])).unwrap();
    let rows: Vec<&str> = board.stdout.lines().collect();
    assert_eq!(rows[0], "| Rank (Borda) | Model | Mean (Task) | Mean (TaskType) | Tie group | STS |");
    assert!(rows[2].starts_with("| 1 | mteb-host/hashing |"), "{}", board.stdout);
    assert!(rows[3].starts_with("| 2 | mteb/baseline-random-encoder |"), "{}", board.stdout);
}

#[test]
fn doctor_names_the_folders_that_are_searched() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::of(host(folder.path()).arg("doctor")).unwrap();
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("user data folder"), "{}", run.stdout);
    assert!(run.stdout.contains("indonesia-hub"), "{}", run.stdout);
    assert!(run.stdout.contains("\n  Python: "), "{}", run.stdout);
}

#[test]
fn doctor_says_with_how_many_threads_and_in_which_formats_the_processor_computes() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::of(host(folder.path()).arg("doctor").env("RAYON_NUM_THREADS", "3")).unwrap();
    let line = run.stdout.lines().find(|line| line.starts_with("  Processor: ")).unwrap();
    assert!(line.contains(", 3 threads, computes in f32"), "{line}");
}

const BADGE: &str = "LM-written, LM-judged";

#[test]
fn a_benchmark_says_first_that_no_person_annotated_it() {
    let folder = tempfile::tempdir().unwrap();
    let show = |more: &[&str]| {
        let shown =
            Run::of(host(folder.path()).args(["show", "benchmark", "Indonesia-MTEB(core)"]).args(more))
                .unwrap();
        assert_eq!((shown.code, shown.stderr.as_str()), (Some(0), ""));
        shown
    };
    let text = show(&[]).stdout;
    let second = text.lines().nth(1).unwrap();
    assert!(second.trim_start().starts_with("provenance") && second.contains(BADGE), "{text}");
    let json = show(&["--json"]).json().unwrap();
    assert_eq!(json["badges"][BADGE], json["tasks"].as_array().unwrap().len());
    assert!(json["provenance"].as_str().unwrap().contains("no person annotated"), "{json}");
}

#[test]
fn a_task_has_a_badge_where_a_language_model_took_the_place_of_people() {
    let folder = tempfile::tempdir().unwrap();
    let badge = |task: &str| {
        let listed = Run::of(host(folder.path()).args(["list", "tasks", "--json", "--task", task])).unwrap();
        listed.json().unwrap()[0]["provenance"].clone()
    };
    assert_eq!(badge("IndonesianGeneralSTS"), BADGE);
    assert!(badge("STSBenchmark").is_null());
}

#[test]
fn the_page_has_the_badge_and_says_what_follows() {
    let folder = tempfile::tempdir().unwrap();
    let task = ["--registry", "indonesia", "--task", "IndonesianGeneralSTS"];
    assert_eq!(Run::of(host(folder.path()).args(["run", "--quiet"]).args(task)).unwrap().code, Some(0));
    let report = Run::of(host(folder.path()).args(["report", "--output", "pages"]).args(task)).unwrap();
    assert_eq!(report.code, Some(0), "{}", report.stderr);
    let page = fs::read_dir(folder.path().join("pages")).unwrap().next().unwrap().unwrap().path();
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains(&format!("\"badge\":\"{BADGE}\"")));
    assert!(page.contains("<p class=\"part\"><span data-text=\"provenanceCount\">"));
}
