//! The parts of a screening: products on every unit, their error, and exact scores.

use super::*;
use crate::screen::exact::score;
use crate::screen::extent::Extent;
use crate::screen::kernel::{Hit, Operands, scores_of_sixteen};
use crate::screen::tiles::{GROUP, STRIDE, Tiles};

/// Screened scores of all documents with all queries, a row a document, and the extents of both.
struct Products {
    scores: Vec<Vec<f32>>,
    queries: Vec<Extent>,
    documents: Vec<Extent>,
}

fn products(kernel: Kernel, queries: &[f32], documents: &[f32], dimension: usize) -> Products {
    let (left, query_extents) = Tiles::queries(queries, dimension);
    let (right, document_extents) = Tiles::documents(documents, dimension, Vec::new());
    let thresholds = vec![[f32::NEG_INFINITY; GROUP]; left.groups()];
    let mut hits = Vec::new();
    kernel.hits(&Operands::new(&right, 0..right.groups(), &left, &thresholds), &mut hits);
    assert_eq!(
        hits.len(),
        left.groups() * right.groups() * GROUP * GROUP,
        "every score reaches minus infinity"
    );
    let mut scores = vec![vec![f32::NAN; queries.len() / dimension]; documents.len() / dimension];
    for Hit { document, query, score } in hits {
        if let Some(slot) = scores.get_mut(document as usize).and_then(|row| row.get_mut(query as usize)) {
            *slot = score;
        }
    }
    Products { scores, queries: query_extents, documents: document_extents }
}

#[test]
fn screened_scores_are_within_the_bound_of_the_exact_ones() {
    for (dimension, scale) in [(1, 1.0), (31, 1e-3), (64, 1.0), (100, 1e8), (384, 1.0), (1500, 30.0)] {
        let scaled = |seed, count| -> Vec<f32> {
            random(seed, count * dimension).iter().map(|value| value * scale).collect()
        };
        let (queries, documents) = (scaled(21, 37), scaled(22, 150));
        for kernel in kernels() {
            let found = products(kernel, &queries, &documents, dimension);
            let mut largest = 0.0f32;
            for (document, scores) in found.scores.iter().enumerate() {
                for (query, &screened) in scores.iter().enumerate() {
                    let row =
                        |rows: &[f32], row: usize| rows[row * dimension..(row + 1) * dimension].to_vec();
                    let exact = score(&row(&queries, query), &row(&documents, document));
                    let error = found.queries[query].error(found.documents[document / STRIDE], dimension);
                    largest = largest.max((exact - screened).abs() / error);
                }
            }
            assert!(largest <= 1.0, "{kernel:?}, dimension {dimension}: {largest} of the bound");
        }
    }
}

/// The bound is reached within a third when every number loses as much as it can in the same direction.
#[test]
fn the_bound_is_tight() {
    let dimension = 64;
    let row = vec![f32::from_bits(0x3f80_7fff); dimension];
    let found = products(Kernel::Portable, &row, &row, dimension);
    let error = found.queries[0].error(found.documents[0], dimension);
    let lost = score(&row, &row) - found.scores[0][0];
    assert!((0.66..=1.0).contains(&(lost / error)), "{lost} of {error}");
}

/// Sums of small whole numbers are exact on every unit, whatever the order.
#[test]
fn every_unit_multiplies_whole_numbers_exactly() {
    let whole = |seed, count| -> Vec<f32> {
        random(seed, count).iter().map(|value| (value * 100.0).round()).collect()
    };
    for dimension in [1, 32, 45, 200] {
        let (queries, documents) = (whole(23, 20 * dimension), whole(24, 140 * dimension));
        let expected = products(Kernel::Portable, &queries, &documents, dimension).scores;
        for kernel in kernels() {
            assert_eq!(products(kernel, &queries, &documents, dimension).scores, expected, "{kernel:?}");
        }
        for (document, scores) in documents.chunks(dimension).zip(&expected) {
            for (query, &screened) in queries.chunks(dimension).zip(scores) {
                assert_eq!(screened, score(query, document));
            }
        }
    }
}

#[test]
fn only_scores_that_reach_their_threshold_are_hits() {
    let (queries, documents) = (random(25, 40 * 50), random(26, 200 * 50));
    let (left, _) = Tiles::queries(&queries, 50);
    let (right, _) = Tiles::documents(&documents, 50, Vec::new());
    let thresholds: Vec<[f32; GROUP]> = (0..left.groups())
        .map(|group| std::array::from_fn(|query| (group * GROUP + query) as f32 * 0.1))
        .collect();
    for kernel in kernels() {
        let hits = |thresholds: &[[f32; GROUP]]| {
            let mut hits = Vec::new();
            kernel.hits(&Operands::new(&right, 2..10, &left, thresholds), &mut hits);
            hits.sort_by_key(|hit| (hit.document, hit.query));
            hits
        };
        let mut all = hits(&vec![[f32::NEG_INFINITY; GROUP]; left.groups()]);
        all.retain(|hit| hit.score >= thresholds.as_flattened()[hit.query as usize]);
        assert!(!all.is_empty());
        assert_eq!(hits(&thresholds), all, "{kernel:?}");
    }
}

#[test]
fn sixteen_scores_at_once_have_the_bits_of_single_ones() {
    for dimension in [1, 4, 19, 255, 256, 259, 512, 1027] {
        let (query, rows) = (random(27, dimension), random(28, GROUP * dimension));
        let rows: [&[f32]; GROUP] = std::array::from_fn(|row| &rows[row * dimension..(row + 1) * dimension]);
        let bits = |scores: [f32; GROUP]| scores.map(f32::to_bits);
        assert_eq!(
            bits(scores_of_sixteen(&query, &rows)),
            bits(rows.map(|row| score(&query, row))),
            "{dimension}"
        );
    }
}
