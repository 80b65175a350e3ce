//! A search whose corpus is cut into ranges that several sessions search finds, to the last bit,
//! what one session finds; so does a reranking whose pairs are cut.

use std::ops::Range;
use std::sync::Arc;

use crate::search_session::{SearchSession, unit};
use mteb_data::{Column, Table, Texts};
use mteb_tasks::{
    EvaluateError, Evaluated, FoundInRanges, Keep, Matrix, Part, Plan, Protocol, RANGE_PAIRS, Ranges, Role,
    Session, Similarity, TaskState, task_types,
};
use serde_json::json;

/// Five ranges, of which the last is short.
const DOCUMENTS: u32 = 210_000;

const KEEP: Keep = Keep { items: true, rankings: Some(60) };

/// Two numbers that hardly differ from text to text, so that thousands of scores tie.
fn coarse(text: &str) -> Vec<f32> {
    let number: u32 = text[1..].parse().expect("a number");
    vec![(number * 7919 % 601) as f32, (number % 5) as f32]
}

/// Ids occur again in later ranges, two query rows share an id, and judged documents are in the
/// first range and in the last.
fn plan() -> Box<dyn Plan> {
    let mut unit = unit(&json!({
        "queries": (0..7).map(|row| json!({"_id": format!("q{}", row % 6), "text": format!("q{row}")})).collect::<Vec<_>>(),
        "qrels": (0..6)
            .flat_map(|query| [query * 31, 149_999 - query].map(|document| (query, document)))
            .map(|(query, document)| json!({"query-id": format!("q{query}"), "corpus-id": format!("d{document}"), "score": 1}))
            .collect::<Vec<_>>(),
    }));
    let ids: Texts = (0..DOCUMENTS).map(|row| format!("d{}", row % 150_000)).collect();
    let texts: Texts = (0..DOCUMENTS).map(|row| format!("t{row}")).collect();
    let columns = vec![("_id".to_owned(), Column::Text(ids)), ("text".to_owned(), Column::Text(texts))];
    unit.parts.insert(Part::Corpus, Table::new("corpus.jsonl", columns).expect("a table"));
    let options = Protocol { k_values: Some(vec![1, 40]), ..Protocol::default() };
    let retrieval = task_types::find("Retrieval").expect("the task type is registered");
    retrieval.plan(unit, &options, &mut TaskState::new()).expect("a plan")
}

fn searched(plan: &dyn Plan, ranges: &[Range<u32>]) -> (FoundInRanges, usize) {
    let mut session = SearchSession::new(&coarse, Similarity::Dot);
    let found =
        plan.search_ranges(&mut session, &Ranges::new(ranges.to_vec()), KEEP).expect("what was found");
    (found, session.encoded.len())
}

fn joined(plan: &dyn Plan, found: FoundInRanges) -> Result<(Evaluated, Vec<String>), EvaluateError> {
    let mut session = Joined { found: Arc::new(found), warnings: Vec::new() };
    let evaluated = plan.evaluate(&mut session, KEEP)?;
    Ok((evaluated, session.warnings))
}

#[expect(clippy::single_range_in_vec_init, reason = "a shard may have one range")]
#[test]
fn however_ranges_are_dealt_out_the_join_is_the_search_of_one() {
    let plan = plan();
    let mut whole = SearchSession::new(&coarse, Similarity::Dot);
    let expected = plan.evaluate(&mut whole, KEEP).expect("scores");
    let all: Range<u32> = 0..u32::MAX;
    let dealt: [&[&[Range<u32>]]; 4] = [
        &[&[all]],
        &[&[4..u32::MAX], &[3..4], &[0..1], &[2..3], &[1..2]],
        &[&[1..2, 3..4], &[0..1, 2..3, 4..u32::MAX]],
        // A range that nobody needs, beyond the end of the corpus.
        &[&[0..3], &[3..5], &[5..u32::MAX]],
    ];
    for shards in dealt {
        let mut documents = 0;
        let parts = shards.iter().map(|ranges| {
            let (found, encoded) = searched(&*plan, ranges);
            documents += encoded - 7;
            found
        });
        let found = parts
            .reduce(|mut all, found| all.join(found).map(|()| all).expect("one search"))
            .expect("shards");
        assert_eq!(documents, DOCUMENTS as usize, "each document is encoded once: {shards:?}");
        let (evaluated, warnings) = joined(&*plan, found).expect("scores");
        assert_eq!(evaluated, expected, "{shards:?}");
        assert_eq!(warnings, whole.warnings, "{shards:?}");
    }
}

#[expect(clippy::single_range_in_vec_init, reason = "a shard may have one range")]
#[test]
fn what_was_found_for_other_cuts_is_refused() {
    let plan = plan();
    let (found, _) = searched(&*plan, &[0..u32::MAX]);
    let other = FoundInRanges { depth: 10, ..found };
    let error = joined(&*plan, other).expect_err("another depth").to_string();
    assert!(error.contains("found 10 for each of 7 among 210000"), "{error}");
}

/// Pairs of four ranges, the last of which is short: two query rows share an id, and lists have
/// different lengths.
fn reranking() -> Box<dyn Plan> {
    let document = |number: u32| format!("d{}", number % 500);
    let list =
        |query: u32| (0..380 + query % 50).map(|place| document(query * 7 + place)).collect::<Vec<_>>();
    let unit = unit(&json!({
        "corpus": (0..500).map(|row| json!({"_id": document(row), "text": format!("t{row}")})).collect::<Vec<_>>(),
        "queries": (0..301)
            .map(|row| json!({"_id": format!("q{}", row % 300), "text": format!("q{row}")}))
            .collect::<Vec<_>>(),
        "qrels": (0..300)
            .map(|query| json!({"query-id": format!("q{query}"), "corpus-id": document(query * 7), "score": 1}))
            .collect::<Vec<_>>(),
        "top_ranked": (0..300)
            .map(|query| json!({"query-id": format!("q{query}"), "corpus-ids": list(query)}))
            .collect::<Vec<_>>(),
    }));
    let reranking = task_types::find("Reranking").expect("the task type is registered");
    reranking.plan(unit, &Protocol::default(), &mut TaskState::new()).expect("a plan")
}

#[expect(clippy::single_range_in_vec_init, reason = "a shard may have one range")]
#[test]
fn however_pairs_are_dealt_out_the_join_is_the_reranking_of_one() {
    let plan = reranking();
    assert_eq!(plan.pairs().map(|pairs| pairs.div_ceil(RANGE_PAIRS as usize)), Some(4));
    let mut whole = SearchSession::cross_encoder(&coarse);
    let expected = plan.evaluate(&mut whole, KEEP).expect("scores");
    let scored = |ranges: &[Range<u32>]| {
        let mut session = SearchSession::cross_encoder(&coarse);
        plan.search_ranges(&mut session, &Ranges::new(ranges.to_vec()), KEEP).expect("what was found")
    };
    let together = |shards: &[&[Range<u32>]]| {
        let parts = shards.iter().map(|ranges| scored(ranges));
        parts.reduce(|mut all, found| all.join(found).map(|()| all).expect("one reranking")).expect("shards")
    };
    let shards: [&[&[Range<u32>]]; 3] =
        [&[&[0..u32::MAX]], &[&[3..u32::MAX], &[1..2], &[0..1, 2..3]], &[&[0..3], &[3..4], &[4..u32::MAX]]];
    for shards in shards {
        let (evaluated, warnings) = joined(&*plan, together(shards)).expect("scores");
        assert_eq!(evaluated, expected, "{shards:?}");
        assert_eq!(warnings, whole.warnings, "{shards:?}");
    }
    // A range that nobody has scored is missed.
    let half = joined(&*plan, together(&[&[0..1], &[2..u32::MAX]])).expect_err("a range is missing");
    assert!(half.to_string().contains("pairs of queries and candidates, found "), "{half}");
}

/// A session that has what was found, and no model.
struct Joined {
    found: Arc<FoundInRanges>,
    warnings: Vec<String>,
}

impl Session for Joined {
    fn encode_texts(&mut self, _: &Texts, _: Range<usize>, _: Option<Role>) -> Result<Matrix, EvaluateError> {
        panic!("nothing is encoded")
    }

    fn predict(&mut self, _: &Texts, _: &Texts) -> Result<Option<Vec<f32>>, EvaluateError> {
        Ok(None)
    }

    fn found(&self) -> Option<Arc<FoundInRanges>> {
        Some(Arc::clone(&self.found))
    }

    fn similarity(&self) -> Similarity {
        Similarity::Dot
    }

    fn phase(&mut self, _: &str) {}

    fn warn(&mut self, message: &str) {
        self.warnings.push(message.to_owned());
    }
}
