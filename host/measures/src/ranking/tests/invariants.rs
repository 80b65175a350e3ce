//! What holds for every ranking, and small answers that can be checked by hand.

use proptest::prelude::*;

use crate::ranking::*;

const DOCUMENTS: u32 = 30;
const CUTS: [usize; 5] = [1, 2, 5, 10, 100];

prop_compose! {
    /// A query over `DOCUMENTS` documents; scores in steps of 1/8 tie often.
    fn query()(
        scores in prop::collection::btree_map(0..DOCUMENTS, 0u32..8, 0..30),
        grades in prop::collection::vec((0..DOCUMENTS, -1i32..4), 1..10),
    ) -> (Vec<Found>, Judgements) {
        let found = scores.into_iter().map(|(document, step)| (document, f64::from(step) / 8.0)).collect();
        (found, judgements(grades))
    }
}

fn judgements(grades: Vec<(u32, i32)>) -> Judgements {
    Judgements::new(grades.into_iter().map(|(document, grade)| (document, f64::from(grade))).collect())
}

fn ids() -> Vec<String> {
    (0..DOCUMENTS).map(|document| format!("d{document:02}")).collect()
}

fn run(queries: &[(Vec<Found>, Judgements)], ids: &[String]) -> Evaluation {
    let outcomes: Vec<Outcome<'_>> =
        queries.iter().map(|(found, judgements)| Outcome { found, judgements }).collect();
    evaluate(&outcomes, ids, &CUTS)
}

fn all(evaluation: &Evaluation) -> [&PerQuery; 6] {
    [
        &evaluation.ndcg,
        &evaluation.average_precision,
        &evaluation.recall,
        &evaluation.precision,
        &evaluation.hit_rate,
        &evaluation.reciprocal_rank,
    ]
}

proptest! {
    #[test]
    fn measures_lie_between_0_and_1(queries in prop::collection::vec(query(), 1..8)) {
        for measure in all(&run(&queries, &ids())) {
            prop_assert!(measure.iter().flatten().all(|value| (0.0..=1.0 + 1e-12).contains(value)));
        }
    }

    #[test]
    fn recall_hit_rate_and_mrr_grow_with_the_cut(queries in prop::collection::vec(query(), 1..8)) {
        let evaluation = run(&queries, &ids());
        for measure in [&evaluation.recall, &evaluation.hit_rate, &evaluation.reciprocal_rank, &evaluation.average_precision] {
            for (low, high) in measure.iter().zip(&measure[1..]) {
                prop_assert!(low.iter().zip(high).all(|(low, high)| low <= high));
            }
        }
    }

    #[test]
    fn at_cut_1_precision_hit_rate_and_mrr_are_one_number(queries in prop::collection::vec(query(), 1..8)) {
        let evaluation = run(&queries, &ids());
        prop_assert_eq!(&evaluation.precision[0], &evaluation.hit_rate[0]);
        prop_assert_eq!(&evaluation.precision[0], &evaluation.reciprocal_rank[0]);
    }

    #[test]
    fn the_order_in_which_documents_were_found_does_not_matter(
        query in query(),
        order in Just((0..30).collect::<Vec<usize>>()).prop_shuffle(),
    ) {
        let shuffled: Vec<Found> =
            order.iter().filter_map(|&place| query.0.get(place).copied()).collect();
        let (ids, judgements) = (ids(), query.1);
        let one = evaluate(&[Outcome { found: &query.0, judgements: &judgements }], &ids, &CUTS);
        let other = evaluate(&[Outcome { found: &shuffled, judgements: &judgements }], &ids, &CUTS);
        prop_assert_eq!(all(&one), all(&other));
    }

    #[test]
    fn the_order_of_the_queries_moves_no_query(queries in prop::collection::vec(query(), 1..8)) {
        let mut reversed = queries.clone();
        reversed.reverse();
        let (one, other) = (run(&queries, &ids()), run(&reversed, &ids()));
        for (measure, reversed) in all(&one).into_iter().zip(all(&other)) {
            for (values, reversed) in measure.iter().zip(reversed) {
                prop_assert!(values.iter().eq(reversed.iter().rev()));
            }
        }
    }

    #[test]
    fn p_mrr_lies_between_minus_1_and_1_and_is_0_without_change(
        one in query(),
        other in query(),
        documents in prop::collection::vec(0..DOCUMENTS, 1..5),
    ) {
        let topic = |changed| Topic { id: "t", original: &one.0, changed, documents: &documents };
        let value = p_mrr(&[topic(&other.0)], &ids()).unwrap();
        prop_assert!((-1.0..=1.0).contains(&value));
        prop_assert_eq!(p_mrr(&[topic(&one.0)], &ids()).unwrap(), 0.0);
    }

    #[test]
    fn the_names_of_documents_decide_ties_alone(
        order in Just((0..DOCUMENTS).collect::<Vec<u32>>()).prop_shuffle(),
        grades in prop::collection::vec((0..DOCUMENTS, -1i32..4), 1..10),
        names in Just((0..DOCUMENTS).collect::<Vec<u32>>()).prop_shuffle(),
    ) {
        let judgements = judgements(grades);
        let found: Vec<Found> = (0u32..).zip(&order).map(|(score, &document)| (document, f64::from(score))).collect();
        let named: Vec<String> = names.iter().map(|name| format!("n{name}")).collect();
        let one = evaluate(&[Outcome { found: &found, judgements: &judgements }], &ids(), &CUTS);
        let other = evaluate(&[Outcome { found: &found, judgements: &judgements }], &named, &CUTS);
        prop_assert_eq!(all(&one), all(&other));
    }

    #[test]
    fn the_ideal_order_has_ndcg_1(grades in prop::collection::vec((0..DOCUMENTS, 1i32..4), 1..10)) {
        let judgements = judgements(grades);
        let found: Vec<Found> =
            (0..DOCUMENTS).map(|document| (document, judgements.grade(document))).collect();
        let evaluation = evaluate(&[Outcome { found: &found, judgements: &judgements }], &ids(), &CUTS);
        for (ndcg, recall) in evaluation.ndcg.iter().zip(&evaluation.recall) {
            prop_assert!((ndcg[0] - 1.0).abs() < 1e-12);
            prop_assert!(recall[0] <= 1.0);
        }
        prop_assert_eq!(evaluation.recall[4][0], 1.0);
    }

    #[test]
    fn what_is_found_below_the_cut_changes_nothing(query in query(), extra in 0..DOCUMENTS) {
        prop_assume!(!query.0.is_empty() && query.0.iter().all(|(document, _)| *document != extra));
        let cuts = &CUTS.map(|cut| cut.min(query.0.len()))[..1];
        let mut longer = query.0.clone();
        longer.push((extra, -1.0));
        let one = evaluate(&[Outcome { found: &query.0, judgements: &query.1 }], &ids(), cuts);
        let other = evaluate(&[Outcome { found: &longer, judgements: &query.1 }], &ids(), cuts);
        prop_assert_eq!(all(&one), all(&other));
    }

    #[test]
    fn capped_recall_is_no_less_than_recall(grades in prop::collection::vec(-1i32..4, 1..30), unfound in 0usize..9) {
        let is_relevant: Vec<bool> = grades.iter().map(|grade| *grade > 0).collect();
        let found = is_relevant.iter().filter(|is_relevant| **is_relevant).count();
        let relevant = found + unfound;
        for (cut, capped) in CUTS.iter().zip(capped_recall(&is_relevant, relevant, &CUTS)) {
            prop_assert_eq!(capped.is_none(), relevant == 0);
            let hits = grades.iter().take(*cut).filter(|grade| **grade > 0).count();
            if let Some(capped) = capped {
                prop_assert!((hits as f64 / relevant as f64..=1.0).contains(&capped));
            }
        }
    }

    #[test]
    fn no_confidence_beats_the_oracle(
        queries in prop::collection::vec((-1e3..1e3, 0u32..9), 11..60),
    ) {
        let (confidences, metric): (Vec<f64>, Vec<u32>) = queries.into_iter().unzip();
        let metric: Vec<f64> = metric.into_iter().map(|eighths| f64::from(eighths) / 8.0).collect();
        let [oracle, other] = Abstention::nauc([&Abstention::new(&metric), &Abstention::new(&confidences)], &metric);
        // Of a metric that hardly varies nothing but noise is left.
        prop_assume!(metric.iter().any(|value| (value - metric[0]).abs() > 0.1));
        prop_assert!((oracle - 1.0).abs() < 1e-9 && other <= 1.0 + 1e-9, "{oracle}, {other}");
    }
}

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
