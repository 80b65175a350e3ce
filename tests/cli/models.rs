//! Model cards and prompts: `list models`, `show model`, `run --prompts`.

use std::fs;

use mteb_host_tests::{Run, host};

#[test]
fn models_with_a_card_are_listed_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::of(host(folder.path()).args(["list", "models", "--json"])).unwrap();
    let models = run.json().unwrap();
    let named = |name: &str| models.as_array().unwrap().iter().find(|model| model["name"] == name).cloned();
    assert_eq!(named("hashing").unwrap()["plugin"], "hashing-encoder");
    let card = named("intfloat/multilingual-e5-small").unwrap();
    assert_eq!((card["dimension"].as_u64(), card["max_tokens"].as_u64()), (Some(384), Some(512)));

    let mut command = host(folder.path());
    let shown = Run::of(command.args(["show", "model", "intfloat/multilingual-e5-small", "--json"])).unwrap();
    assert_eq!(shown.json().unwrap()["card"]["prompts"]["named"]["document"], "passage: ");
    let unknown = Run::of(host(folder.path()).args(["show", "model", "nobody/none"])).unwrap();
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("models without a card run too"), "{}", unknown.stderr);
}

#[test]
fn a_card_of_the_user_hides_that_of_the_binary_and_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let cards = folder.path().join("mine/models");
    fs::create_dir_all(&cards).unwrap();
    let file = cards.join("BAAI__bge-m3.toml");
    fs::write(&file, "schema = 1\nname = \"BAAI/bge-m3\"\ndimension = 3\n").unwrap();
    let show = || {
        let mut command = host(folder.path());
        command.env("MTEB_HOST_REGISTRIES", folder.path().join("mine"));
        Run::of(command.args(["show", "model", "BAAI/bge-m3", "--json"])).unwrap()
    };
    assert_eq!(show().json().unwrap()["card"]["dimension"], 3);
    fs::write(&file, "schema = 1\nname = \"BAAI/bge-m3\"\npolling = \"cls\"\n").unwrap();
    let refused = show();
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("BAAI__bge-m3.toml:3:1: unknown key `polling`"), "{}", refused.stderr);
}

#[test]
fn prompts_of_a_file_go_before_texts_and_stand_in_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("prompts.json");
    fs::write(&file, r#"{"query": "q: ", "STS": "sama? ", "NoSuchTask": "x", "STSS": "y"}"#).unwrap();
    let run = |more: &[&str]| {
        let mut command = host(folder.path());
        Run::of(command.args(["run", "--task", "IndonesianGeneralSTS", "--json"]).args(more)).unwrap()
    };
    let plain = run(&["--output-folder", "plain"]);
    assert_eq!((plain.code, plain.stderr.as_str()), (Some(0), ""));
    let prompted = run(&["--output-folder", "prompted", "--prompts", "prompts.json"]);
    assert_eq!(prompted.code, Some(0), "{}", prompted.stderr);
    assert!(
        prompted.stderr.contains("which no text will get: NoSuchTask, STSS (near it: STS"),
        "{}",
        prompted.stderr
    );

    let folder_of = |name: &str| folder.path().join(name).join("mteb-host__hashing/1");
    // Prompts of the user's own are an experiment in the words of the reference, and kept apart.
    let experiments = fs::read_dir(folder_of("prompted").join("experiments")).unwrap().flatten();
    let experiment = experiments.last().unwrap().path();
    let name = experiment.file_name().unwrap().to_string_lossy().into_owned();
    let meta = fs::read_to_string(experiment.join("model_meta.json")).unwrap();
    let meta: serde_json::Value = serde_json::from_str(&meta).unwrap();
    assert_eq!(name, format!("prompts_{}", meta["experiment_kwargs"]["prompts"].as_str().unwrap()));
    let host_of = |name: &str| {
        let folder = if name == "prompted" { experiment.clone() } else { folder_of(name) };
        let text = fs::read_to_string(folder.join("IndonesianGeneralSTS.json")).unwrap();
        let result: serde_json::Value = serde_json::from_str(&text).unwrap();
        result["mteb_host"].clone()
    };
    assert_eq!(host_of("plain")["prompts"], serde_json::json!({"text": ""}));
    assert_eq!(host_of("prompted")["prompts"], serde_json::json!({"text": "sama? "}));
    assert_eq!(host_of("prompted")["model"]["prompts"]["named"]["query"], "q: ");
}

#[test]
fn what_a_model_cannot_do_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = host(folder.path());
    let run = Run::of(command.args(["run", "--task", "IndonesianGeneralSTS", "--max-tokens", "5"])).unwrap();
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("leave out `--max-tokens`"), "{}", run.stderr);

    fs::write(folder.path().join("prompts.json"), "{\"query\": 3}").unwrap();
    let mut command = host(folder.path());
    let run = Run::of(command.args(["run", "--task", "IndonesianGeneralSTS", "--prompts", "prompts.json"]))
        .unwrap();
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("error: prompts.json: expected prompts by name"), "{}", run.stderr);
}

#[test]
fn a_number_format_that_a_model_does_not_compute_in_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = host(folder.path());
    let run = Run::of(command.args(["run", "--task", "IndonesianGeneralSTS", "--dtype", "bf16"])).unwrap();
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(
        run.stderr.contains(
            "expected a model that computes in bf16, found one that computes in f32; leave out `--dtype`"
        ),
        "{}",
        run.stderr
    );
    assert!(!folder.path().join("results").exists());
}
