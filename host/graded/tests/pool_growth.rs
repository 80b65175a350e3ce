//! It is sometimes said that the order of two models cannot change when a pool grows. It can.

use mteb_graded::evaluate::{Grades, Ranks, Unjudged, curves};

/// nDCG at 2 of the models A and B: A finds documents of grades [10, 2] and [2, 6], B finds [2, 2] and [8, 6].
fn scores(first_pool: &[f64]) -> (f64, f64) {
    let second_pool = [8.0, 6.0, 2.0];
    let starts = vec![0, first_pool.len(), first_pool.len() + second_pool.len()];
    let grades = Grades::new(starts, [first_pool, &second_pool].concat());
    let a = Ranks::new([[0, 2], [2, 1]]);
    let b = Ranks::new([[2, 3], [0, 1]]);
    let found = curves(&[a, b], &[grades], &[6.0], Unjudged::Zero);
    (found[0][0].ndcg[1], found[1][0].ndcg[1])
}

fn rounded((a, b): (f64, f64)) -> (f64, f64) {
    ((a * 1000.0).round() / 1000.0, (b * 1000.0).round() / 1000.0)
}

/// The two new documents are found by neither model; they only show that the first query was answered less well than it seemed, which
/// costs A, who did well there, more than B.
#[test]
fn two_more_documents_in_a_pool_turn_the_order_of_two_models_around() {
    assert_eq!(rounded(scores(&[10.0, 5.0, 2.0, 2.0])), (0.674, 0.624));
    assert_eq!(rounded(scores(&[10.0, 5.0, 2.0, 2.0, 10.0, 10.0])), (0.591, 0.600));
}
