//! What belongs to the identity of a score or of an embedding, as a smaller dimension does, and what is said
//! of a score that stands. What it has cost stands in its file, and makes nothing scored again.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, faulty_plugin, host, trust, without_times};
use serde_json::Value;

use super::new_task::Task;

pub(super) const PAIRS: &str =
    "sentence1,sentence2,score\na b c,a b c,5\na b c,d e f,0\na b c,a b d,4\nx y,x z,2\n";

/// What became of the only unit of a run.
pub(super) fn state(run: &Run) -> String {
    let report: Value = run.json().unwrap_or_else(|_| panic!("{}", run.stderr));
    report["tasks"][0]["units"][0]["state"].as_str().unwrap().to_owned()
}

/// A module that is called as the library, whose models are what their folder says of pooling.
pub(super) const LIBRARY: &str = "
import json, os
class SentenceTransformer:
    default_prompt_name, prompts, max_seq_length, device, similarity_fn_name = None, {}, 128, 'cpu', 'cosine'
    def __init__(self, place, **more):
        with open(os.path.join(place, '1_Pooling', 'config.json')) as file:
            self.first = json.load(file)['first']
    def parameters(self):
        return iter(())
    def get_sentence_embedding_dimension(self):
        return 32
    def encode(self, texts, **more):
        rows = []
        for text in texts:
            row = [self.first] + [0.1] * 31
            for letter in text:
                row[ord(letter) % 32] += 1.0
            rows.append(row)
        return rows
";

#[test]
fn every_file_of_a_model_folder_belongs_to_the_model() {
    let task = Task::pairs(PAIRS);
    task.write("packages/sentence_transformers.py", LIBRARY);
    task.write("packages/torch.py", "float32, bfloat16, float16 = 'f32', 'bf16', 'f16'\n");
    task.write("model/model.safetensors", "weights");
    task.write("model/modules.json", "[]");
    let run = |first: &str| {
        task.write("model/1_Pooling/config.json", format!("{{\"first\": {first}}}"));
        let mut command = host(task.folder());
        command.args(["run", "--registry", "card.toml", "--json", "--model", "st:model", "--revision", "1"]);
        command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX");
        let run = Run::of(command.env("PYTHONPATH", task.folder().join("packages"))).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        (state(&run), run.stderr)
    };
    assert_eq!(run("1.0"), ("scored".to_owned(), String::new()));
    assert_eq!(run("1.0"), ("found".to_owned(), String::new()));
    let (again, said) = run("9.0");
    assert_eq!(
        (again.as_str(), said.as_str()),
        ("scored", "T: will be scored again: model changed: files beside the weights\n")
    );
}

/// A search in a folder laid out like the hub.
fn hub_search() -> (Task, String) {
    let revision = "0123456789abcdef0123456789abcdef01234567";
    let task = Task::of("Retrieval", ".", &[]);
    let card = fs::read_to_string(task.folder().join("card.toml")).unwrap();
    let hub = format!("hub = \"a/b\"\nrevision = \"{revision}\"");
    task.write("card.toml", card.replace("path = \".\"", &hub));
    let data = format!("hub/datasets/a/b/{revision}");
    task.write(
        &format!("{data}/corpus.jsonl"),
        "{\"_id\":\"d1\",\"text\":\"satu\"}\n{\"_id\":\"d2\",\"text\":\"dua\"}\n",
    );
    task.write(&format!("{data}/queries.jsonl"), "{\"_id\":\"q1\",\"text\":\"satu\"}\n");
    task.write(&format!("{data}/qrels/test.tsv"), "query-id\tcorpus-id\tscore\nq1\td1\t1\n");
    (task, data)
}

fn from_hub(folder: &Path) -> Run {
    let args = ["run", "--registry", "card.toml", "--json", "--hub-dir", "hub"];
    let run = Run::of(host(folder).args(args)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

#[test]
fn a_file_of_a_hub_folder_that_another_one_replaced_is_looked_at() {
    let (task, data) = hub_search();
    assert_eq!(state(&from_hub(task.folder())), "scored");
    assert_eq!(state(&from_hub(task.folder())), "found");
    let folder = task.folder().join(&data);
    fs::remove_file(folder.join("qrels/test.tsv")).unwrap();
    assert_eq!(state(&from_hub(task.folder())), "found", "a file that is not there is that of its commit");
    task.write(&format!("{data}/qrels/dev.tsv"), "query-id\tcorpus-id\tscore\nq1\td2\t1\n");
    let again = from_hub(task.folder());
    assert_eq!(state(&again), "scored");
    assert!(
        again.stderr.contains("there is no split test of the qrels: those of dev are used"),
        "{}",
        again.stderr
    );
}

#[test]
fn warnings_about_data_stay_with_the_score() {
    let (task, data) = hub_search();
    let folder = task.folder().join(&data);
    fs::rename(folder.join("qrels/test.tsv"), folder.join("qrels/dev.tsv")).unwrap();
    let warning = "warning: T, split test, subset default: there is no split test of the qrels: those of dev are used\n";
    let first = from_hub(task.folder());
    assert_eq!((state(&first).as_str(), first.stderr.as_str()), ("scored", warning));
    let second = from_hub(task.folder());
    assert_eq!((state(&second).as_str(), second.stderr.as_str()), ("found", warning));
    let result = fs::read_to_string(task.folder().join("results/mteb-host__hashing/1/T.json")).unwrap();
    let result: Value = serde_json::from_str(&result).unwrap();
    let kept = &result["mteb_host"]["units"]["test"]["default"]["warnings"];
    assert_eq!(kept.as_array().unwrap().len(), 1, "{kept}");
}

#[test]
fn embeddings_of_two_names_are_not_taken_for_each_other() {
    let task = Task::pairs(PAIRS);
    faulty_plugin("changing_model", &task.folder().join("plugins")).unwrap();
    trust(task.folder(), &task.folder().join("plugins")).unwrap();
    let from_cache = |model: &str| {
        let args =
            ["run", "--registry", "card.toml", "--json", "--plugin-dir", "plugins", "--overwrite", "always"];
        let run = Run::of(host(task.folder()).args(args).args(["--model", model])).unwrap();
        run.json().unwrap_or_else(|_| panic!("{}", run.stderr))["texts"]["from_cache"].as_u64().unwrap()
    };
    assert_eq!(from_cache("changing"), 0);
    assert!(from_cache("changing") > 0);
    assert_eq!(from_cache("changing-large"), 0, "each name has embeddings of its own");
}

const TASK: &str = "IndonesianLawRetrieval";
const EXPERIMENTS: &str = "results/mteb-host__hashing/1/experiments";

fn run_smaller(folder: &Path, more: &[&str]) -> Run {
    Run::of(host(folder).args(["run", "--quiet", "--task", TASK, "--dimensions", "64"]).args(more)).unwrap()
}

fn main_score(folder: &Path, experiment: &str) -> f64 {
    let path = folder.join(EXPERIMENTS).join(experiment).join(format!("{TASK}.json"));
    let file: Value =
        serde_json::from_str(&fs::read_to_string(path).unwrap().replace("NaN", "null")).unwrap();
    file["scores"]["test"][0]["main_score"].as_f64().unwrap()
}

#[test]
fn what_bits_found_is_ordered_anew_as_another_identity() {
    let folder = tempfile::tempdir().unwrap();
    let bits = ["--quantize", "ubinary"];
    let rescored = ["--quantize", "ubinary", "--rescore-multiplier", "4", "--rankings"];
    for more in [&bits[..], &rescored] {
        let first = run_smaller(folder.path(), more);
        // With so few bits some queries find documents of one score alone, and it is said.
        assert_eq!(first.code, Some(0), "{more:?}: {}", first.stderr);
    }
    let experiment = "embed_dim_64__output_dtypes_ubinary__rescore_multiplier_4";
    let (bits, rescored_score) = (
        main_score(folder.path(), "embed_dim_64__output_dtypes_ubinary"),
        main_score(folder.path(), experiment),
    );
    assert!(bits != rescored_score, "{bits}");
    let before =
        fs::read(folder.path().join(EXPERIMENTS).join(experiment).join(format!("{TASK}.json"))).unwrap();
    let again = run_smaller(folder.path(), &rescored).stderr;
    assert!(
        again.lines().all(|line| line.contains("have the same score")),
        "it stands, with what was said of it: {again}"
    );
    let after =
        fs::read(folder.path().join(EXPERIMENTS).join(experiment).join(format!("{TASK}.json"))).unwrap();
    assert!(before == after, "nothing is scored twice");

    let file = format!("{EXPERIMENTS}/{experiment}/rankings/{TASK}/test/default.trec.gz");
    let args = ["score", "--rankings", &file, "--task", TASK, "--json"];
    let scored = Run::of(host(folder.path()).args(args)).unwrap();
    assert_eq!(scored.code, Some(0), "{}", scored.stderr);
    let found = &scored.json().unwrap()["main_score"]["ndcg_at_10"];
    assert_eq!(found.as_f64(), Some(rescored_score), "the ranking is the one that was scored");
}

#[test]
fn only_bits_are_rescored() {
    let folder = tempfile::tempdir().unwrap();
    let refused = run_smaller(folder.path(), &["--quantize", "int8", "--rescore-multiplier", "4"]);
    assert_eq!(refused.code, Some(2));
    assert_eq!(
        refused.stderr,
        "error: `--rescore-multiplier` rescores what was found by bits: expected `--quantize ubinary`, found: int8\n"
    );
    let none = Run::of(host(folder.path()).args(["run", "--task", TASK, "--dimensions", "0"])).unwrap();
    assert_eq!(none.code, Some(2));
    assert!(
        none.stderr.contains("'--dimensions <N,N>': expected a whole number of at least 1"),
        "{}",
        none.stderr
    );
}

const STS: &str = "IndonesianGeneralSTS";
const LAW: &str = "IndonesianLawRetrieval";

fn run_bundled(folder: &Path, more: &[&str]) -> Run {
    let tasks = ["--task", STS, "--task", LAW];
    let run =
        Run::of(host(folder).args(["run", "--quiet", "--model", "random"]).args(tasks).args(more)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn text(folder: &Path, task: &str) -> String {
    let mut found = None;
    let results = folder.join("results/mteb__baseline-random-encoder");
    for revision in fs::read_dir(results).unwrap() {
        found = fs::read_to_string(revision.unwrap().path().join(format!("{task}.json"))).ok().or(found);
    }
    found.unwrap()
}

fn result(folder: &Path, task: &str) -> Value {
    serde_json::from_str(&text(folder, task).replace("NaN", "null")).unwrap()
}

#[test]
fn every_result_says_what_it_has_cost() {
    let folder = tempfile::tempdir().unwrap();
    run_bundled(folder.path(), &[]);
    for task in [STS, LAW] {
        let result = result(folder.path(), task);
        let footprint = &result["mteb_host"]["footprint"];
        let number =
            |key: &str| footprint[key].as_f64().unwrap_or_else(|| panic!("{task}, {key}: {footprint}"));
        for key in ["memory_mb", "host_memory_mb", "worker_memory_mb"] {
            assert!(number(key) > 1.0, "{task}, {key}: {footprint}");
        }
        assert_eq!(number("embedding_bytes"), 128.0, "32 numbers of 4 bytes");
        assert!(number("texts") >= number("texts_encoded") && number("texts_encoded") > 0.0, "{footprint}");
        assert!(number("threads") >= 1.0 && number("texts_per_second") > 0.0 && number("units") == 1.0);
        for stretch in ["reading", "encoding", "searching", "scoring"] {
            let work = &footprint["seconds"][stretch];
            assert!(work["wall"].is_number() && work["processor"].is_number(), "{stretch}: {footprint}");
        }
        for key in ["gpu_memory_mb", "gpu_joules"] {
            assert_eq!(
                footprint.get(key),
                Some(&Value::Null),
                "{task}, {key}: no card computes: {footprint}"
            );
        }
        assert_eq!(footprint["libraries"]["mteb-host"], env!("CARGO_PKG_VERSION"));
        assert_eq!(result["footprint"]["memory_mb"], footprint["memory_mb"]);
        assert_eq!(result["footprint"]["model_parameters"], footprint["model_parameters"]);
    }
}

#[test]
fn a_footprint_is_no_reason_to_score_again_and_changes_no_other_byte() {
    let folder = tempfile::tempdir().unwrap();
    run_bundled(folder.path(), &[]);
    let before = [STS, LAW].map(|task| text(folder.path(), task));
    assert_eq!(run_bundled(folder.path(), &["--batch-tokens", "512"]).stderr, "");
    assert_eq!([STS, LAW].map(|task| text(folder.path(), task)), before, "nothing was scored");
    run_bundled(folder.path(), &["--overwrite", "always"]);
    for (task, before) in [STS, LAW].into_iter().zip(&before) {
        let now = text(folder.path(), task);
        assert_eq!(without_times(&now).unwrap(), without_times(before).unwrap(), "{task}");
    }
}

#[test]
fn models_are_measured_on_the_texts_of_a_task() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["efficiency", "hashing", "random", "--offline", "--repeat", "2", "--singles", "5"];
    let json = Run::of(host(folder.path()).args(args).arg("--json")).unwrap();
    assert_eq!(json.code, Some(0), "{}", json.stderr);
    assert!(
        json.stderr.contains("; the texts of IndonesianGeneralSTS are encoded instead\n"),
        "the data of STS15 is not at hand: {}",
        json.stderr
    );
    let found: Value = json.json().unwrap();
    assert_eq!((&found["task"], &found["batch_size"]), (&"IndonesianGeneralSTS".into(), &32.into()));
    let [hashing, random] = found["models"].as_array().unwrap().as_slice() else { panic!("{found}") };
    assert_eq!((&random["embedding_kb"], &random["embedding_bytes"]), (&0.128.into(), &128.into()));
    for model in [hashing, random] {
        let speed = &model["texts_per_second"];
        let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{model}"));
        assert_eq!(speed["passes"].as_array().unwrap().len(), 2);
        assert!(number(&speed["lowest"]) <= number(&speed["median"]) && number(&speed["lowest"]) > 0.0);
        assert!(number(&model["latency_ms"]["p50"]) <= number(&model["latency_ms"]["p95"]));
        assert!(number(&model["load_seconds"]) > 0.0 && number(&model["memory_mb"]) > 1.0);
    }
    let table = Run::of(host(folder.path()).args(args).args(["--task", "IndonesianGeneralSTS"])).unwrap();
    assert!(table.stdout.contains("mteb-host/hashing") && table.stdout.contains("kB per embedding"));
}

#[test]
fn a_model_that_does_not_encode_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["efficiency", "bm25", "--task", "IndonesianGeneralSTS"];
    let refused = Run::of(host(folder.path()).args(args)).unwrap();
    assert_eq!(refused.code, Some(2));
    assert_eq!(
        refused.stderr,
        "error: model bm25: expected a model that encodes texts, found one that ranks documents\n"
    );
}
