//! Rows of embeddings brought into the form in which they are multiplied.

use rayon::prelude::*;

use crate::Similarity;
use crate::row_sums::{torch_norm, torch_sum};

/// Smallest divisor of torch's `normalize`.
pub(crate) const NORM_FLOOR: f32 = 1e-12;

/// Makes every row unit length if only directions count, as torch does: divided by max(‖row‖, 1e-12).
pub(crate) fn prepare(kind: Similarity, rows: &mut [f32], dimension: usize) {
    if kind.is_of_directions() {
        rows.par_chunks_exact_mut(dimension.max(1)).for_each(normalise);
    }
}

/// Divides `row` by its norm.
pub(crate) fn normalise(row: &mut [f32]) {
    let norm = torch_norm(row).max(NORM_FLOOR);
    row.iter_mut().for_each(|value| *value /= norm);
}

/// Sum of the squares of each row, as torch's `cdist` has it: not the square of a rounded root, or rows at equal distances have unequal ones.
pub(crate) fn squared_norms(rows: &[f32], dimension: usize) -> Vec<f32> {
    let squares = |row: &[f32]| row.iter().map(|value| value * value).collect::<Vec<f32>>();
    rows.par_chunks_exact(dimension.max(1)).map(|row| torch_sum(&squares(row))).collect()
}
