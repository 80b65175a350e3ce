//! A score that was made from something else than what is there now is never given as done.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, faulty_plugin, host, trust, write_pair_card, write_pairs};
use serde_json::Value;

const PAIRS: [&str; 6] =
    ["a b c,a b c,5", "a b c,d e f,0", "a b c,a b d,4", "x y,x z,2", "x y,x y,5", "k l,m n,1"];

/// A folder with the task `MySTS` over `pairs.csv`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_card(folder.path(), "");
    write_rows(folder.path(), &PAIRS);
    folder
}

fn write_card(folder: &Path, more: &str) {
    let card = format!(
        "schema = 1\nname = \"MySTS\"\ntype = \"STS\"\ndescription = \"For tests.\"\nlanguages = [\"ind-Latn\"]\n\
         [dataset]\npath = \"pairs.csv\"\n{more}"
    );
    fs::write(folder.join("task.toml"), card).unwrap();
}

fn write_rows(folder: &Path, rows: &[&str]) {
    fs::write(folder.join("pairs.csv"), format!("sentence1,sentence2,score\n{}\n", rows.join("\n"))).unwrap();
}

pub fn run(folder: &Path, more: &[&str]) -> Run {
    Run::of(host(folder).args(["run", "--registry", "task.toml", "--json"]).args(more)).unwrap()
}

/// What became of each unit of the first task.
pub fn states(run: &Run) -> Vec<String> {
    let report = run.json().unwrap_or_else(|_| panic!("{}", run.stderr));
    let units = report["tasks"][0]["units"].as_array().unwrap().clone();
    units.iter().map(|unit| unit["state"].as_str().unwrap().to_owned()).collect()
}

fn result(folder: &Path, path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("results").join(path)).unwrap()).unwrap()
}

const HASHING: &str = "mteb-host__hashing/1/MySTS.json";

#[test]
fn results_of_another_type_under_the_same_name_are_set_aside() {
    let folder = folder();
    run(folder.path(), &[]);
    let card = fs::read_to_string(folder.path().join("task.toml")).unwrap();
    let card = card
        .replace("\"STS\"", "\"BitextMining\"")
        .replace("languages", "eval_splits = [\"dev\"]\nlanguages");
    fs::write(folder.path().join("task.toml"), card).unwrap();
    run(folder.path(), &[]);
    let now = result(folder.path(), HASHING);
    assert_eq!(now["scores"].as_object().unwrap().keys().collect::<Vec<_>>(), ["dev"]);
    assert_eq!(now["mteb_host"]["units"].as_object().unwrap().keys().collect::<Vec<_>>(), ["dev"]);
    let aside = fs::read_dir(folder.path().join("results/mteb-host__hashing/1/superseded")).unwrap();
    assert_eq!(aside.count(), 1, "the result of before is kept aside");
}

#[test]
fn results_of_a_split_that_the_card_has_no_longer_are_told_of() {
    let folder = folder();
    run(folder.path(), &[]);
    let card = fs::read_to_string(folder.path().join("task.toml")).unwrap();
    let card = card.replace("languages", "eval_splits = [\"dev\"]\nlanguages");
    fs::write(folder.path().join("task.toml"), card).unwrap();
    let again = run(folder.path(), &[]);
    insta::assert_snapshot!(again.stderr, @"warning: MySTS: there are results of split test, subset default, which the card does not have; `leaderboard` counts them unless it is given the card with `--registry`; to drop them, remove MySTS.json from the results and run again");
    assert_eq!(result(folder.path(), HASHING)["scores"].as_object().unwrap().len(), 2);
}

#[test]
fn rows_that_were_deleted_change_the_score() {
    let folder = folder();
    run(folder.path(), &[]);
    let before = result(folder.path(), HASHING)["scores"]["test"][0]["main_score"].clone();
    assert_eq!(states(&run(folder.path(), &[])), ["found"], "nothing changed");
    write_rows(folder.path(), &PAIRS[..4]);
    let again = run(folder.path(), &[]);
    assert_eq!(states(&again), ["scored"]);
    assert_eq!(again.stderr, "MySTS: will be scored again: data changed: pairs.csv\n");
    let now = result(folder.path(), HASHING)["scores"]["test"][0]["main_score"].clone();
    assert_ne!(before, now);
    assert_eq!(states(&run(folder.path(), &[])), ["found"], "and now it is done");
}

#[test]
fn a_changed_option_of_the_card_changes_the_score() {
    let folder = folder();
    run(folder.path(), &[]);
    for (more, named) in [
        ("[protocol]\nmax_score = 6\n", "max_score"),
        ("first_rows = 4\n[protocol]\nmax_score = 6\n", "first_rows"),
        ("first_rows = 4\n", "max_score"),
    ] {
        write_card(folder.path(), more);
        let again = run(folder.path(), &[]);
        assert_eq!(states(&again), ["scored"], "{more}");
        assert_eq!(again.stderr, format!("MySTS: will be scored again: options changed: {named}\n"));
    }
    assert_eq!(states(&run(folder.path(), &[])), ["found"]);
}

#[test]
fn an_option_written_out_at_its_default_scores_nothing_again() {
    let folder = folder();
    run(folder.path(), &[]);
    let written = "columns = { sentence1 = \"sentence1\" }\nmerge_splits = { test = [\"test\"] }\n[protocol]\nmax_score = 5\n";
    write_card(folder.path(), written);
    let again = run(folder.path(), &[]);
    assert_eq!((states(&again), again.stderr.as_str()), (vec!["found".to_owned()], ""));
    assert_eq!(states(&run(folder.path(), &["--model", "random"])), ["scored"]);
    let board = Run::of(host(folder.path()).args(["leaderboard", "--registry", "task.toml"])).unwrap();
    assert_eq!((board.code, board.stderr.as_str()), (Some(0), ""), "both are results of the same task");
    assert!(board.stdout.contains("hashing") && board.stdout.contains("random"), "{}", board.stdout);
    write_card(folder.path(), "");
    for model in ["hashing", "random"] {
        assert_eq!(states(&run(folder.path(), &["--model", model])), ["found"], "{model}");
    }
}

#[test]
fn parts_that_are_named_where_they_are_anyway_score_nothing_again() {
    let folder = tempfile::tempdir().unwrap();
    let write = |more: &str| {
        let card = "schema = 1\nname = \"MySearch\"\ntype = \"Retrieval\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"data\"\n";
        fs::write(folder.path().join("task.toml"), format!("{card}{more}")).unwrap();
    };
    fs::create_dir_all(folder.path().join("data/qrels")).unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join("data").join(name), text).unwrap();
    put("corpus.csv", "_id,text\nd1,ikan besar\nd2,kucing tidur\nd3,burung\n");
    put("queries.csv", "_id,text\nq1,ikan\nq2,kucing\n");
    put("qrels/test.csv", "query-id,corpus-id,score\nq1,d1,1\nq2,d2,1\n");
    write("");
    assert_eq!(states(&run(folder.path(), &[])), ["scored"]);
    let written = "[dataset.parts.corpus]\nfile = \"corpus.csv\"\n[dataset.parts.queries]\nconfig = \"queries\"\n\
                   [dataset.parts.qrels]\nfile = \"qrels/{split}.csv\"\n";
    write(written);
    let again = run(folder.path(), &[]);
    assert_eq!((states(&again), again.stderr.as_str()), (vec!["found".to_owned()], ""));
    put("others.csv", "_id,text\nd1,ayam\nd2,kucing tidur\nd3,ikan\n");
    write(&written.replace("corpus.csv", "others.csv"));
    assert_eq!(states(&run(folder.path(), &[])), ["scored"], "another file is another part");
}

#[test]
fn splits_that_are_subsampled_anyway_score_nothing_again() {
    let folder = tempfile::tempdir().unwrap();
    let write = |splits: &str| {
        let card = "schema = 1\nname = \"MyLabels\"\ntype = \"Classification\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n";
        let card = format!("{card}[dataset]\npath = \"data\"\nsubsample = {{ rows = 8{splits} }}\n");
        fs::write(folder.path().join("task.toml"), card).unwrap();
    };
    fs::create_dir(folder.path().join("data")).unwrap();
    for split in ["train", "test"] {
        let rows = (0..20).map(|row| format!("{split} kata {row},{}\n", row % 2)).collect::<String>();
        fs::write(folder.path().join(format!("data/{split}.csv")), format!("text,label\n{rows}")).unwrap();
    }
    write("");
    assert_eq!(states(&run(folder.path(), &[])), ["scored"]);
    write(", splits = [\"test\"]");
    let again = run(folder.path(), &[]);
    assert_eq!((states(&again), again.stderr.as_str()), (vec!["found".to_owned()], ""));
    write(", splits = [\"train\", \"test\"]");
    assert_eq!(states(&run(folder.path(), &[])), ["scored"], "training rows are subsampled, too");
}

#[test]
fn draws_continue_those_of_a_subset_whose_option_is_written_out_at_its_default() {
    let folder = tempfile::tempdir().unwrap();
    write_clusters(folder.path(), "ind", 30);
    write_clusters(folder.path(), "jav", 30);
    write_cluster_card(folder.path(), &["ind", "jav"]);
    assert_eq!(states(&run(folder.path(), &[])), ["scored", "scored"]);
    let path = folder.path().join("task.toml");
    let card = fs::read_to_string(&path).unwrap();
    fs::write(&path, card.replace("max_documents = 0\n", "max_documents = 0\nrounds = 10\n")).unwrap();
    let again = run(folder.path(), &[]);
    assert_eq!((states(&again), again.stderr.as_str()), (vec!["found".to_owned(); 2], ""));
}

#[test]
fn a_subset_that_is_called_as_its_config_needs_no_config() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "MySTS", &["ind"]).unwrap();
    let pairs = [("a b", "b c", 1.0), ("d e f", "d e", 4.0), ("b c", "b", 2.0)];
    write_pairs(folder.path(), "ind", pairs).unwrap();
    assert_eq!(states(&run(folder.path(), &[])), ["scored"]);
    let path = folder.path().join("task.toml");
    let card = fs::read_to_string(&path).unwrap();
    fs::write(&path, card.replace("{ languages", "{ config = \"ind\", languages")).unwrap();
    let again = run(folder.path(), &[]);
    assert_eq!((states(&again), again.stderr.as_str()), (vec!["found".to_owned()], ""));
}

#[test]
fn changed_data_is_not_done_before_even_where_a_lock_holds_it() {
    let folder = folder();
    assert_eq!(run(folder.path(), &["--update-lock"]).code, Some(0));
    write_rows(folder.path(), &PAIRS[..4]);
    let refused = run(folder.path(), &[]);
    assert_eq!((refused.code, states(&refused)), (Some(1), vec!["failed".to_owned()]));
    assert!(refused.stderr.contains("the file has changed"), "{}", refused.stderr);
    let taken = run(folder.path(), &["--update-lock"]);
    assert_eq!((taken.code, states(&taken)), (Some(0), vec!["scored".to_owned()]), "{}", taken.stderr);
}

/// The plugin `changing_model`, trusted, and what runs it.
fn plugin(folder: &Path) -> PathBuf {
    let library = faulty_plugin("changing_model", &folder.join("plugins")).unwrap();
    trust(folder, &folder.join("plugins")).unwrap();
    library
}

fn run_model(folder: &Path, model: &str, variables: &[(&str, &str)]) -> Run {
    let mut command = host(folder);
    command.args(["run", "--registry", "task.toml", "--json", "--plugin-dir", "plugins", "--model", model]);
    Run::of(command.envs(variables.iter().copied())).unwrap()
}

#[test]
fn another_model_of_the_same_name_and_revision_is_another_model() {
    let folder = folder();
    plugin(folder.path());
    assert_eq!(states(&run_model(folder.path(), "changing", &[])), ["scored"]);
    assert_eq!(states(&run_model(folder.path(), "changing", &[])), ["found"]);
    for (variable, value, named) in [
        ("MTEB_PLUGIN_DIMENSION", "13", "dimension"),
        ("MTEB_PLUGIN_WEIGHTS", "b", "weights"),
        ("MTEB_PLUGIN_DTYPE", "bf16", "number format"),
        ("MTEB_PLUGIN_MAX_TOKENS", "99", "maximum length"),
        ("MTEB_PLUGIN_DEVICE", "cuda:0", "device"),
    ] {
        let other = run_model(folder.path(), "changing", &[(variable, value)]);
        assert_eq!(states(&other), ["scored"], "{variable}");
        assert_eq!(
            other.stderr,
            format!("MySTS: will be scored again: model changed: {named}, {variable}\n")
        );
        // And back: what was scored in this state is taken from where it was kept.
        assert_eq!(states(&run_model(folder.path(), "changing", &[])), ["found"], "{variable}");
    }
    let prompted = run_model(folder.path(), "changing", &[("MTEB_PLUGIN_PROMPT", "sama? ")]);
    let changed = "model changed: MTEB_PLUGIN_PROMPT; prompts changed: text";
    assert_eq!(prompted.stderr, format!("MySTS: will be scored again: {changed}\n"));
    let other = run_model(folder.path(), "changing-large", &[("MTEB_PLUGIN_PROMPT", "sama? ")]);
    assert_eq!(other.stderr, "MySTS: will be scored again: model changed: name\n");
}

#[test]
fn a_rebuilt_plugin_is_another_model() {
    let folder = folder();
    let library = plugin(folder.path());
    run_model(folder.path(), "changing", &[]);
    let mut bytes = fs::read(&library).unwrap();
    bytes.extend(b"built anew");
    fs::write(&library, bytes).unwrap();
    trust(folder.path(), &folder.path().join("plugins")).unwrap();
    let again = run_model(folder.path(), "changing", &[]);
    assert_eq!(states(&again), ["scored"]);
    assert_eq!(again.stderr, "MySTS: will be scored again: model changed: plugin\n");
}

#[test]
fn a_result_that_does_not_say_what_it_was_made_from_is_kept_only_where_asked() {
    let folder = folder();
    run(folder.path(), &[]);
    let path = folder.path().join("results").join(HASHING);
    let mut old: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let host = old["mteb_host"].as_object_mut().unwrap();
    host.remove("units");
    for key in ["asked", "code", "device", "dimension", "brackets"] {
        host["model"].as_object_mut().unwrap().remove(key);
    }
    fs::write(&path, old.to_string()).unwrap();
    assert_eq!(states(&run(folder.path(), &["--keep-unknown"])), ["found"]);
    let again = run(folder.path(), &[]);
    assert_eq!(states(&again), ["scored"]);
    assert_eq!(
        again.stderr,
        "MySTS: will be scored again: its result does not record what it was made from (`--keep-unknown` keeps such results)\n"
    );
    old["mteb_host"]["model"]["weights"] = "others".into();
    fs::write(&path, old.to_string()).unwrap();
    let other = run(folder.path(), &["--keep-unknown"]);
    assert_eq!(
        other.stderr, "MySTS: will be scored again: model changed: weights\n",
        "what it says is believed"
    );
}

/// A clustering task `MyClusters` of these subsets, whose data [`write_clusters`] writes.
pub fn write_cluster_card(folder: &Path, subsets: &[&str]) {
    let subsets: String =
        subsets.iter().map(|name| format!("{name} = {{ languages = [\"{name}-Latn\"] }}\n")).collect();
    let card = "schema = 1\nname = \"MyClusters\"\ntype = \"Clustering\"\ndescription = \"d\"\n[dataset]\npath = \"data\"\n\
                [protocol]\nmax_documents = 0\n[subsets]\n";
    fs::write(folder.join("task.toml"), format!("{card}{subsets}")).unwrap();
}

/// Writes the data of a subset.
pub fn write_clusters(folder: &Path, subset: &str, rows: usize) {
    let row = |row| format!("{{\"sentences\": \"kata {row} {}\", \"labels\": \"{}\"}}\n", row % 3, row % 3);
    let rows: String = (0..rows).map(row).collect();
    let data = folder.join("data").join(subset);
    fs::create_dir_all(&data).unwrap();
    fs::write(data.join("test.jsonl"), rows).unwrap();
}

#[test]
fn languages_of_the_card_are_written_anew_without_scoring() {
    let folder = folder();
    run(folder.path(), &[]);
    let before = result(folder.path(), HASHING);
    let path = folder.path().join("task.toml");
    let card = fs::read_to_string(&path).unwrap();
    fs::write(&path, card.replace("ind-Latn", "jav-Latn")).unwrap();
    let never = run(folder.path(), &["--overwrite", "never"]);
    assert_eq!((states(&never), result(folder.path(), HASHING)), (vec!["found".to_owned()], before.clone()));
    let again = run(folder.path(), &[]);
    assert_eq!(states(&again), ["found"], "no score depends on them");
    assert_eq!(
        again.stderr,
        "MySTS: languages of the card updated in the result; the scores are unchanged\n"
    );
    let mut expected = before;
    expected["scores"]["test"][0]["languages"] = serde_json::json!(["jav-Latn"]);
    assert_eq!(result(folder.path(), HASHING), expected, "and nothing else is");
    let mean = run(folder.path(), &[]);
    assert_eq!((states(&mean), mean.stderr.as_str()), (vec!["found".to_owned()], ""));
}

#[test]
fn a_file_that_is_no_longer_read_did_not_change() {
    let folder = tempfile::tempdir().unwrap();
    let write = |train: &str| {
        let card = format!(
            "schema = 1\nname = \"T\"\ntype = \"Classification\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
             [dataset]\npath = \"data\"\ntrain_split = \"{train}\"\n"
        );
        fs::write(folder.path().join("task.toml"), card).unwrap();
    };
    fs::create_dir(folder.path().join("data")).unwrap();
    for name in ["train.csv", "dev.csv", "test.csv"] {
        let rows = format!("text,label\na {name},x\nb {name},y\nc {name},z\n");
        fs::write(folder.path().join("data").join(name), rows).unwrap();
    }
    write("train");
    assert_eq!(states(&run(folder.path(), &[])), ["scored"]);
    write("dev");
    let other = run(folder.path(), &[]);
    assert_eq!(
        other.stderr,
        "T: will be scored again: data no longer read: train.csv; data read now: dev.csv; options changed: train_split\n"
    );
}

#[test]
fn a_variable_that_is_meant_for_plugins_belongs_to_the_model() {
    let folder = folder();
    plugin(folder.path());
    run_model(folder.path(), "changing", &[]);
    let other = run_model(folder.path(), "changing", &[("MTEB_PLUGIN_LAYER", "a thing of mine")]);
    assert_eq!(states(&other), ["scored"]);
    assert_eq!(other.stderr, "MySTS: will be scored again: model changed: MTEB_PLUGIN_LAYER\n");
    let report = other.json().unwrap();
    assert_eq!(report["texts"]["from_cache"], 0, "{report}");
    let written = fs::read_to_string(folder.path().join("results/tests__changing/1/MySTS.json")).unwrap();
    assert!(written.contains("MTEB_PLUGIN_LAYER") && !written.contains("a thing of mine"), "{written}");
    let again = run_model(folder.path(), "changing", &[("MTEB_PLUGIN_LAYER", "a thing of mine")]);
    assert_eq!(states(&again), ["found"]);
}

#[test]
fn a_plugin_that_is_part_of_the_host_is_known_by_what_it_is_made_of() {
    let folder = folder();
    run(folder.path(), &[]);
    let model = result(folder.path(), HASHING)["mteb_host"]["model"].clone();
    let code = model["code"].as_str().unwrap();
    assert!(code.starts_with("sources:") && code.len() == "sources:".len() + 16, "{model}");
    assert!(!model["plugin_version"].as_str().unwrap().contains('+'), "{model}");
}

#[test]
fn a_card_that_asks_for_another_main_score_makes_no_result_wrong() {
    let folder = folder();
    let run = || Run::of(host(folder.path()).args(["run", "--registry", "task.toml", "--quiet"])).unwrap();
    assert_eq!(run().code, Some(0));
    let card = fs::read_to_string(folder.path().join("task.toml")).unwrap();
    fs::write(folder.path().join("task.toml"), format!("main_score = \"pearson\"\n{card}")).unwrap();
    assert_eq!(run().stderr, "MySTS: will be scored again: options changed: main_score\n");
}
