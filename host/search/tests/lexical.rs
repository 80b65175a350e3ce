//! Scores of the reference's `mteb/baseline-bm25s` (fixture from `tests/golden/lexical/make.py`).

#![allow(clippy::expect_used, reason = "a test stops at what it did not expect")]

use mteb_search::lexical::{Bm25Builder, Language};
use serde::Deserialize;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/lexical/bm25.json");

#[derive(Deserialize)]
struct Case {
    language: String,
    documents: Vec<String>,
    queries: Vec<String>,
    /// The score of each document, a row a query.
    scores: Vec<Vec<f32>>,
}

#[test]
fn every_score_is_that_of_the_reference_bit_for_bit() {
    let text = std::fs::read_to_string(GOLDEN).expect("fixture is part of the project");
    let cases: Vec<Case> = serde_json::from_str(&text).expect("fixture is JSON");
    assert!(cases.iter().flat_map(|case| case.scores.iter().flatten()).any(|score| *score > 0.0));
    for case in cases {
        let mut builder = Bm25Builder::new(Language::of(&case.language));
        case.documents.iter().for_each(|document| builder.add(document));
        let index = builder.finish();
        for (query, expected) in case.queries.iter().zip(case.scores) {
            assert_eq!(index.scores(query), expected, "{}: {query}", case.language);
        }
    }
}

#[test]
fn of_equal_scores_the_larger_id_comes_first() {
    let mut builder = Bm25Builder::new(Language::of("ind"));
    ["ikan laut", "burung", "ikan sungai", "kucing"].iter().for_each(|document| builder.add(document));
    let ids = ["a", "d", "b", "c"];
    let best = builder.finish().best("ikan", 3, &ids[..]);
    assert_eq!(best.iter().map(|&(document, _)| ids[document as usize]).collect::<Vec<_>>(), ["b", "a", "d"]);
    assert_eq!(best[2].1, 0.0);
}

#[test]
fn a_query_of_unknown_words_finds_nothing_in_particular() {
    let mut builder = Bm25Builder::new(Language::of("eng"));
    builder.add("rivers");
    assert_eq!(builder.finish().scores("the mountains"), [0.0]);
}

#[test]
fn the_best_are_the_begin_of_the_order_of_all_however_few_are_asked_for() {
    let documents = ["ikan laut", "burung", "ikan ikan", "ikan sungai", "kucing", "laut biru", "ikan laut"];
    let ids = ["d", "g", "a", "c", "f", "e", "b"];
    let mut builder = Bm25Builder::new(Language::of("ind"));
    documents.iter().for_each(|document| builder.add(document));
    let index = builder.finish();
    for query in ["ikan", "ikan laut", "burung", "gajah"] {
        let all = index.best(query, documents.len(), &ids[..]);
        assert_eq!(all.len(), documents.len());
        for depth in 0..documents.len() {
            assert_eq!(index.best(query, depth, &ids[..]), all[..depth], "{query}: {depth}");
        }
    }
}

#[test]
fn kept_rankings_take_no_more_room_than_their_documents() {
    let mut builder = Bm25Builder::new(Language::of("ind"));
    (0..1000).for_each(|_| builder.add("ikan"));
    let ids: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
    assert_eq!(builder.finish().best("ikan", 10, &ids[..]).capacity(), 10);
}
