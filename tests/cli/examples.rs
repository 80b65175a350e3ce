//! What `examples/` shows works: a card, a registry, and a plugin outside the workspace.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, build_outside, host, root, trust};

#[test]
fn the_example_card_is_valid_and_can_be_scored() {
    let card = example("sts-card/weather-sts.toml");
    assert_eq!(scored(&card, &[]), ["WeatherSTS"]);
}

#[test]
fn the_example_registry_is_valid_and_its_benchmark_can_be_scored() {
    let registry = example("registry/kampung.toml");
    assert_eq!(scored(&registry, &["--benchmark", "Kampung(small)"]), ["KampungBitext", "KampungParaphrase"]);
}

#[test]
fn the_example_plugin_builds_outside_the_workspace_conforms_and_scores() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    fs::create_dir(&plugins).unwrap();
    let library = plugins.join("libbigram_model.so");
    fs::copy(build_outside(&example("plugin"), "bigram_model"), &library).unwrap();
    let check = Run::of(host(folder.path()).args(["plugins", "check"]).arg(&library)).unwrap();
    assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""));
    trust(folder.path(), &plugins).unwrap();
    let mut command = host(folder.path());
    command.args(["run", "--model", "bigrams", "--json", "--plugin-dir"]).arg(&plugins);
    let run = Run::of(command.arg("--registry").arg(example("sts-card/weather-sts.toml"))).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.json().unwrap()["model"], "example/bigrams");
    assert!(folder.path().join("results/example__bigrams/1/WeatherSTS.json").is_file());
}

#[test]
fn the_example_of_a_type_builds_outside_the_workspace_conforms_and_scores() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    fs::create_dir(&plugins).unwrap();
    let library = plugins.join("libanalogy_type.so");
    fs::copy(build_outside(&example("task-type"), "analogy_type"), &library).unwrap();
    let check = Run::of(host(folder.path()).args(["plugins", "check"]).arg(&library)).unwrap();
    assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""));
    trust(folder.path(), &plugins).unwrap();
    let registry = "schema = 1\nname = \"mine\"\npacks = [\"analogies\"]\n";
    fs::write(folder.path().join("mine.toml"), registry).unwrap();
    let mut command = host(folder.path());
    command.args([
        "run",
        "--model",
        "hashing",
        "--json",
        "--outcomes",
        "--registry",
        "mine.toml",
        "--plugin-dir",
    ]);
    let run = Run::of(command.arg(&plugins)).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let task = run.json().unwrap()["tasks"][0].clone();
    assert_eq!((&task["type"], &task["main_score_name"]), (&"Analogy".into(), &"accuracy".into()));
    assert_eq!(task["units"][0]["state"], "scored", "{task}");
}

/// The tasks of `registry` that each of the two bundled models scores, once the registry was found valid.
fn scored(registry: &Path, selection: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let validate = Run::of(host(folder.path()).arg("validate").arg(registry)).unwrap();
    assert_eq!((validate.code, validate.stderr.as_str()), (Some(0), ""), "{}", validate.stdout);
    let tasks = ["hashing", "random"].map(|model| {
        let mut command = host(folder.path());
        command.args(["run", "--json", "--model", model]).args(selection).arg("--registry").arg(registry);
        let run = Run::of(&mut command).unwrap();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{model}");
        let report = run.json().unwrap();
        let tasks = report["tasks"].as_array().unwrap().iter();
        tasks.map(|task| task["task"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    });
    let [hashing, random] = tasks;
    assert_eq!(hashing, random);
    hashing
}

fn example(name: &str) -> PathBuf {
    root().join("examples").join(name)
}
