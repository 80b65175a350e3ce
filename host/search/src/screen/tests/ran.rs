//! What a search says of the kernels that ran: those that did, not those that it might have run.

use super::*;

const BOTH: &[Kernel] =
    &[Kernel::Integers(IntegerKernel::Portable8), Kernel::Integers(IntegerKernel::Portable16)];
const QUERIES: usize = 20;
const DIMENSION: usize = 32;

/// What ran in a search of one chunk for the `depth` best documents of twenty queries.
fn ran(documents: &[f32], depth: usize, screened: bool) -> Vec<(&'static str, u64)> {
    let queries = random(1, QUERIES * DIMENSION);
    let search = Search::with(BOTH, Similarity::Dot, queries, DIMENSION, depth);
    assert!(search.ran().is_empty(), "nothing has run yet");
    let ids = ids(documents.len() / DIMENSION);
    let floors = [f32::NEG_INFINITY; QUERIES];
    search
        .best_of(&mut documents.to_vec(), DIMENSION, 0, &ids, &floors, screened)
        .expect("scores are numbers");
    search.ran()
}

#[test]
fn a_kernel_that_was_passed_over_is_not_named() {
    let documents = random(2, 5000 * DIMENSION);
    // So many are wanted that the first kernel would tell too few apart.
    let deep = ran(&documents, 100, true);
    assert_eq!(deep.first(), Some(&("int16 portable", 20)), "{deep:?}");
    assert!(deep.iter().all(|&(name, _)| name != "int8 portable"), "{deep:?}");
    assert_eq!(ran(&documents, 10, true).first(), Some(&("int8 portable", 20)));
}

#[test]
fn what_no_kernel_tells_apart_is_said_to_have_come_to_f32() {
    let equal = random(3, DIMENSION).repeat(3000);
    assert_eq!(ran(&equal, 10, true), [("int8 portable", 20), ("int16 portable", 20), ("f32", 20)]);
    assert_eq!(ran(&random(2, 600 * DIMENSION), 10, false), [("f32", 20)]);
    // Larger than what the error bound covers: nothing is screened.
    let huge: Vec<f32> = random(2, 600 * DIMENSION).iter().map(|value| value * 1e19).collect();
    assert_eq!(ran(&huge, 10, true), [("f32", 20)]);
}
