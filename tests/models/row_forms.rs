//! Embeddings without a fixed width: sparse rows score as the same rows with their zeros, single vectors by MaxSim as by the dot
//! product, and what a plugin does wrong with them fails its unit by name.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, faulty_plugin, host, host_binary};

use super::{result_file, scores};

const RERANKING: &str = "IndonesianHowToReranking";
const STS: &str = "IndonesianGeneralSTS";

/// The same counts of letters in four forms.
const LETTERS: &str = "
def counts(text):
    row = [0.0] * 32
    for letter in text:
        row[ord(letter) % 32] += 1.0
    return row

class Dense:
    revision, similarity = '1', 'dot'
    def encode(self, texts):
        return [counts(text) for text in texts]

class Sparse:
    revision, similarity, rows, dimension = '1', 'dot', 'sparse', 32
    def encode(self, texts):
        return [dict(enumerate(counts(text))) for text in texts]

class Single:
    revision, rows = '1', 'multi-vector'
    def encode(self, texts):
        return [[counts(text)] for text in texts]

class Words:
    revision, rows = '1', 'multi-vector'
    def encode(self, texts, role):
        return [[counts(word) for word in text.split()] for text in texts]
";

fn run_python(folder: &Path, task: &str, model: &str, more: &[&str]) -> Run {
    host_binary();
    fs::write(folder.join("mine.py"), LETTERS).unwrap();
    let mut command = host(folder);
    command.args(["run", "--registry", "indonesia", "--json", "--task", task]).args(more);
    command.args(["--model", &format!("python:mine.py:{model}")]);
    Run::of(command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX")).unwrap()
}

/// All scores of a task, by name.
fn all_scores(folder: &Path, task: &str) -> serde_json::Value {
    let mut file = result_file(folder, task);
    let entry = file["scores"].as_object_mut().unwrap().values_mut().next().unwrap()[0].take();
    let scores = entry.as_object().unwrap().iter().filter(|(_, score)| score.is_number());
    scores.map(|(name, score)| (name.clone(), score.clone())).collect()
}

fn score_task(task: &str, model: &str) -> (tempfile::TempDir, serde_json::Value) {
    let folder = tempfile::tempdir().unwrap();
    let run = run_python(folder.path(), task, model, &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let scores = all_scores(folder.path(), task);
    (folder, scores)
}

#[test]
fn sparse_rows_score_as_the_same_rows_with_their_zeros() {
    for task in [RERANKING, STS, "IndonesianHealthRetrieval"] {
        let (folder, sparse) = score_task(task, "Sparse");
        assert_eq!(sparse, score_task(task, "Dense").1, "{task}");
        let file = result_file(folder.path(), task);
        assert_eq!(file["mteb_host"]["model"]["rows"], "sparse");
    }
}

#[test]
fn single_vectors_score_by_max_sim_as_by_the_dot_product() {
    for task in [RERANKING, "IndonesianHealthRetrieval"] {
        let (folder, single) = score_task(task, "Single");
        assert_eq!(single, score_task(task, "Dense").1, "{task}");
        assert_ne!(single, score_task(task, "Words").1, "{task}");
        let model = result_file(folder.path(), task)["mteb_host"]["model"].clone();
        assert_eq!((&model["rows"], &model["similarity"]), (&"multi-vector".into(), &"MaxSim".into()));
    }
}

#[test]
fn several_vectors_a_text_are_refused_where_tasks_compare_single_ones() {
    let folder = tempfile::tempdir().unwrap();
    let refused = run_python(folder.path(), STS, "Words", &[]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("expected a model with one vector per text, which this task type needs"),
        "{}",
        refused.stderr
    );
    let refused = run_python(folder.path(), RERANKING, "Words", &["--similarity", "dot"]);
    assert!(
        refused.stderr.contains("compared only by MaxSim; leave out `--similarity`"),
        "{}",
        refused.stderr
    );
    let refused = run_python(folder.path(), RERANKING, "Sparse", &["--dimensions", "8"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("found one with sparse embeddings"), "{}", refused.stderr);
}

#[test]
fn tasks_that_compare_single_vectors_are_left_out_where_none_is_named() {
    let folder = tempfile::tempdir().unwrap();
    host_binary();
    fs::write(folder.path().join("mine.py"), LETTERS).unwrap();
    let mut command = host(folder.path());
    command.args(["run", "--registry", "indonesia", "--task-type", "STS", "--task-type", "Reranking"]);
    command.args(["--model", "python:mine.py:Words"]).env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX");
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains(": this model only ranks documents"), "{}", run.stderr);
}

#[test]
fn a_text_is_encoded_once_for_all_tasks_of_a_run() {
    let encoded = |more: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        host_binary();
        fs::write(folder.path().join("mine.py"), LETTERS).unwrap();
        fs::write(folder.path().join("pairs.csv"), "sentence1,sentence2,score\na,b,1\nc,d e,2\nf,a,4\n")
            .unwrap();
        let mut command = host(folder.path());
        command.args(["run", "--json", "--model", "python:mine.py:Sparse"]).args(more);
        for name in ["First", "Second"] {
            let card = format!(
                "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"Made.\"\nlanguages = [\"eng-Latn\"]\n\
                 [dataset]\npath = \"pairs.csv\"\n"
            );
            fs::write(folder.path().join(format!("{name}.toml")), card).unwrap();
            command.args(["--registry", &format!("{name}.toml")]);
        }
        let run = Run::of(command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX")).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let report = run.json().unwrap();
        let texts = report["tasks"].as_array().unwrap().iter().map(|task| task["texts"]["encoded"].as_u64());
        texts.map(Option::unwrap).collect::<Vec<_>>()
    };
    assert_eq!(encoded(&[]), [5, 0]);
    assert_eq!(
        encoded(&["--cache-memory", "0"]).iter().sum::<u64>(),
        12,
        "each column of each task for itself"
    );
}

/// Runs the model `name` of the test plugin.
fn run_rows(name: &str, variable: Option<&str>) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let plugin = faulty_plugin("rows_model", &folder.path().join("plugins")).unwrap();
    let locked =
        Run::of(host(folder.path()).args(["plugins", "lock", "--plugin-dir"]).arg(plugin.parent().unwrap()));
    assert_eq!(locked.unwrap().code, Some(0));
    let mut command = host(folder.path());
    command.args(["run", "--registry", "indonesia", "--json", "--task", RERANKING, "--model", name]);
    command.arg("--plugin-dir").arg(plugin.parent().unwrap());
    if let Some(variable) = variable {
        command.env(variable, "1");
    }
    Run::of(&mut command).unwrap()
}

#[test]
fn a_plugin_gives_rows_of_any_length() {
    assert!(scores(&run_rows("rows-sparse", None))[0] > 0.0);
    assert!(scores(&run_rows("rows-vectors", None))[0] > 0.0);
}

#[test]
fn rows_that_are_none_fail_their_unit() {
    for (name, said) in [
        ("rows-beyond", "expected places of a sparse row that ascend and are less than its dimension, 26"),
        ("rows-nan", "expected finite numbers, found NaN in the embedding of the text"),
        ("rows-short", "expected at most 26 non-zero numbers for text 0, found 4294967295"),
        ("rows-vectors-short", "numbers in the memory, as the lengths of the rows say, found"),
        ("rows-vectors-many", "expected at most 65536 vectors for text 0, found 100000"),
        ("rows-vectors-hole", "numbers in the memory, as the lengths of the rows say, found"),
        ("rows-unwritten", "expected places of a sparse row that ascend"),
        ("rows-vectors-unwritten", "expected finite numbers, found NaN in the embedding of the text"),
        ("rows-fewer", "expected rows for "),
    ] {
        let failed = run_rows(name, None);
        assert_eq!(failed.code, Some(1), "{name}: {}", failed.stderr);
        assert!(failed.stderr.contains(said), "{name}: {}", failed.stderr);
    }
    let refused = run_rows("rows-sparse", Some("MTEB_PLUGIN_SILENT"));
    assert!(
        refused
            .stderr
            .contains("expected `encode_rows` among the features of a plugin with sparse embeddings"),
        "{}",
        refused.stderr
    );
}

/// What a model says of its rows is held to what a text can have, and to what was asked for, before memory is taken.
#[test]
fn numbers_of_rows_that_no_model_has_fail_the_unit() {
    for (attributes, gives, task, said) in [
        (
            "rows = 'multi-vector'",
            "[[[1.0, 2.0]] * (100_000 if text is texts[0] else 1) for text in texts]",
            RERANKING,
            "vectors for text 0, found 100000",
        ),
        ("rows = 'multi-vector'", "[[[1.0, 2.0], [1.0]] for text in texts]", RERANKING, "rows of 2 lengths"),
        (
            "rows = 'multi-vector'",
            "[[[1.0] * (2 + len(text) % 2)] for text in texts]",
            RERANKING,
            "expected vectors of",
        ),
        (
            "rows, dimension = 'sparse', 10 ** 9",
            "[{0: 1.0} for text in texts]",
            STS,
            "expected a dimension from 1 to 1048576, found: 1000000000",
        ),
        (
            "rows, dimension = 'sparse', 8",
            "[{10 ** 9: 1.0} for text in texts]",
            STS,
            "expected integer indices from 0 to 7",
        ),
        ("dimension = 10 ** 9", "[[1.0, 2.0] for text in texts]", STS, "found: 1000000000"),
        (
            "pass",
            "[[1.0] * (1 << 21) for text in texts]",
            STS,
            "expected a dimension from 1 to 1048576, found: 2097152",
        ),
        ("pass", "[]", STS, "expected rows for 1 text, found an array of shape (0,)"),
        ("pass", "[[1.0, 2.0] for text in texts][1:] or [[1.0, 2.0]]", STS, "found an array of shape"),
        ("pass", "[[1.0] * (2 + (len(texts) > 1 and at)) for at, text in enumerate(texts)]", STS, "lengths"),
        ("pass", "[[[1.0]] for text in texts]", STS, "expected"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let code =
            format!("class M:\n    {attributes}\n    def encode(self, texts):\n        return {gives}\n");
        fs::write(folder.path().join("mine.py"), code).unwrap();
        host_binary();
        let mut command = host(folder.path());
        command.args(["run", "--registry", "indonesia", "--task", task, "--model", "python:mine.py:M"]);
        let failed = Run::of(command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX")).unwrap();
        assert_eq!(failed.code, Some(1), "{attributes}, {gives}: {}", failed.stderr);
        assert!(failed.stderr.contains(said), "{attributes}, {gives}: {}", failed.stderr);
    }
}

#[test]
fn the_conformance_kit_knows_rows_of_any_length() {
    let check = |name: &str| {
        let folder = tempfile::tempdir().unwrap();
        let plugin = faulty_plugin("rows_model", &folder.path().join("plugins")).unwrap();
        let mut command = host(folder.path());
        Run::of(command.args(["plugins", "check", "--model", name]).arg(plugin)).unwrap()
    };
    for name in ["rows-sparse", "rows-vectors"] {
        let sound = check(name);
        assert_eq!((sound.code, sound.stderr.as_str()), (Some(0), ""));
    }
    let fewer = check("rows-fewer");
    assert_eq!(fewer.code, Some(1));
    assert!(fewer.stderr.contains("encode_rows: expected 5 lengths, found 4"), "{}", fewer.stderr);
}
