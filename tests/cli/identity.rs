//! What belongs to the identity of a score or of an embedding, and what is said of a score that stands.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, faulty_plugin, host, trust};
use serde_json::Value;

use super::task::Task;

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
