//! Units with everything that can be odd about data, and what is said of them.

use std::collections::BTreeMap;

use mteb_card::TaskCard;
use mteb_data::{DataError, Table, read_json_lines};
use mteb_tasks::{Part, Unit};
use serde_json::{Value, json};

use super::*;

fn table(rows: Value) -> Table {
    let lines: Vec<String> = rows.as_array().unwrap().iter().map(Value::to_string).collect();
    read_json_lines("f.jsonl", lines.join("\n").as_bytes()).unwrap()
}

fn stats(task_type: &str, parts: Vec<(Part, Value)>, corpus: Option<Vec<Value>>) -> Value {
    let card = format!(
        "schema = 1\nname = \"T\"\ntype = \"{task_type}\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"p\"\n"
    );
    let parts: BTreeMap<Part, Table> = parts.into_iter().map(|(part, rows)| (part, table(rows))).collect();
    let unit = Unit::new(["T", "test", "default"], parts);
    let chunks = corpus.map(|chunks| chunks.into_iter().map(|rows| Ok::<_, DataError>(table(rows))));
    let stats = unit_stats(&TaskCard::from_toml(&card).unwrap(), &unit, chunks).unwrap();
    serde_json::to_value(stats).unwrap()
}

const LONG: &str = "Pemerintah daerah akan memperbaiki jalan yang rusak karena hujan deras pada bulan ini.";

#[test]
fn a_classification_unit() {
    let train = json!([{"text": LONG, "label": 0}, {"text": "baik", "label": 1}]);
    let rows = json!([
        {"text": "baik", "label": 1},
        {"text": "Pemerintah daerah akan memperbaiki jalan yang rusak karena hujan deras pada bulan ini!", "label": 0},
        {"text": "  ", "label": 1},
        {"text": "baik", "label": null},
        {"text": "né", "label": 1},
    ]);
    let stats = stats("Classification", vec![(Part::Rows, rows), (Part::Train, train)], None);
    let rows = &stats["parts"]["rows"];
    assert_eq!((&rows["rows"], &rows["repeated_rows"]), (&json!(5), &json!(1)));
    assert_eq!(
        rows["texts"]["text"],
        json!({
            "count": 5, "empty": 1, "missing": 0, "repeated": 1,
            "characters": {"total": 98, "mean": 19.6, "min": 2, "p25": 2, "p50": 4, "p75": 4, "p95": 86, "p99": 86, "max": 86},
        })
    );
    assert_eq!(rows["labels"], json!({"distinct": 2, "missing": 1, "counts": {"0": 1, "1": 3}}));
    assert_eq!(rows["languages"], json!({"sample": 5, "unsure": 4, "languages": {"ind": 1}}));
    assert_eq!(stats["train_overlap"], json!({"texts": 5, "exact": 2, "near": 1, "compared": 2}));
    assert_eq!(stats["parts"]["train"]["rows"], json!(2));
}

#[test]
fn copies_are_counted_in_one_form_of_their_letters() {
    let rows = json!([{"text": "caf\u{e9}", "label": 0}, {"text": "cafe\u{301}", "label": 0}, {"text": "cafe", "label": 0}]);
    let stats = stats("Classification", vec![(Part::Rows, rows)], None);
    let rows = &stats["parts"]["rows"];
    assert_eq!((&rows["repeated_rows"], &rows["texts"]["text"]["repeated"]), (&json!(1), &json!(1)));
}

#[test]
fn a_corpus_in_chunks() {
    let queries =
        json!([{"_id": "q1", "text": "apa"}, {"_id": "q2", "text": "isi"}, {"_id": "q3", "text": "x"}]);
    let qrels = json!([
        {"query-id": "q1", "corpus-id": 1, "score": 2},
        {"query-id": "q1", "corpus-id": 9, "score": 1},
        {"query-id": "q2", "corpus-id": 2, "score": 0},
    ]);
    let lists = json!([{"query-id": "q1", "corpus-ids": ["1", "2"]}, {"query-id": "q2", "corpus-ids": []}]);
    let corpus = vec![
        json!([{"_id": "1", "text": "isi", "title": "Judul"}, {"_id": "2", "text": "lain", "title": ""}]),
        json!([{"_id": "2", "text": "isi", "title": "Judul"}]),
    ];
    let parts = vec![(Part::Queries, queries), (Part::Qrels, qrels), (Part::TopRanked, lists)];
    let stats = stats("Reranking", parts, Some(corpus));
    assert_eq!(
        stats["judgements"],
        json!({
            "judgements": 3, "grades": {"0": 1, "1": 1, "2": 1}, "judged_queries": 2, "unjudged_queries": 1,
            "queries_without_relevant": 1, "relevant_per_query": 1.0, "absent_documents": 1, "repeated_ids": 1,
            "queries_in_corpus": 1, "candidates_per_query": 1.0,
        })
    );
    let corpus = &stats["parts"]["corpus"];
    assert_eq!((&corpus["rows"], &corpus["repeated_rows"]), (&json!(3), &json!(1)));
    assert_eq!(corpus["texts"]["title"]["empty"], json!(1));
    assert_eq!(corpus["texts"]["text"]["repeated"], json!(1));
}

#[test]
fn judgements_that_lead_nowhere_are_not_among_those_that_are_scored() {
    let card = "schema = 1\nname = \"T\"\ntype = \"Retrieval\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"p\"\n";
    let judged = |query: &str, document: &str, score: i64| json!({"query-id": query, "corpus-id": document, "score": score});
    let qrels = json!([
        judged("q1", "d1", 2),
        judged("q1", "gone", 1),
        judged("gone", "d1", 1),
        judged("q2", "d1", 0)
    ]);
    let queries = json!([{"_id": "q1", "text": "apa"}, {"_id": "q2", "text": "siapa"}]);
    let parts = [
        (Part::Queries, queries),
        (Part::Qrels, qrels),
        (Part::Corpus, json!([{"_id": "d1", "text": "isi"}])),
    ];
    let parts: BTreeMap<Part, Table> = parts.into_iter().map(|(part, rows)| (part, table(rows))).collect();
    let none = None::<std::iter::Empty<Result<Table, DataError>>>;
    let unit = Unit::new(["T", "test", "default"], parts);
    let found = unit_stats(&TaskCard::from_toml(card).unwrap(), &unit, none).unwrap().judgements.unwrap();
    assert_eq!((found.judgements, found.judged_queries, found.absent_documents), (4, 3, 1), "all of them");
    let scored = ScoredJudgements {
        judgements: 2,
        grades: BTreeMap::from([(Grade(0.0), 1), (Grade(2.0), 1)]),
        queries: 2,
        relevant_per_query: 0.5,
    };
    assert_eq!(found.scored, scored);
}

#[test]
fn lists_count_element_by_element() {
    let rows = json!([{
        "text": "isi", "human_summaries": ["a", "b"], "machine_summaries": ["a", "c", "d"], "relevance": [1.0, 2.0, 4.5],
    }]);
    let stats = stats("Summarization", vec![(Part::Rows, rows)], None);
    let rows = &stats["parts"]["rows"];
    assert_eq!(rows["texts"]["machine_summaries"]["count"], json!(3));
    assert_eq!(rows["scores"], json!({"count": 3, "min": 1.0, "mean": 2.5, "max": 4.5, "distinct": 3}));
}

#[test]
fn a_column_that_the_task_needs_is_missed() {
    let unit =
        Unit::new(["T", "test", "default"], BTreeMap::from([(Part::Rows, table(json!([{"text": "a"}])))]));
    let card = "schema = 1\nname = \"T\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"p\"\n";
    let none = None::<std::iter::Empty<Result<Table, DataError>>>;
    let error = unit_stats(&TaskCard::from_toml(card).unwrap(), &unit, none).unwrap_err().to_string();
    let advice = "if it has another name, say so in the card: `columns = { sentence1 = \"…\" }`";
    assert_eq!(error, format!("f.jsonl: no column `sentence1`; its columns are text; {advice}"));
}
