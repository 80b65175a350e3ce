//! The parts of a screening: products on every unit, their error, and exact scores.

use super::*;
use crate::screen::STRIDE;
use crate::screen::exact::{InterleavedRows, ROWS, score, scores_of_sixteen};
#[cfg(target_arch = "x86_64")]
use crate::screen::exact::{avx2, avx512};
use crate::screen::extent::Extent;
use crate::screen::form::{Form, Hit};

const KERNELS: [Kernel; 8] = [
    Kernel::Tiles(TileKernel::Amx),
    Kernel::Tiles(TileKernel::Portable),
    Kernel::Integers(IntegerKernel::Vnni8),
    Kernel::Integers(IntegerKernel::Vnni16),
    Kernel::Integers(IntegerKernel::Avx2),
    Kernel::Integers(IntegerKernel::Neon8),
    Kernel::Integers(IntegerKernel::Portable8),
    Kernel::Integers(IntegerKernel::Portable16),
];

/// The kernels that this processor can run.
fn kernels() -> impl Iterator<Item = Kernel> {
    KERNELS.into_iter().filter(|kernel| kernel.available())
}

/// Rows of both sides, of as many numbers.
#[derive(Clone, Copy)]
struct Rows<'a> {
    queries: &'a [f32],
    documents: &'a [f32],
    dimension: usize,
}

/// Scores that reach the threshold of their query, by document and query, and the extents of both sides: of every query and
/// of every stride of documents.
struct Screened {
    hits: Vec<Hit>,
    queries: Vec<Extent>,
    documents: Vec<Extent>,
}

impl Screened {
    fn of(kernel: Kernel, rows: Rows<'_>, threshold: impl Fn(usize) -> f32) -> Self {
        match kernel {
            Kernel::Tiles(kernel) => Self::of_form(kernel, rows, threshold),
            Kernel::Integers(kernel) => Self::of_form(kernel, rows, threshold),
        }
    }

    fn of_form<F: Form>(form: F, rows: Rows<'_>, threshold: impl Fn(usize) -> f32) -> Self {
        let Rows { queries, documents, dimension } = rows;
        let (left, query_extents) = form.queries(queries, dimension);
        let (right, document_extents) = form.documents(documents, dimension, F::Memory::default());
        let mut thresholds = vec![f32::INFINITY; F::places(&left)];
        for (query, slot) in thresholds.iter_mut().take(queries.len() / dimension).enumerate() {
            *slot = F::threshold(&left, query, threshold(query));
        }
        let mut hits = Vec::new();
        for stride in 0..document_extents.len() {
            let mut found = Vec::new();
            form.hits(&right, stride, &left, &thresholds, &mut found);
            hits.extend(
                found.into_iter().map(|hit| Hit { document: hit.document + (stride * STRIDE) as u32, ..hit }),
            );
        }
        hits.retain(|hit| (hit.document as usize) < documents.len() / dimension);
        hits.sort_by_key(|hit| (hit.document, hit.query));
        Self { hits, queries: query_extents, documents: document_extents }
    }

    /// All scores.
    fn all(kernel: Kernel, rows: Rows<'_>) -> Self {
        let screened = Self::of(kernel, rows, |_| f32::NEG_INFINITY);
        let pairs = rows.queries.len() / rows.dimension * (rows.documents.len() / rows.dimension);
        assert_eq!(screened.hits.len(), pairs, "every score reaches minus infinity");
        screened
    }
}

impl Rows<'_> {
    /// The exact score of the pair of a hit.
    fn score(&self, hit: &Hit) -> f32 {
        let row =
            |rows, row: u32| <[f32]>::chunks(rows, self.dimension).nth(row as usize).unwrap_or_default();
        score(row(self.queries, hit.query), row(self.documents, hit.document))
    }
}

#[test]
fn screened_scores_are_within_the_bound_of_the_exact_ones() {
    for (dimension, scale) in [(1, 1.0), (31, 1e-3), (64, 1.0), (100, 1e8), (384, 1.0), (1500, 30.0)] {
        let scaled = |seed, count| -> Vec<f32> {
            random(seed, count * dimension).iter().map(|value| value * scale).collect()
        };
        let (queries, documents) = (&scaled(21, 37), &scaled(22, 150));
        let rows = Rows { queries, documents, dimension };
        for kernel in kernels() {
            let found = Screened::all(kernel, rows);
            let share = |hit: &Hit| {
                let document = found.documents[hit.document as usize / STRIDE];
                let error = found.queries[hit.query as usize].error(document, dimension);
                (rows.score(hit) - hit.score).abs() / error
            };
            let largest = found.hits.iter().map(share).fold(0.0, f32::max);
            assert!(largest <= 1.0, "{kernel:?}, dimension {dimension}: {largest} of the bound");
        }
    }
}

/// The bound is reached within a third when every number loses as much as it can in the same direction.
#[test]
fn the_bound_is_tight() {
    let dimension = 64;
    // In bf16 all of a row; in whole numbers all but the first, which sets the scale.
    let worst = |kernel| match kernel {
        Kernel::Tiles(_) => vec![f32::from_bits(0x3f80_7fff); dimension],
        Kernel::Integers(_) => (0..dimension).map(|place| if place == 0 { 127.0 } else { 100.499 }).collect(),
    };
    for kernel in [Kernel::Tiles(TileKernel::Portable), Kernel::Integers(IntegerKernel::Portable8)] {
        let row = worst(kernel);
        let rows = Rows { queries: &row, documents: &row, dimension };
        let found = Screened::all(kernel, rows);
        let error = found.queries[0].error(found.documents[0], dimension);
        let lost = rows.score(&found.hits[0]) - found.hits[0].score;
        assert!((0.66..=1.0).contains(&(lost / error)), "{kernel:?}: {lost} of {error}");
    }
}

/// Bf16 holds small whole numbers, and their sums are exact in every order.
#[test]
fn the_tile_unit_multiplies_whole_numbers_exactly() {
    let whole = |seed, count| -> Vec<f32> {
        random(seed, count).iter().map(|value| (value * 100.0).round()).collect()
    };
    for dimension in [1, 32, 45, 200] {
        let (queries, documents) = (&whole(23, 20 * dimension), &whole(24, 140 * dimension));
        let rows = Rows { queries, documents, dimension };
        for kernel in kernels().filter(|kernel| matches!(kernel, Kernel::Tiles(_))) {
            for hit in Screened::all(kernel, rows).hits {
                assert_eq!(hit.score, rows.score(&hit), "{kernel:?}");
            }
        }
    }
}

/// Sums of whole numbers do not depend on the order, so that every bit of a score is the same.
#[test]
fn every_unit_gives_what_plain_loops_give() {
    let twins = [
        (IntegerKernel::Vnni8, IntegerKernel::Portable8),
        (IntegerKernel::Vnni16, IntegerKernel::Portable16),
        (IntegerKernel::Avx2, IntegerKernel::Portable16),
        (IntegerKernel::Neon8, IntegerKernel::Portable8),
    ];
    for (unit, plain) in twins.map(|(unit, plain)| (Kernel::Integers(unit), Kernel::Integers(plain))) {
        for dimension in [1, 3, 32, 45, 200, 1030] {
            let (queries, documents) = (&random(23, 70 * dimension), &random(24, 140 * dimension));
            let rows = Rows { queries, documents, dimension };
            if unit.available() {
                assert_eq!(Screened::all(unit, rows).hits, Screened::all(plain, rows).hits, "{unit:?}");
            }
        }
    }
}

/// The largest sums that can be: every product has the largest magnitude and the same sign. A sum that left 32 bits would
/// change its sign; rounding to whole numbers changes less than a hundredth.
#[test]
fn the_largest_sums_stay_within_32_bits() {
    for dimension in [1, 2, 1024, 1 << 15] {
        let queries = &vec![1.0; dimension];
        for sign in [1.0, -1.0] {
            let documents = &vec![sign; 2 * dimension];
            let rows = Rows { queries, documents, dimension };
            for kernel in kernels() {
                for hit in Screened::all(kernel, rows).hits {
                    let ratio = hit.score / (sign * dimension as f32);
                    assert!((ratio - 1.0).abs() < 1e-2, "{kernel:?}, {dimension}: {ratio}");
                }
            }
        }
    }
}

#[test]
fn only_scores_that_reach_their_threshold_are_hits() {
    let (queries, documents) = (&random(25, 40 * 50), &random(26, 200 * 50));
    let rows = Rows { queries, documents, dimension: 50 };
    let threshold = |query: usize| query as f32 * 0.1;
    for kernel in kernels() {
        let mut all = Screened::all(kernel, rows).hits;
        all.retain(|hit| hit.score >= threshold(hit.query as usize));
        assert!(!all.is_empty());
        assert_eq!(Screened::of(kernel, rows, threshold).hits, all, "{kernel:?}");
    }
}

#[test]
fn sixteen_scores_at_once_have_the_bits_of_single_ones() {
    for dimension in [1, 4, 19, 255, 256, 259, 512, 1027] {
        let (query, rows) = (random(27, dimension), random(28, ROWS * dimension));
        let rows: [&[f32]; ROWS] = std::array::from_fn(|row| &rows[row * dimension..(row + 1) * dimension]);
        let bits = |scores: [f32; ROWS]| scores.map(f32::to_bits);
        let expected = bits(rows.map(|row| score(&query, row)));
        assert_eq!(bits(scores_of_sixteen(&query, &rows)), expected, "{dimension}");
        #[cfg(target_arch = "x86_64")]
        if avx2::available() {
            assert_eq!(bits(avx2::scores(&query, &rows)), expected, "AVX2, {dimension}");
        }
        #[cfg(target_arch = "x86_64")]
        if avx512::available() {
            assert_eq!(bits(avx512::scores(&query, &rows)), expected, "AVX-512, {dimension}");
        }
    }
}

#[test]
fn scores_of_interleaved_rows_have_the_bits_of_single_ones() {
    for dimension in [1, 255, 513, 768, 1000, 1024, 1027, 2100] {
        let (queries, documents) = (random(29, 3 * dimension), random(30, 5 * dimension));
        let interleaved = |rows: &[f32]| {
            let mut interleaved = InterleavedRows::new(rows.len() / dimension, dimension);
            for (index, row) in rows.chunks(dimension).enumerate() {
                interleaved.put(index, row);
            }
            interleaved
        };
        let pairs = [(0, 0), (0, 4), (1, 1), (1, 2), (1, 3), (2, 0), (2, 3), (2, 4)];
        let scores = InterleavedRows::scores(&interleaved(&queries), &interleaved(&documents), &pairs);
        for ((query, document), found) in pairs.into_iter().zip(scores) {
            let row = |rows: &[f32], index: u32| rows[index as usize * dimension..][..dimension].to_vec();
            let expected = score(&row(&queries, query), &row(&documents, document));
            assert_eq!(found.to_bits(), expected.to_bits(), "{dimension}");
        }
    }
}
