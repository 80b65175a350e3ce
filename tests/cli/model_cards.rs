//! Cards of models beside registries: where they apply, and what is said of those that do not fit their model.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, faulty_plugin, host, trust, write_pair_card, write_pairs};
use serde_json::Value;

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

fn run(root: &Path, registry: &str, more: &[&str]) -> Run {
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
        let run = run(root.path(), registry, &[]);
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
    let run = run(root.path(), "mine/mine.toml", &[]);
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
    let run = run(root.path(), "mine/mine.toml", &[]);
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
    let run = |model| run(root.path(), "mine/mine.toml", &["--plugin-dir", "plugins", "--model", model]);
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
