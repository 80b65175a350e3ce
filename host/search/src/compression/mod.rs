//! Smaller embeddings: fewer numbers, and numbers of fewer bits.

/// 1 for every number above 0, else 0: the `BINARY` of the reference's `CompressionWrapper`, and the bits of
/// sentence-transformers' `quantize_embeddings`.
pub fn binary(rows: &mut [f32]) {
    rows.iter_mut().for_each(|number| *number = f32::from(u8::from(*number > 0.0)));
}

// The first numbers of embeddings (Kusupati et al. 2022, "Matryoshka Representation Learning").

/// The first `keep` numbers of each row of `rows` (row-major, `dimension` numbers per row); all of them if there are no more.
pub fn cut(rows: Vec<f32>, dimension: usize, keep: usize) -> Vec<f32> {
    if keep >= dimension {
        return rows;
    }
    rows.chunks_exact(dimension).flat_map(|row| &row[..keep]).copied().collect()
}

/// Divides each row by its length, at least 10⁻¹², as torch's `normalize`.
pub fn normalize(rows: &mut [f32], dimension: usize) {
    for row in rows.chunks_exact_mut(dimension.max(1)) {
        let squares: f64 = row.iter().map(|&number| f64::from(number) * f64::from(number)).sum();
        let length = (squares.sqrt() as f32).max(1e-12);
        row.iter_mut().for_each(|number| *number /= length);
    }
}

/// Steps between the smallest and the largest number of a dimension.
const STEPS: f32 = 255.0;

/// Which whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// -128 to 127.
    Int8,
    /// 0 to 255.
    Uint8,
}

/// A dimension in which all rows are equal: it has no range, and the reference divides by 0 there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected embeddings that differ in each dimension, from which the range of 8-bit numbers is computed, \
     found the same number in dimension {dimension} of all {rows}; use more texts, or numbers without a range \
     (`--quantize binary`)"
)]
pub struct ConstantDimension {
    /// The dimension, from 0.
    pub dimension: usize,
    /// Number of rows.
    pub rows: usize,
}

/// Rounds `rows` (row-major, `dimension` numbers per row) down to 256 steps between the smallest and the largest number of each
/// dimension among these very rows, as the reference's `CompressionWrapper` does; all arithmetic is `f32`.
///
/// # Errors
/// If a dimension has no range.
pub fn integers(rows: &mut [f32], dimension: usize, kind: Integers) -> Result<(), ConstantDimension> {
    let count = rows.len().checked_div(dimension).unwrap_or(0);
    let mut ranges = vec![(f32::INFINITY, f32::NEG_INFINITY); dimension];
    for row in rows.chunks_exact(dimension.max(1)) {
        for (range, &number) in ranges.iter_mut().zip(row) {
            *range = (range.0.min(number), range.1.max(number));
        }
    }
    if let Some(dimension) = ranges.iter().position(|(low, high)| low == high) {
        return Err(ConstantDimension { dimension, rows: count });
    }
    let below = if kind == Integers::Int8 { 128.0 } else { 0.0 };
    let steps: Vec<(f32, f32)> = ranges.iter().map(|&(low, high)| (low, (high - low) / STEPS)).collect();
    for row in rows.chunks_exact_mut(dimension.max(1)) {
        for (number, &(low, step)) in row.iter_mut().zip(&steps) {
            *number = ((*number - low) / step).floor() - below;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
