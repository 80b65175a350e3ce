//! Whole datasets scored for the random baseline encoder, beside the reference's result files (protocol 16).
//!
//! The datasets and result files lie in `../shared`, seen from the project root; without it the tests say that they check
//! nothing, and fail where `CI` is `true`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use mteb_data::{Column, Folder, Table, read_file};
use mteb_measures::numeric::{numpy_round, python_round};
use mteb_measures::random::Generator;
use mteb_tasks::{Part, Protocol, Score, Scores, Similarity, TaskState, Unit, part_names, task_types};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::given_session::{GivenSession, score, score_parts};
use crate::search_session::{self, SearchSession};

/// Dimension of the baseline's embeddings.
const DIMENSION: usize = 32;

/// Scores are rounded to six decimals; two values on the two sides of a rounding edge differ by one unit there.
const TOLERANCE: f64 = 1e-6;

/// Keys that the result file adds to the scores.
const ADDED: [&str; 4] = ["main_score", "hf_subset", "languages", "mteb_version"];

/// `mteb/baseline-random-encoder`, revision 2: draws of a generator that the text's hash seeds.
fn embed(text: &str) -> Vec<f32> {
    let hash = Sha256::digest(text.as_bytes());
    let seed = hash.iter().skip(28).fold(0u64, |seed, byte| seed << 8 | u64::from(*byte));
    let mut generator = Generator::new(seed);
    (0..DIMENSION).map(|_| generator.random_f32()).collect()
}

/// The folder of shared datasets and result files, or `None` with a message.
#[track_caller]
fn shared() -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if shared.join("hub").is_dir() {
        return Some(shared);
    }
    mteb_host_tests::absent(format!("no {}", shared.display()));
    None
}

/// The only revision of the dataset `name` of the hub.
fn revision(shared: &Path, name: &str) -> PathBuf {
    let dataset = shared.join("hub/datasets/mteb").join(name);
    let revision = dataset.read_dir().expect("the dataset is there").next().expect("one revision");
    revision.expect("a folder").path()
}

/// The dataset `name` of the hub, in its only revision.
fn open(shared: &Path, name: &str) -> Folder {
    Folder::open(&revision(shared, name), &part_names()).expect("the folder can be read")
}

/// The scores of a unit beside the numbers that its entry in a result file has; their keys are the same in the same order.
fn beside<'a>(
    found: &'a Scores,
    expected: &'a Value,
    place: &str,
) -> impl Iterator<Item = (&'a str, &'a Score, &'a Value)> {
    let expected = expected.as_object().expect("an entry").iter();
    let expected: Vec<(&String, &Value)> =
        expected.filter(|(key, _)| !ADDED.contains(&key.as_str())).collect();
    let keys: Vec<&String> = found.0.iter().map(|(key, _)| key).collect();
    assert_eq!(keys, expected.iter().map(|(key, _)| *key).collect::<Vec<_>>(), "{place}: keys in order");
    found.0.iter().zip(expected).map(|((key, found), (_, expected))| (key.as_str(), found, expected))
}

/// Rounding decides where some fits end (the end-to-end test says which and why), and then single
/// predictions flip: how far the scores of such an experiment may be away, the means over ten, and
/// how many experiments of a task may be such.
const FLIPPED_EXPERIMENT: f64 = 0.011;
const FLIPPED_MEAN: f64 = 0.0011;
const FLIPPED: usize = 2;

/// Compares entries; adds the experiments in which predictions are flipped to `flipped`.
fn assert_equal_but_flips(found: &Scores, expected: &Value, place: &str, flipped: &mut BTreeSet<String>) {
    for (key, found, expected) in beside(found, expected, place) {
        let (of, place) = (place, format!("{place}, {key}"));
        match (found, expected) {
            (Score::List(found), Value::Array(expected)) => {
                assert_eq!(found.len(), expected.len(), "{place}");
                for (index, pair) in found.iter().zip(expected).enumerate() {
                    let (Score::Map(found), expected) = pair else { panic!("{place}: no experiment") };
                    assert_equal_but_flips(found, expected, &format!("{place}[{index}]"), flipped);
                }
            }
            (Score::Number(found), Value::Number(expected)) => {
                let expected = expected.as_f64().expect("a number");
                let distance = (found - expected).abs();
                let is_experiment = of.ends_with(']');
                let limit = if is_experiment { FLIPPED_EXPERIMENT } else { FLIPPED_MEAN };
                assert!(distance <= limit, "{place}: expected {expected}, found {found}");
                if distance >= TOLERANCE && is_experiment {
                    flipped.insert(of.to_owned());
                }
            }
            // The result files hold the token `NaN`, which is no JSON and is read as null here.
            (Score::Number(found), Value::Null) => assert!(found.is_nan(), "{place}: expected NaN"),
            (found, expected) => assert_eq!((found, expected), (&Score::Null, &Value::Null), "{place}"),
        }
    }
}

/// Scores every entry of the task's result file; the dataset's labels lie in column `labels`.
fn check_classification(task: &str, dataset: &str, labels: &str) {
    let Some(shared) = shared() else { return };
    let file = shared.join("golden/random").join(format!("{task}.json"));
    let text = std::fs::read_to_string(file).expect("the result file is there").replace("NaN", "null");
    let result: Value = serde_json::from_str(&text).expect("the result file is JSON");
    let folder = open(&shared, dataset);
    let mut flipped = BTreeSet::new();
    for (split, entries) in result["scores"].as_object().expect("splits") {
        for entry in entries.as_array().expect("entries") {
            let subset = entry["hf_subset"].as_str().expect("a name");
            let read = |split| {
                let table = folder.read(subset, split).expect("the split is there");
                table.rename([("label", labels)]).expect("the labels are there")
            };
            let parts = BTreeMap::from([(Part::Train, read("train")), (Part::Rows, read(split.as_str()))]);
            let mut session = GivenSession::new(&embed, Similarity::Cosine);
            let scores =
                score_parts("Classification", &Protocol::default(), parts, &mut session).expect("scores");
            assert_equal_but_flips(
                &scores,
                entry,
                &format!("{task}, split {split}, subset {subset}"),
                &mut flipped,
            );
        }
    }
    assert!(flipped.len() <= FLIPPED, "{flipped:?}");
}

#[test]
fn banking_77_with_many_classes_equals_the_reference() {
    check_classification("Banking77Classification", "banking77", "label");
}

#[test]
fn nusa_x_with_a_config_a_language_equals_the_reference() {
    check_classification("NusaX-senti", "NusaX-senti", "label");
}

#[test]
fn sib_200_with_texts_as_labels_and_three_splits_equals_the_reference() {
    check_classification("SIB200Classification", "sib200", "category");
}

/// Keys in order and values to the last written digit.
fn assert_equal(found: &Scores, expected: &Value, place: &str) {
    for (key, found, expected) in beside(found, expected, place) {
        assert_score(found, expected, &format!("{place}, {key}"));
    }
}

fn assert_score(found: &Score, expected: &Value, place: &str) {
    match (found, expected) {
        (Score::Map(found), expected) => assert_equal(found, expected, place),
        (Score::List(found), Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{place}");
            found.iter().zip(expected).for_each(|(found, expected)| assert_score(found, expected, place));
        }
        (Score::Number(found) | Score::Numpy(found), Value::Number(expected)) => {
            let expected = expected.as_f64().expect("a number");
            assert!((found - expected).abs() < TOLERANCE, "{place}: expected {expected}, found {found}");
        }
        (found, expected) => panic!("{place}: expected {expected}, found {found:?}"),
    }
}

/// The task joins the three splits of the dataset.
fn join_splits(folder: &Folder, subset: &str) -> Table {
    let splits =
        ["train", "validation", "test"].map(|split| folder.read(subset, split).expect("the split is there"));
    let all = Table::concat(splits.to_vec()).expect("the splits have the same columns");
    all.rename([("sentences", "text"), ("labels", "category")]).expect("the columns are there")
}

#[test]
fn sib_200_whose_subsets_continue_one_random_state_equals_the_reference() {
    let Some(shared) = shared() else { return };
    let file = shared.join("golden/random/SIB200ClusteringS2S.json");
    let text = std::fs::read_to_string(file).expect("the result file is there");
    let result: Value = serde_json::from_str(&text).expect("the result file is JSON");
    let folder = open(&shared, "sib200");
    let options = Protocol { max_documents: Some(1004), ..Protocol::default() };
    let task_type = task_types::find("Clustering").expect("the task type is registered");
    let mut state = TaskState::new();
    for entry in result["scores"]["test"].as_array().expect("entries") {
        let subset = entry["hf_subset"].as_str().expect("a name").to_owned();
        let parts = BTreeMap::from([(Part::Rows, join_splits(&folder, &subset))]);
        let unit = Unit::new(["SIB200ClusteringS2S", "test", &subset], parts);
        let plan = task_type.plan(unit, &options, &mut state).expect("a plan");
        let scores = plan.score(&mut GivenSession::new(&embed, Similarity::Cosine)).expect("scores");
        assert_equal(&scores, entry, &subset);
    }
}

/// A file of the dataset `name` of the hub, in its only revision.
fn read(shared: &Path, name: &str, file: &str) -> Table {
    read_file(&revision(shared, name).join(file)).expect("the file can be read")
}

/// Scores every entry of the task's result file, on the rows that `rows` gives for its subset.
fn check_pairs(shared: &Path, task: &str, task_type: &str, options: &Protocol, rows: impl Fn(&str) -> Table) {
    let file = shared.join("golden/random").join(format!("{task}.json"));
    let text = std::fs::read_to_string(file).expect("the result file is there");
    let result: Value = serde_json::from_str(&text).expect("the result file is JSON");
    for entries in result["scores"].as_object().expect("splits").values() {
        for entry in entries.as_array().expect("entries") {
            let subset = entry["hf_subset"].as_str().expect("a name");
            let mut session = GivenSession::new(&embed, Similarity::Cosine);
            let scores = score(task_type, options, rows(subset), &mut session).expect("scores");
            let expected: Vec<(&str, f64)> = entry
                .as_object()
                .expect("an entry")
                .iter()
                .filter(|(key, _)| !ADDED.contains(&key.as_str()))
                .map(|(key, value)| (key.as_str(), value.as_f64().expect("a number")))
                .collect();
            let found: Vec<(&str, f64)> = scores
                .0
                .iter()
                .map(|(key, _)| (key.as_str(), python_round(scores.number(key).expect("a number"), 6)))
                .collect();
            assert_eq!(found, expected, "{task}, subset {subset}");
        }
    }
}

/// The rows of `table` whose column `lang` holds `subset`, in order.
fn group(table: &Table, subset: &str) -> Table {
    let langs = table.texts("lang").expect("languages");
    let rows: Vec<usize> = (0..table.rows()).filter(|&row| &langs[row] == subset).collect();
    let side = |name: &str| Column::Text(table.texts(name).expect("sentences").select(&rows));
    pair(side("sentence1"), side("sentence2"))
}

fn pair(left: Column, right: Column) -> Table {
    let columns = vec![("sentence1".to_owned(), left), ("sentence2".to_owned(), right)];
    Table::new("rows", columns).expect("both sides are equally long")
}

#[test]
fn sts_benchmark_equals_the_reference() {
    let Some(shared) = shared() else { return };
    check_pairs(&shared, "STSBenchmark", "STS", &Protocol::default(), |_| {
        read(&shared, "stsbenchmark-sts", "test.jsonl.gz")
    });
}

#[test]
fn sem_rel_with_gold_scores_up_to_one_equals_the_reference() {
    let Some(shared) = shared() else { return };
    let options = Protocol { max_score: Some(1.0), ..Protocol::default() };
    check_pairs(&shared, "SemRel24STS", "STS", &options, |subset| {
        read(&shared, "SemRel24STS", &format!("{subset}/test-00000-of-00001.parquet"))
    });
}

#[test]
fn ntrex_with_a_column_a_language_equals_the_reference() {
    let Some(shared) = shared() else { return };
    let table = read(&shared, "NTREXBitextMining", "data/test-00000-of-00001.parquet");
    check_pairs(&shared, "NTREXBitextMining", "BitextMining", &Protocol::default(), |subset| {
        let (left, right) = subset.split_once('-').expect("two languages");
        let side = |name: &str| table.column(name).expect("a language").clone();
        pair(side(left), side(right))
    });
}

#[test]
fn nusa_x_with_a_file_a_language_pair_equals_the_reference() {
    let Some(shared) = shared() else { return };
    check_pairs(&shared, "NusaXBitextMining", "BitextMining", &Protocol::default(), |subset| {
        read(&shared, "NusaXBitextMining", &format!("{subset}/train-00000-of-00001.parquet"))
    });
}

#[test]
fn tatoeba_with_a_column_of_language_pairs_equals_the_reference() {
    let Some(shared) = shared() else { return };
    let table = read(&shared, "tatoeba-bitext-mining", "test.jsonl.gz");
    check_pairs(&shared, "Tatoeba", "BitextMining", &Protocol::default(), |subset| group(&table, subset));
}

/// A config of SciFact: the split `test`, else the only one.
fn read_config(folder: &Folder, config: &str) -> Table {
    let splits = folder.splits(config).expect("the config is there");
    let split = if splits.contains(&"test") { "test" } else { splits[0] };
    folder.read(config, split).expect("the config can be read")
}

#[test]
fn sci_fact_equals_the_reference() {
    let Some(shared) = shared() else { return };
    let folder = open(&shared, "scifact");
    let parts = [(Part::Corpus, "corpus"), (Part::Queries, "queries"), (Part::Qrels, "default")];
    let unit = Unit::new(
        ["SciFact", "test", "default"],
        parts
            .map(|(part, config)| (part, read_config(&folder, config)))
            .into_iter()
            .collect::<BTreeMap<_, _>>(),
    );
    let mut session = SearchSession::new(&embed, Similarity::Cosine);
    let scores =
        search_session::score("Retrieval", &Protocol::default(), unit, &mut session).expect("scores");
    let text = std::fs::read_to_string(shared.join("golden/random/SciFact.json")).expect("the result file");
    let result: Value = serde_json::from_str(&text).expect("the result file is JSON");
    let expected: Vec<(&str, Option<f64>)> = result["scores"]["test"][0]
        .as_object()
        .expect("an entry")
        .iter()
        .filter(|(key, _)| !ADDED.contains(&key.as_str()))
        .map(|(key, value)| (key.as_str(), value.as_f64()))
        .collect();
    let found: Vec<(&str, Option<f64>)> = scores
        .0
        .iter()
        .map(|(key, score)| match score {
            Score::Number(number) => (key.as_str(), Some(python_round(*number, 6))),
            Score::Numpy(number) => (key.as_str(), Some(numpy_round(*number, 6))),
            _ => (key.as_str(), None),
        })
        .collect();
    assert_eq!(found, expected);
    let phases = result["evaluation_phases"].as_array().expect("phases");
    let names =
        phases.iter().filter(|phase| phase["split"] == "test").filter_map(|phase| phase["name"].as_str());
    assert_eq!(session.phases, names.collect::<Vec<_>>());
}
