//! Corpora that are read piece by piece score, to the last bit, as those that are given whole.
//!
//! Fixtures are those of `search_tasks.rs`; SciFact lies in `../shared`, seen from the project
//! root.

use std::path::Path;

use crate::search_session::{SearchSession, score, unit};
use mteb_data::{DataError, Folder, Table, read_json_lines};
use mteb_tasks::{
    Corpus, EvaluateError, Part, Protocol, Scores, Similarity, TaskState, Unit, part_names, task_types,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A corpus that comes in pieces of these sizes, over and over; how many rows it has is not told.
struct Pieces {
    whole: Table,
    sizes: Vec<usize>,
}

impl Corpus for Pieces {
    fn open(&self) -> Box<dyn Iterator<Item = Result<Table, DataError>> + Send + '_> {
        let mut start = 0;
        let mut sizes = self.sizes.iter().cycle();
        Box::new(std::iter::from_fn(move || {
            let end = (start + sizes.next()?).min(self.whole.rows());
            let rows = std::mem::replace(&mut start, end)..end;
            (!rows.is_empty()).then(|| Ok(self.whole.slice(rows)))
        }))
    }
}

/// A corpus that breaks behind its first row.
struct Broken(Table);

impl Corpus for Broken {
    fn open(&self) -> Box<dyn Iterator<Item = Result<Table, DataError>> + Send + '_> {
        let fault = read_json_lines("corpus.jsonl", b"{}\n[").map(|_| Table::default());
        Box::new([Ok(self.0.slice(0..1)), fault, Ok(self.0.clone())].into_iter())
    }
}

fn streamed(
    task_type: &str,
    options: &Protocol,
    mut unit: Unit,
    sizes: &[usize],
    session: &mut SearchSession<'_>,
) -> Result<Scores, EvaluateError> {
    let whole = unit.parts.remove(&Part::Corpus).expect("a corpus");
    let corpus = Box::new(Pieces { whole, sizes: sizes.to_vec() });
    let task_type = task_types::find(task_type).expect("the task type is registered");
    task_type.plan_streamed(unit, corpus, options, &mut TaskState::new())?.score(session)
}

/// Scores `unit` whole and in pieces of all `sizes`; everything must be equal.
fn assert_same(
    task_type: &str,
    options: &Protocol,
    unit: &Unit,
    sizes: &[&[usize]],
    session: &dyn Fn() -> SearchSession<'static>,
) {
    let mut whole = session();
    let expected = score(task_type, options, unit.clone(), &mut whole).expect("scores");
    for sizes in sizes {
        let mut pieces = session();
        let found = streamed(task_type, options, unit.clone(), sizes, &mut pieces).expect("scores");
        assert_eq!(found, expected, "pieces of {sizes:?}");
        assert_eq!(pieces.phases, whole.phases, "pieces of {sizes:?}");
        assert_eq!(pieces.warnings, whole.warnings, "pieces of {sizes:?}");
        assert_eq!(pieces.encoded, whole.encoded, "pieces of {sizes:?}");
    }
}

fn cases(name: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/golden/ranking/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("fixture is part of the project");
    serde_json::from_str(&text).expect("fixture is JSON")
}

#[test]
fn every_fixture_scores_the_same_in_pieces() {
    for case in cases("tasks.json") {
        let case: &'static Value = Box::leak(Box::new(case));
        let embed: &'static _ = Box::leak(Box::new(|text: &str| -> Vec<f32> {
            let numbers = case["embeddings"][text].as_array().expect("an embedding");
            numbers.iter().filter_map(Value::as_f64).map(|number| number as f32).collect()
        }));
        let similarity = if case["similarity"] == "cosine" { Similarity::Cosine } else { Similarity::Dot };
        let session = || match case["cross_encoder"].as_bool() {
            Some(true) => SearchSession::cross_encoder(embed),
            _ => SearchSession::new(embed, similarity),
        };
        let options: Protocol = serde_json::from_value(case["options"].clone()).expect("options");
        let task_type = case["task_type"].as_str().expect("a task type");
        assert_same(task_type, &options, &unit(&case["parts"]), &[&[1], &[2, 1], &[7]], &session);
    }
}

/// The first letters tell queries from documents, the number where a document stands on a line.
fn place_on_a_line(text: &str) -> Vec<f32> {
    let number: i64 = text[1..].parse().expect("a number");
    vec![if text.starts_with('q') { number as f32 } else { (number * 7919 % 60013 - 30000) as f32 }]
}

/// 60,000 documents, more than enter the heaps at a time.
#[test]
fn pieces_that_cross_the_ends_of_chunks_change_nothing() {
    for mut case in cases("two_chunks.json") {
        let corpus = (0..60_000).map(|i| json!({"_id": format!("d{i}"), "text": format!("t{i}")}));
        case["parts"]["corpus"] = corpus.collect();
        let session = || SearchSession::new(&place_on_a_line, Similarity::Dot);
        let sizes: [&[usize]; 3] = [&[50_001], &[256, 2048, 16_384], &[49_999, 1]];
        assert_same("Retrieval", &Protocol::default(), &unit(&case["parts"]), &sizes, &session);
    }
}

/// Twelve numbers that hardly differ from text to text, so that many scores tie.
fn coarse(text: &str) -> Vec<f32> {
    let mut row = vec![0.0; 12];
    text.bytes().for_each(|byte| row[usize::from(byte % 12)] += 0.25);
    row
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Ids and texts that occur again, scores that tie, judged documents that are absent.
    #[test]
    fn no_cut_into_pieces_changes_a_score(
        documents in prop::collection::vec((0..60_u32, "[a-c ]{0,6}", "[a-c]{0,2}"), 1..120),
        queries in prop::collection::vec((0..6_u32, "[a-c]{1,6}"), 1..8),
        judged in prop::collection::vec((0..6_u32, 0..70_u32, -1..3_i64), 1..60),
        given in prop::collection::vec((0..6_u32, prop::collection::vec(any::<prop::sample::Index>(), 0..9)), 0..6),
        sizes in prop::collection::vec(1..40_usize, 1..5),
        ignore_identical_ids: bool,
        largest_cut in 1..40_usize,
        kind in 0..4_usize,
    ) {
        let similarity =
            [Similarity::Cosine, Similarity::Dot, Similarity::Euclidean, Similarity::Manhattan][kind];
        let corpus: Vec<Value> =
            documents.iter().map(|(id, text, title)| json!({"id": id, "text": text, "title": title})).collect();
        // The first query is judged, and so is a document that is there, so that something can be
        // scored.
        let judged = [(queries[0].0, documents[0].0, 1)].into_iter().chain(judged);
        let mut parts = json!({
            "corpus": corpus,
            "queries": queries.iter().map(|(id, text)| json!({"id": id, "text": text})).collect::<Vec<_>>(),
            "qrels": judged
                .map(|(query, document, score)| json!({"query-id": query, "corpus-id": document, "score": score}))
                .collect::<Vec<_>>(),
        });
        if !given.is_empty() {
            let ids = |list: &[prop::sample::Index]| -> Vec<u32> {
                list.iter().map(|index| index.get(&documents).0).collect()
            };
            let rows = given.iter().map(|(query, list)| json!({"query-id": query, "corpus-ids": ids(list)}));
            parts["top_ranked"] = rows.collect();
        }
        let options = Protocol { k_values: Some(vec![1, largest_cut]), ignore_identical_ids, ..Protocol::default() };
        let session = || SearchSession::new(&coarse, similarity);
        assert_same("Retrieval", &options, &unit(&parts), &[&sizes, &[1]], &session);
    }
}

#[test]
fn a_corpus_that_breaks_off_fails_with_its_place() {
    let parts = json!({
        "corpus": [{"_id": "a", "text": "t1"}, {"_id": "b", "text": "t2"}],
        "queries": [{"_id": "1", "text": "q1"}],
        "qrels": [{"query-id": "1", "corpus-id": "a", "score": 1}],
    });
    let mut unit = unit(&parts);
    let corpus = Box::new(Broken(unit.parts.remove(&Part::Corpus).expect("a corpus")));
    let task_type = task_types::find("Retrieval").expect("the task type is registered");
    let plan = task_type
        .plan_streamed(unit, corpus, &Protocol::default(), &mut TaskState::new())
        .expect("the corpus is read later");
    assert_eq!(plan.texts(), None);
    let mut session = SearchSession::new(&place_on_a_line, Similarity::Dot);
    let error = plan.score(&mut session).expect_err("the corpus is damaged").to_string();
    assert!(error.starts_with("corpus.jsonl, line 2: expected a JSON object"), "{error}");
}

#[test]
fn sci_fact_scores_the_same_in_pieces() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let Ok(mut revisions) = shared.join("hub/datasets/mteb/scifact").read_dir() else {
        return mteb_host_tests::absent(format!("no {}", shared.display()));
    };
    let revision = revisions.next().expect("one revision").expect("a folder");
    let folder = Folder::open(&revision.path(), &part_names()).expect("a dataset");
    let read = |config: &str| {
        let splits = folder.splits(config).expect("the config is there");
        let split = if splits.contains(&"test") { "test" } else { splits[0] };
        folder.read(config, split).expect("the config can be read")
    };
    let parts = [(Part::Corpus, "corpus"), (Part::Queries, "queries"), (Part::Qrels, "default")];
    let unit = Unit::new(
        ["SciFact", "test", "default"],
        parts.map(|(part, config)| (part, read(config))).into_iter().collect(),
    );
    let session = || SearchSession::new(&coarse, Similarity::Cosine);
    assert_same("Retrieval", &Protocol::default(), &unit, &[&[256, 1000, 3000]], &session);
}
