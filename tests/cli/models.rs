//! Model cards and prompts: `list models`, `show model`, `run --prompts`; cards beside registries that do not
//! fit their model; which plugins and models of one name run, and which results share a file.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, faulty_plugin, host, trust, write_pair_card, write_pairs};
use serde_json::Value;

use crate::models::live_models::lines;

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

/// A registry `mine` with one task, in a folder of its own, and beside it the card of a model.
fn registry(card: &str, more: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("mine");
    fs::create_dir_all(folder.join("cards")).unwrap();
    fs::create_dir_all(folder.join("models")).unwrap();
    write_pair_card(&folder.join("cards"), "MySTS", &["ind"]).unwrap();
    let pairs = [("a b", "b c", 1.0), ("d e f", "d e", 4.0), ("b c", "b", 2.0)];
    write_pairs(&folder.join("cards"), "ind", pairs).unwrap();
    fs::write(folder.join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n").unwrap();
    fs::write(folder.join("models").join(card), format!("schema = 1\n{more}")).unwrap();
    root
}

fn run_registry(root: &Path, registry: &str, more: &[&str]) -> Run {
    let mut command = host(root);
    if !registry.contains('/') {
        command.env("MTEB_HOST_REGISTRIES", root.join("mine"));
    }
    let output = ["--output-folder", if registry.contains('/') { "by-file" } else { "by-name" }];
    Run::of(command.args(["run", "--quiet", "--registry", registry]).args(output).args(more)).unwrap()
}

#[test]
fn a_card_beside_a_registry_applies_however_the_registry_is_named() {
    let root = registry("hashing.toml", "name = \"hashing\"\nsimilarity = \"dot\"\n");
    for (registry, output) in [("mine/mine.toml", "by-file"), ("mine", "by-name")] {
        let run = run_registry(root.path(), registry, &[]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{registry}");
        let path = root.path().join(output).join("mteb-host__hashing/1/MySTS.json");
        let result: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(result["mteb_host"]["model"]["similarity"], "dot", "{registry}");
    }
    let mut show = host(root.path());
    let show = Run::of(show.args(["show", "model", "hashing", "--registry", "mine/mine.toml"])).unwrap();
    assert!(show.stdout.contains("similarity = \"dot\""), "{}", show.stdout);
}

#[test]
fn a_card_that_contradicts_its_model_is_named_with_its_place() {
    let root = registry("hashing.toml", "name = \"hashing\"\nrevision = \"9\"\ndimension = 7\n");
    let place = "mine/models/hashing.toml";
    let revision = format!(
        "{place}:3:12: expected the revision that the model itself reports, 1, which counts; found: 9"
    );
    let dimension = format!("{place}:4:13: expected the dimension that the model itself reports, ");
    let run = run_registry(root.path(), "mine/mine.toml", &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for what in ["mine", "mine/mine.toml", place] {
        let validate = Run::of(host(root.path()).args(["validate", what])).unwrap();
        assert_eq!(validate.code, Some(2), "{what}: {}", validate.stdout);
        for said in [&run.stderr, &validate.stderr] {
            assert!(said.contains(&revision) && said.contains(&dimension), "{what}: {said}");
        }
    }
}

#[test]
fn a_form_of_rows_that_an_endpoint_does_not_have_is_a_fault() {
    let api = "name = \"maker/m\"\n[api]\nstyle = \"cohere\"\nmodel = \"m\"\nencoding_format = \"base64\"\n";
    let root = registry("maker__m.toml", api);
    let validate = Run::of(host(root.path()).args(["validate", "mine/mine.toml"])).unwrap();
    assert_eq!(validate.code, Some(2), "{}", validate.stdout);
    let expected =
        "mine/models/maker__m.toml:6:19: expected `float`, the only form of the style cohere, found: base64";
    assert!(validate.stderr.contains(expected), "{}", validate.stderr);
}

#[test]
fn a_day_that_does_not_exist_is_a_fault() {
    let prices = "[api.prices]\ncurrency = \"USD\"\nmillion_tokens = 1.0\ndate = \"2026-04-31\"\n";
    let api = format!(
        "name = \"maker/m\"\nrelease_date = \"2026-13-01\"\n[api]\nstyle = \"tei\"\nmodel = \"m\"\n{prices}"
    );
    let root = registry("maker__m.toml", &api);
    let validate = Run::of(host(root.path()).args(["validate", "mine/mine.toml"])).unwrap();
    assert_eq!(validate.code, Some(2), "{}", validate.stdout);
    for expected in [
        "maker__m.toml:3:16: expected a month from 01 to 12, found: 2026-13-01",
        "maker__m.toml:10:8: expected a day from 01 to 30 in 2026-04, found: 2026-04-31",
    ] {
        assert!(validate.stderr.contains(expected), "{}", validate.stderr);
    }
}

#[test]
fn a_card_in_a_file_of_another_name_is_a_fault_wherever_it_is_met() {
    let root = registry("b.toml", "name = \"hashing\"\nsimilarity = \"dot\"\n");
    let expected = "error: mine/models/b.toml:2:8: expected the card of hashing in a file `hashing.toml`, found: b.toml\n";
    let run = run_registry(root.path(), "mine/mine.toml", &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), expected));
    let validate = Run::of(host(root.path()).args(["validate", "mine"])).unwrap();
    assert_eq!(validate.code, Some(2));
    assert!(validate.stderr.starts_with(expected), "{}", validate.stderr);
}

#[test]
fn a_card_called_as_results_name_the_model_is_not_passed_over_without_a_word() {
    let root = registry("tests__changing.toml", "name = \"tests/changing\"\nsimilarity = \"dot\"\n");
    faulty_plugin("changing_model", &root.path().join("plugins")).unwrap();
    trust(root.path(), &root.path().join("plugins")).unwrap();
    let run =
        |model| run_registry(root.path(), "mine/mine.toml", &["--plugin-dir", "plugins", "--model", model]);
    let by_name = run("changing");
    let expected = "warning: mine/models/tests__changing.toml:2:8: expected the name by which `--model` finds \
                    the model, changing; otherwise the card is not used; found the name in its results: \
                    tests/changing\n";
    assert_eq!((by_name.code, by_name.stderr.as_str()), (Some(0), expected));
    let by_result = run("tests/changing");
    assert!(by_result.stderr.contains("tests/changing"), "{}", by_result.stderr);
    assert!(!by_result.stderr.contains("near it: tests/changing"), "{}", by_result.stderr);
    let mut show = host(root.path());
    show.args(["show", "model", "tests/changing", "--registry", "mine/mine.toml"]);
    let show = Run::of(&mut show).unwrap();
    assert!(!show.stdout.contains("needs the plugin torch-encoder"), "{}", show.stdout);
}

/// A task, and the plugin `changing` in a folder of its own.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "MySTS", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a b", "b c", 1.0), ("d e f", "d e", 4.0), ("b c", "b", 2.0)])
        .unwrap();
    faulty_plugin("changing_model", &folder.path().join("plugins")).unwrap();
    folder
}

fn run_with_plugins(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = host(folder);
    command.env("MTEB_PLUGIN_ALSO", "hashing");
    Run::of(command.args(arguments).args(["--plugin-dir", "plugins"])).unwrap()
}

#[test]
fn of_two_plugins_of_one_name_the_one_that_is_left_out_is_named() {
    let folder = folder();
    let first = folder.path().join("plugins/libchanging_model.so");
    let mut bytes = fs::read(&first).unwrap();
    fs::copy(&first, folder.path().join("plugins/liba_copy.so")).unwrap();
    bytes.extend(b"built anew");
    fs::write(folder.path().join("plugins/libother.so"), bytes).unwrap();
    trust(folder.path(), &folder.path().join("plugins")).unwrap();
    let task = ["run", "--quiet", "--registry", "task.toml", "--model", "changing"];
    for arguments in [&task[..], &["plugins", "list"], &["list", "tasks", "--registry", "task.toml"]] {
        let run = run_with_plugins(folder.path(), arguments);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let lines: Vec<&str> = run.stderr.lines().collect();
        let [line] = lines.as_slice() else { panic!("a copy that is the same needs no word: {lines:?}") };
        assert!(line.contains("plugins/libother.so: left out because the plugin changing of "), "{line}");
        assert!(line.ends_with("plugins/liba_copy.so takes precedence"), "{line}");
    }
}

#[test]
fn a_plugin_that_takes_the_name_of_another_ones_model_is_named() {
    let folder = folder();
    trust(folder.path(), &folder.path().join("plugins")).unwrap();
    let run_it = run_with_plugins(folder.path(), &["run", "--quiet", "--registry", "task.toml"]);
    assert_eq!(run_it.code, Some(0), "{}", run_it.stderr);
    let expected = "warning: model hashing: that of the plugin changing runs (";
    assert!(run_it.stderr.starts_with(expected), "{}", run_it.stderr);
    assert!(run_it.stderr.contains("which takes precedence over hashing-encoder ("), "{}", run_it.stderr);
    let listed = run_with_plugins(folder.path(), &["list", "models", "--json"]).json().unwrap();
    let listed = listed.as_array().unwrap().iter().filter(|model| model["name"] == "hashing");
    let plugins: Vec<&str> = listed.map(|model| model["plugin"].as_str().unwrap()).collect();
    assert_eq!(plugins, ["changing"], "the model that runs");
}

#[test]
fn a_plugin_of_the_host_that_lies_elsewhere_is_another_plugin_and_no_other_name() {
    let folder = folder();
    let own = folder.path().join("own");
    faulty_plugin("hashing_encoder", &own).unwrap();
    trust(folder.path(), &own).unwrap();
    let task = ["run", "--quiet", "--registry", "task.toml"];
    assert_eq!(Run::of(host(folder.path()).args(task)).unwrap().code, Some(0));
    let moved = Run::of(host(folder.path()).args(task).args(["--plugin-dir", "own"])).unwrap();
    assert!(moved.stderr.ends_with("scored again: model changed: plugin\n"), "{}", moved.stderr);
}

#[test]
fn a_folder_of_plugins_that_is_not_there_is_no_refused_plugin() {
    let folder = folder();
    let list = ["plugins", "list", "--plugin-dir", "plugin"];
    for arguments in [&list[..], &["run", "--quiet", "--registry", "task.toml", "--plugin-dir", "plugin"]] {
        let run = Run::of(host(folder.path()).args(arguments)).unwrap();
        let said = "error: `--plugin-dir`: expected a folder with plugins, found no such folder: plugin (near it: plugins)\n";
        assert_eq!((run.code, run.stderr.as_str()), (Some(2), said), "{arguments:?}");
    }
}

#[test]
fn to_lock_a_folder_that_is_not_there_says_how_to_name_one() {
    let folder = folder();
    let lock = Run::of(host(folder.path()).args(["plugins", "lock"])).unwrap();
    let expected =
        "cannot lock: expected a folder with plugins, found none; name one with `--plugin-dir DIR`\n";
    assert_eq!(lock.code, Some(1));
    assert!(lock.stderr.ends_with(expected), "{}", lock.stderr);
}

#[test]
fn a_model_with_the_name_of_one_of_another_plugin_is_told_once_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
TASKS = ['IndonesianGeneralSTS', 'IndonesianSocialSTS']
native = run('random', TASKS)

def told(model, **named):
    print('---', file=sys.stderr)
    return run(model, TASKS, quiet=False, **named)

named = {'name': native.model, 'revision': native.revision}
print(told(Typed(), **named).folder == native.folder)
again = told('random')
print(again.units == native.units, state(again))
print(told(Typed(), name='lab/typed', revision='1').folder == native.folder)
print(len(mteb_host.load_results().models))
";
    let (found, said) = lines(folder.path(), program);
    assert_eq!(found, ["True", "True found", "False", "2"], "{said}");
    let parts: Vec<&str> = said.split("---").collect();
    let count = |part: &str, words: &str| part.matches(words).count();
    let told = |part: &str| count(part, "for a model of the same name and revision");
    assert_eq!(parts.iter().map(|part| told(part)).collect::<Vec<_>>(), [0, 1, 1, 0], "{said}");
    assert_eq!(
        count(parts[1], "of the plugin python, found results of the plugin random-encoder"),
        1,
        "{said}"
    );
    assert_eq!(
        count(parts[2], "of the plugin random-encoder, found results of the plugin python"),
        1,
        "{said}"
    );
    assert!(parts[1].contains("`--name ORGANISATION/MODEL` calls a model in Python otherwise"), "{said}");
}
