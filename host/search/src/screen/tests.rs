//! Searches that screen, beside the plain search: the same documents and the same bits of every score.

mod kernels;

use proptest::prelude::*;

use super::bf16::TileKernel;
use super::integer::IntegerKernel;
use super::ladder::Kernel;
use crate::{Scored, Search, SearchError, Similarity};

const LADDERS: [&[Kernel]; 9] = [
    &[Kernel::Tiles(TileKernel::Amx)],
    &[Kernel::Tiles(TileKernel::Portable)],
    &[Kernel::Integers(IntegerKernel::Vnni8)],
    &[Kernel::Integers(IntegerKernel::Vnni16)],
    &[Kernel::Integers(IntegerKernel::Avx2)],
    &[Kernel::Integers(IntegerKernel::Portable8)],
    &[Kernel::Integers(IntegerKernel::Portable16)],
    &[Kernel::Integers(IntegerKernel::Portable8), Kernel::Integers(IntegerKernel::Portable16)],
    &[Kernel::Integers(IntegerKernel::Vnni8), Kernel::Integers(IntegerKernel::Vnni16)],
];

/// The ladders that this processor can run.
fn ladders() -> impl Iterator<Item = &'static [Kernel]> {
    LADDERS.into_iter().filter(|ladder| ladder.iter().all(|kernel| kernel.available()))
}

/// Numbers between −1 and 1, the same for the same seed.
fn random(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 40) as f32 - 8_388_608.0) / 8_388_608.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

fn ids(count: usize) -> Vec<String> {
    (0..count).map(|document| format!("d{}", document * 7919 % 10007)).collect()
}

/// What a search finds and the bits of the scores, over chunks of `size` documents with the floors that follow.
fn found(
    ladder: &'static [Kernel],
    kind: Similarity,
    (queries, documents): (&[f32], &[f32]),
    dimension: usize,
    depth: usize,
    size: usize,
) -> Result<Vec<Vec<(u32, u32)>>, SearchError> {
    let ids = ids(documents.len() / dimension);
    let search = Search::with(ladder, kind, queries.to_vec(), dimension, depth);
    let mut floors = vec![f32::NEG_INFINITY; search.queries()];
    let mut all = vec![Vec::new(); search.queries()];
    for (chunk, rows) in documents.chunks(size * dimension).enumerate() {
        let first = (chunk * size) as u32;
        let best = search.best_of(&mut rows.to_vec(), dimension, first, &ids, &floors, true)?;
        for ((all, floor), best) in all.iter_mut().zip(&mut floors).zip(best) {
            if let Some(&(_, lowest)) = best.get(depth.wrapping_sub(1)) {
                *floor = floor.max(lowest);
            }
            all.extend(best.into_iter().map(|(document, score): Scored| (document, score.to_bits())));
        }
    }
    Ok(all)
}

/// Fails unless every kernel finds what the plain search finds.
fn assert_same(kind: Similarity, rows: (&[f32], &[f32]), dimension: usize, depth: usize, size: usize) {
    let expected = found(&[], kind, rows, dimension, depth, size).expect("scores are numbers");
    for ladder in ladders() {
        let screened = found(ladder, kind, rows, dimension, depth, size).expect("scores are numbers");
        assert_eq!(screened, expected, "{ladder:?}, {kind:?}, dimension {dimension}, depth {depth}");
    }
}

#[test]
fn every_shape_gives_what_the_plain_search_gives() {
    for (queries, documents, dimension, depth) in [
        (1, 1, 1, 1),
        (3, 40, 7, 5),
        (17, 300, 32, 10),
        (33, 1000, 33, 1),
        (40, 700, 255, 30),
        (20, 600, 256, 30),
        (20, 600, 257, 30),
        (9, 2000, 384, 100),
        (5, 300, 1024, 20),
        (600, 500, 48, 3),
        (16, 50, 64, 1000),
        (2, 130, 20, 0),
    ] {
        let rows = (random(1, queries * dimension), random(2, documents * dimension));
        for kind in [Similarity::Dot, Similarity::Cosine] {
            assert_same(kind, (&rows.0, &rows.1), dimension, depth, documents);
            assert_same(kind, (&rows.0, &rows.1), dimension, depth, 150);
        }
    }
}

#[test]
fn no_documents_give_nothing() {
    for ladder in ladders() {
        let found = found(ladder, Similarity::Dot, (&random(1, 64), &[]), 2, 10, 100);
        assert_eq!(found.expect("there is nothing to fail"), vec![Vec::new(); 32]);
    }
}

/// With equal rows and rows that differ by less than bf16 shows, every document survives until screening gives up.
#[test]
fn rows_that_rounding_makes_equal_are_told_apart() {
    let dimension = 40;
    let row = random(3, dimension);
    let noise = random(4, 3000 * dimension);
    let near = |scale: f32| -> Vec<f32> {
        noise.iter().zip(row.iter().cycle()).map(|(noise, value)| value * (1.0 + scale * noise)).collect()
    };
    for documents in
        [row.repeat(3000), near(1e-3), near(1e-6), [near(1e-4), random(5, 3000 * dimension)].concat()]
    {
        for kind in [Similarity::Dot, Similarity::Cosine] {
            assert_same(kind, (&random(6, 20 * dimension), &documents), dimension, 10, 6000);
            assert_same(kind, (&row, &documents), dimension, 10, 700);
        }
    }
}

/// Numbers halfway between two neighbours lose the most; here all of them lose in the same direction.
#[test]
fn the_worst_rounding_changes_nothing() {
    let halfway = |value: f32, up: bool| {
        let upper = value.to_bits() & 0xffff_0000;
        f32::from_bits(upper | if up { 0x8001 } else { 0x7fff })
    };
    for dimension in [1, 30, 384] {
        let documents: Vec<f32> = random(7, 2000 * dimension)
            .into_iter()
            .enumerate()
            .map(|(place, value)| halfway(value, place / dimension % 2 == 0))
            .collect();
        let queries: Vec<f32> =
            random(8, 20 * dimension).into_iter().map(|value| halfway(value, true)).collect();
        assert_same(Similarity::Dot, (&queries, &documents), dimension, 25, 2000);
    }
}

#[test]
fn huge_and_tiny_numbers_and_zeros_give_what_the_plain_search_gives() {
    let dimension = 12;
    for scale in [1e-44f32, 1e-38, 1e-30, 1e-22, 1e-15, 1e10, 1e17, 1e18] {
        let scaled = |seed, count| -> Vec<f32> {
            random(seed, count * dimension).into_iter().map(|value| value * scale).collect()
        };
        let mut documents = scaled(9, 900);
        documents[..dimension].fill(0.0);
        documents[5 * dimension..6 * dimension].iter_mut().for_each(|value| *value *= 1e3);
        let mut queries = scaled(10, 18);
        queries[..dimension].fill(0.0);
        for kind in [Similarity::Dot, Similarity::Cosine] {
            assert_same(kind, (&queries, &documents), dimension, 15, 500);
            assert_same(kind, (&random(10, 18 * dimension), &documents), dimension, 15, 900);
        }
    }
}

#[test]
fn scores_that_are_not_numbers_are_the_same_error() {
    let name = |result: Result<_, SearchError>| match result {
        Err(SearchError::NotANumber { query }) => Some(query),
        _ => None,
    };
    for (place, value) in [(700, f32::NAN), (3, f32::INFINITY), (2999, f32::NEG_INFINITY)] {
        let mut documents = random(11, 300 * 10);
        documents[place] = value;
        let mut queries = random(12, 20 * 10);
        queries[50 + place % 10] = 0.0;
        let rows = (&queries[..], &documents[..]);
        let expected = name(found(&[], Similarity::Dot, rows, 10, 5, 300));
        assert!(expected.is_some());
        for ladder in ladders() {
            assert_eq!(name(found(ladder, Similarity::Dot, rows, 10, 5, 300)), expected, "{value}");
        }
        let swapped = (&documents[..], &queries[..]);
        let expected = name(found(&[], Similarity::Dot, swapped, 10, 5, 300));
        for ladder in ladders() {
            assert_eq!(name(found(ladder, Similarity::Dot, swapped, 10, 5, 300)), expected, "{value}");
        }
    }
}

/// Products that overflow f32 are infinite, and rank first.
#[test]
fn scores_that_overflow_are_the_same() {
    let mut documents = random(13, 400 * 10);
    documents.iter_mut().step_by(37).for_each(|value| *value *= 1e38);
    let queries: Vec<f32> = random(14, 20 * 10).into_iter().map(|value| value.abs() * 50.0).collect();
    let positive: Vec<f32> = documents.iter().map(|value| value.abs()).collect();
    assert_same(Similarity::Dot, (&queries, &positive), 10, 8, 400);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_rows_of_unequal_length_give_what_the_plain_search_gives(
        seed in 0u64..1000, queries in 1usize..40, documents in 1usize..700, dimension in 1usize..300,
        depth in 1usize..60, size in 60usize..700, exponents in prop::collection::vec(-6i32..6, 7),
    ) {
        let mut rows = random(seed, documents * dimension);
        for (row, exponent) in rows.chunks_exact_mut(dimension).zip(exponents.iter().cycle()) {
            row.iter_mut().for_each(|value| *value *= 2f32.powi(*exponent));
        }
        for kind in [Similarity::Dot, Similarity::Cosine] {
            assert_same(kind, (&random(seed + 1, queries * dimension), &rows), dimension, depth, size);
        }
    }

    /// Small whole numbers: bf16 holds them, and ties are many.
    #[test]
    fn ties_go_to_the_same_documents(
        queries in prop::collection::vec((-2i8..3).prop_map(f32::from), 17 * 4),
        documents in prop::collection::vec((-2i8..3).prop_map(f32::from), 600 * 4),
        depth in 1usize..40, size in 100usize..600,
    ) {
        assert_same(Similarity::Dot, (&queries, &documents), 4, depth, size);
    }
}

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
