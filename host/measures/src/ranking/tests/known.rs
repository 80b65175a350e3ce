//! Small answers that can be checked by hand.

use crate::ranking::*;

/// Protocol, appendix A: judgements {a:3, b:2, c:1, d:−1, e:0}, z found but not judged.
#[test]
fn the_protocols_known_answer() {
    let ids = ["a", "b", "c", "d", "e", "z"];
    let found = [(0, 0.1), (1, 0.9), (2, 0.8), (3, 0.95), (4, 0.5), (5, 0.4)];
    let judgements = Judgements::new(vec![(0, 3.0), (1, 2.0), (2, 1.0), (3, -1.0), (4, 0.0)]);
    let evaluation = evaluate(&[Outcome { found: &found, judgements: &judgements }], &ids[..], &[3, 5]);
    assert_eq!(evaluation.ndcg, [[0.36999401273810767], [0.36999401273810767]]);
    assert_eq!(evaluation.average_precision[0], [0.38888888888888884]);
}

#[test]
fn scores_that_f32_cannot_tell_apart_tie_for_trec_eval_but_not_for_mrr() {
    let ids = ["a", "b"];
    let found = [(0, 0.5 + 1e-12), (1, 0.5)];
    let judgements = Judgements::new(vec![(0, 1.0)]);
    let evaluation = evaluate(&[Outcome { found: &found, judgements: &judgements }], &ids[..], &[1]);
    assert_eq!(evaluation.recall, [[0.0]]);
    assert_eq!(evaluation.reciprocal_rank, [[1.0]]);
}

#[test]
fn ties_rank_the_larger_id_first_by_code_point() {
    let ids = ["d10", "d9", "é", "z"];
    assert_eq!(best_first(&ids[..], &[(0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0)], 3), [2, 3, 1]);
    assert_eq!(rank_of(&ids[..], &[(0, 1.0), (1, 1.0)], 0), 2);
    assert_eq!(rank_of(&ids[..], &[(0, 1.0), (1, 1.0)], 3), 3);
}

#[test]
fn a_query_without_relevant_documents_or_results_scores_zero() {
    let ids = ["a", "b"];
    let zero = Judgements::new(vec![(0, 0.0), (1, -1.0)]);
    let one = Judgements::new(vec![(0, 1.0)]);
    let queries = [
        Outcome { found: &[(0, 1.0), (1, 0.5)], judgements: &zero },
        Outcome { found: &[], judgements: &one },
    ];
    for (name, value) in evaluate(&queries, &ids[..], &[1, 10]).summary() {
        assert!(value == 0.0 || (name.starts_with("nauc") && value.is_nan()), "{name} is {value}");
    }
}

#[test]
fn a_missing_partner_is_named() {
    let error = paired_accuracy(&["7_q1", "8_q1", "8_q2"], &[1.0, 1.0, 1.0]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "paired accuracy: expected a query `7_q2`, found none; the queries of a pair end in _q1 and _q2"
    );
}

#[test]
fn an_instruction_level_without_queries_is_named() {
    assert_eq!(level_scores(&["a_v1", "b_v3"], &[1.0, 1.0]), Err(RankingError::EmptyLevel { mark: "v2" }));
}

#[test]
fn p_mrr_is_positive_when_the_document_fell_and_needs_a_topic() {
    let ids = ["a", "b"];
    let (first, second) = ([(0, 1.0), (1, 0.5)], [(0, 0.5), (1, 1.0)]);
    let topic = |original, changed| Topic { id: "1", original, changed, documents: &[0] };
    assert_eq!(p_mrr(&[topic(&first, &second)], &ids[..]), Ok(0.5));
    assert_eq!(p_mrr(&[topic(&second, &first)], &ids[..]), Ok(-0.5));
    assert_eq!(p_mrr(&[], &ids[..]), Err(RankingError::NoTopic));
}

/// Two queries, k = 2, of a pool that grows by two documents of grade 10: the order of two systems turns.
#[test]
fn a_larger_pool_can_turn_the_order_of_two_systems() {
    let mean = |found: [[f64; 2]; 2], pools: [&[f64]; 2]| {
        let discounts = Discounts::new(2);
        let values = found.iter().zip(pools).map(|(found, pool)| ndcg(found, pool, &[2], &discounts)[0]);
        values.sum::<f64>() / 2.0
    };
    let (a, b) = ([[10.0, 2.0], [2.0, 6.0]], [[2.0, 2.0], [8.0, 6.0]]);
    let (small, large): ([&[f64]; 2], [&[f64]; 2]) =
        ([&[10.0, 5.0, 2.0, 2.0], &[8.0, 6.0, 2.0]], [&[10.0, 10.0, 10.0, 5.0, 2.0, 2.0], &[8.0, 6.0, 2.0]]);
    let rounded = |value: f64| (value * 1000.0).round() / 1000.0;
    assert_eq!([a, b].map(|system| rounded(mean(system, small))), [0.674, 0.624]);
    assert_eq!([a, b].map(|system| rounded(mean(system, large))), [0.591, 0.6]);
}
