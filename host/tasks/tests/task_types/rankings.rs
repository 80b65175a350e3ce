//! Rankings that a unit hands back, and rankings of others that are scored in place of a search.

use std::ops::Range;
use std::sync::Arc;

use crate::search_session::{SearchSession, unit};
use mteb_data::Texts;
use mteb_items::rankings::{Ranked, Rankings};
use mteb_measures::ranking::DocumentIds;
use mteb_search::Scored;
use mteb_tasks::{
    DocumentIndex, EvaluateError, Evaluated, IndexBuilder, ItemColumn, Keep, Matrix, Protocol, Ranker, Role,
    Session, Similarity, TaskState, Unit, task_types,
};
use serde_json::{Value, json};

/// Three queries, of which nobody judged the last; the longest document is nearest to each.
fn parts(given: Option<Value>) -> Value {
    let mut parts = json!({
        "corpus": [
            {"_id": "a", "title": "", "text": "satu"}, {"_id": "b c", "title": "", "text": "dua dua"},
            {"_id": "d", "title": "T", "text": "tiga tiga tiga"},
        ],
        "queries": [{"_id": "q1", "text": "satu"}, {"_id": "q2", "text": "tiga"}, {"_id": "q3", "text": "lima"}],
        "qrels": [
            {"query-id": "q1", "corpus-id": "a", "score": 1},
            {"query-id": "q2", "corpus-id": "d", "score": 1},
        ],
    });
    parts["top_ranked"] = given.unwrap_or(Value::Null);
    parts
}

fn evaluated(parts: &Value, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
    let unit = Unit { keeps_all: true, ..unit(parts) };
    let retrieval = task_types::find("Retrieval").expect("the task type is registered");
    retrieval.plan(unit, &Protocol::default(), &mut TaskState::new())?.evaluate(session, keep)
}

/// A session that is not asked for embeddings.
#[derive(Default)]
struct NoModel {
    rankings: Option<Arc<Rankings>>,
    ranker: Option<Longest>,
    warnings: Vec<String>,
}

impl Session for NoModel {
    fn encode_texts(&mut self, _: &Texts, _: Range<usize>, _: Option<Role>) -> Result<Matrix, EvaluateError> {
        panic!("nothing is encoded")
    }

    fn predict(&mut self, _: &Texts, _: &Texts) -> Result<Option<Vec<f32>>, EvaluateError> {
        Ok(None)
    }

    fn ranker(&self) -> Option<&dyn Ranker> {
        self.ranker.as_ref().map(|ranker| ranker as &dyn Ranker)
    }

    fn rankings(&self) -> Option<Arc<Rankings>> {
        self.rankings.clone()
    }

    fn similarity(&self) -> Similarity {
        Similarity::Cosine
    }

    fn phase(&mut self, _: &str) {}

    fn warn(&mut self, message: &str) {
        self.warnings.push(message.to_owned());
    }
}

/// Ranks documents by their length, whatever the query.
struct Longest;

struct Lengths(Vec<f32>);

impl Ranker for Longest {
    fn builder(&self) -> Box<dyn IndexBuilder> {
        Box::new(Lengths(Vec::new()))
    }
}

impl IndexBuilder for Lengths {
    fn add(&mut self, document: &str) {
        assert!(document.starts_with('\n') || document.starts_with("T\n"), "{document:?}");
        self.0.push(document.len() as f32);
    }

    fn finish(self: Box<Self>) -> Box<dyn DocumentIndex> {
        self
    }
}

impl DocumentIndex for Lengths {
    fn best(&self, _: &str, depth: usize, _: &dyn DocumentIds) -> Vec<Scored> {
        let mut best: Vec<Scored> = (0..).zip(self.0.iter().copied()).collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1));
        best.truncate(depth);
        best
    }
}

fn plain(rankings: &Rankings) -> Vec<(&str, Vec<&str>)> {
    let found = rankings.found.iter();
    let names =
        found.map(|found| found.iter().map(|ranked| &rankings.documents[ranked.document as usize]).collect());
    rankings.queries.iter().map(String::as_str).zip(names).collect()
}

/// Rankings of one query.
fn given(query: &str, documents: &[(&str, f64)]) -> Arc<Rankings> {
    let ranked = documents.iter().zip(0u32..).map(|(&(_, score), place)| Ranked {
        document: place,
        score,
        line: place + 1,
    });
    Arc::new(Rankings {
        source: "run.trec".to_owned(),
        queries: vec![query.to_owned()],
        found: vec![ranked.collect()],
        documents: documents.iter().map(|(id, _)| *id).collect(),
        may_be_escaped: true,
        ..Rankings::default()
    })
}

fn scored(parts: &Value, rankings: Arc<Rankings>) -> Result<(Evaluated, Vec<String>), String> {
    let mut session = NoModel { rankings: Some(rankings), ..NoModel::default() };
    let found = evaluated(parts, &mut session, Keep::default()).map_err(|error| error.to_string())?;
    Ok((found, session.warnings))
}

#[test]
fn a_search_hands_back_the_best_documents_of_each_query_and_what_each_query_came_to() {
    let embed = |text: &str| vec![text.len() as f32];
    let mut session = SearchSession::new(&embed, Similarity::Dot);
    let found =
        evaluated(&parts(None), &mut session, Keep { items: true, rankings: Some(2) }).expect("it is scored");
    assert_eq!(
        plain(&found.rankings.expect("rankings were asked for")),
        [("q1", vec!["d", "b c"]), ("q2", vec!["d", "b c"])]
    );
    let items = found.items.expect("items were asked for");
    assert_eq!(items.columns[0], ("query".to_owned(), ItemColumn::Text(["q1", "q2"].into_iter().collect())));
    let (_, mrr) = items.columns.iter().find(|(name, _)| name == "mrr_at_10").expect("a column");
    assert_eq!(*mrr, ItemColumn::Float(vec![1.0 / 3.0, 1.0]));
}

#[test]
fn deeper_rankings_than_the_cuts_change_no_score() {
    let embed = |text: &str| vec![text.len() as f32];
    let scores = |keep| {
        let mut session = SearchSession::new(&embed, Similarity::Dot);
        evaluated(&parts(None), &mut session, keep).expect("it is scored").scores
    };
    assert_eq!(scores(Keep::default()), scores(Keep { items: false, rankings: Some(5000) }));
}

#[test]
fn a_model_that_ranks_takes_in_title_and_text_of_the_whole_corpus() {
    let mut session = NoModel { ranker: Some(Longest), ..NoModel::default() };
    let found = evaluated(&parts(None), &mut session, Keep { items: false, rankings: Some(1000) })
        .expect("it is scored");
    assert_eq!(plain(&found.rankings.expect("rankings"))[0], ("q1", vec!["d", "b c", "a"]));
}

#[test]
fn a_model_that_ranks_orders_candidates_as_they_stand_in_the_whole_corpus() {
    let lists =
        json!([{"query-id": "q1", "corpus-ids": ["a", "b c"]}, {"query-id": "q2", "corpus-ids": ["d"]}]);
    let mut session = NoModel { ranker: Some(Longest), ..NoModel::default() };
    let found = evaluated(&parts(Some(lists)), &mut session, Keep { items: false, rankings: Some(1000) })
        .expect("it is scored");
    assert_eq!(plain(&found.rankings.expect("rankings")), [("q1", vec!["b c", "a"]), ("q2", vec!["d"])]);
}

#[test]
fn rankings_of_others_are_scored_by_their_scores() {
    let (found, warnings) =
        scored(&parts(None), given("q1", &[("d", 0.5), ("a", 0.9), ("b%20c", 0.7)])).expect("scores");
    assert_eq!(found.scores.number("mrr_at_10"), Some(0.5), "the other judged query found nothing");
    assert_eq!(warnings, ["run.trec: judged queries that it does not rank, which score 0: 1 of 2"]);
}

#[test]
fn queries_that_nobody_judged_may_be_ranked() {
    let (found, _) = scored(&parts(None), given("q3", &[("d", 0.5)])).expect("scores");
    assert_eq!(found.scores.number("mrr_at_10"), Some(0.0));
}

#[test]
fn ids_that_the_task_does_not_have_are_named_with_their_line() {
    let refusal = |parts: &Value, rankings| scored(parts, rankings).expect_err("they are refused");
    assert_eq!(
        refusal(&parts(None), given("q1", &[("a", 0.9), ("x", 0.5)])),
        "run.trec, line 2: expected the id of a document in the corpus, found: x"
    );
    assert_eq!(
        refusal(&parts(None), given("q9", &[("a", 0.9)])),
        "run.trec, line 1: expected the id of a query of this task, found: q9"
    );
    let lists = json!([{"query-id": "q1", "corpus-ids": ["a", "b c"]}]);
    assert_eq!(
        refusal(&parts(Some(lists)), given("q1", &[("b%20c", 0.9), ("d", 0.5)])),
        "run.trec, line 2: expected a candidate of query q1, found: d"
    );
}
