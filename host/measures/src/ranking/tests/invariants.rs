//! What holds for every ranking.

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
