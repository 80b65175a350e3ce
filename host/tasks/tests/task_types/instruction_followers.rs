//! p-MRR on made-up embeddings: what a model that follows an instruction comes to, one that ignores it, and one that does the contrary.

use crate::search_session::{SearchSession, score, unit};
use mteb_tasks::{Options, Similarity};
use serde_json::{Value, json};

/// How many candidates each topic has.
const CANDIDATES: usize = 400;

/// Topics whose first document stops being relevant once the instruction is changed.
fn rows() -> Value {
    let documents: Vec<String> = (0..CANDIDATES).map(|number| format!("d{number}")).collect();
    let both = |topic: usize| [format!("{topic}-og"), format!("{topic}-changed")];
    let queries: Vec<String> = (0..3).flat_map(both).collect();
    let judged = |id: &String| {
        let first = i32::from(id.ends_with("-og"));
        [
            json!({"query-id": id, "corpus-id": "d0", "score": first}),
            json!({"query-id": id, "corpus-id": "d1", "score": 1}),
        ]
    };
    json!({
        "corpus": documents.iter().map(|id| json!({"_id": id, "text": id})).collect::<Vec<_>>(),
        "queries": queries.iter().map(|id| json!({"_id": id, "text": "topic"})).collect::<Vec<_>>(),
        "instruction": queries.iter().map(|id| {
            let (_, version) = id.split_once('-').expect("a topic and a version");
            json!({"query-id": id, "instruction": version})
        }).collect::<Vec<_>>(),
        "qrels": queries.iter().flat_map(judged).collect::<Vec<_>>(),
        "qrel_diff": (0..3).map(|topic| json!({"query-id": topic.to_string(), "corpus-ids": ["d0"]})).collect::<Vec<_>>(),
        "top_ranked": queries.iter().map(|id| json!({"query-id": id, "corpus-ids": documents})).collect::<Vec<_>>(),
    })
}

/// The p-MRR of a model that looks for the first document to the degrees that it is told for both instructions.
fn p_mrr(original: f32, changed: f32) -> f64 {
    // Documents lie along a line, the first one at its end; a query looks up or down that line.
    let embed = |text: &str| match text.strip_prefix('d').and_then(|number| number.parse::<usize>().ok()) {
        Some(number) => vec![1.0 - number as f32 / CANDIDATES as f32],
        None if text.contains("changed") => vec![changed],
        None => vec![original],
    };
    let mut session = SearchSession::new(&embed, Similarity::Dot);
    let scores = score("InstructionReranking", &Options::default(), unit(&rows()), &mut session);
    scores.expect("scores").number("p-MRR").expect("a number")
}

#[test]
fn a_perfect_follower_is_near_1_and_the_contrary_near_minus_1() {
    assert!(p_mrr(1.0, -1.0) > 0.99, "{}", p_mrr(1.0, -1.0));
    assert!(p_mrr(-1.0, 1.0) < -0.99, "{}", p_mrr(-1.0, 1.0));
}

#[test]
fn a_model_that_ignores_the_instruction_is_at_0_however_well_it_searches() {
    assert_eq!(p_mrr(1.0, 1.0), 0.0);
    assert_eq!(p_mrr(-1.0, -1.0), 0.0);
}
