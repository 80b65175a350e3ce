//! Sums over one row of `f32`, in the orders in which torch and numpy add on x86-64.
//!
//! The order decides the last digit, and the last digit decides which of two nearly equal pairs ranks first. Both
//! libraries use fixed vector widths (8 and 4 numbers) whatever the processor offers, so their order is reproducible.

use rayon::prelude::*;

use crate::Similarity;

/// Numbers in one vector of torch's sum and norm.
const TORCH_LANES: usize = 8;

/// Vectors that torch's sum keeps running side by side.
const TORCH_ROWS: usize = 4;

/// Levels of torch's cascade of partial sums.
const LEVELS: usize = 4;

/// Numbers in one vector of numpy's `einsum`.
const EINSUM_LANES: usize = 4;

type Vectors = [[f32; TORCH_LANES]; TORCH_ROWS];

/// `torch.sum` of `terms`, bit for bit as on the CPU.
pub(crate) fn torch_sum(terms: &[f32]) -> f32 {
    if terms.len() < TORCH_LANES {
        return short_sum(terms);
    }
    let (vectors, tail) = terms.as_chunks::<TORCH_LANES>();
    let (rows, rest) = vectors.as_chunks::<TORCH_ROWS>();
    let [mut total, second, third, fourth] = cascade(rows);
    for vector in rest.iter().chain([&second, &third, &fourth]) {
        add(&mut total, vector);
    }
    let start = tail.iter().fold(0.0, |sum, &term| sum + term);
    total.iter().fold(start, |sum, &lane| sum + lane)
}

/// A row shorter than a vector is summed as if a vector held one number.
fn short_sum(terms: &[f32]) -> f32 {
    let (rows, rest) = terms.as_chunks::<TORCH_ROWS>();
    let [first, others @ ..] = rows.first().copied().unwrap_or_default();
    rest.iter().chain(&others).fold(0.0 + first, |sum, &term| sum + term)
}

/// Euclidean norm of `row`, bit for bit as `torch.nn.functional.normalize` computes it on the CPU.
pub(crate) fn torch_norm(row: &[f32]) -> f32 {
    let (vectors, tail) = row.as_chunks::<TORCH_LANES>();
    let mut lanes = [0.0f32; TORCH_LANES];
    for vector in vectors {
        for (lane, &value) in lanes.iter_mut().zip(vector) {
            *lane += value * value;
        }
    }
    let total = lanes.iter().fold(0.0, |sum, &lane| sum + lane);
    let (fours, last) = tail.as_chunks::<4>();
    let total = fours.iter().flatten().fold(total, |sum, &value| sum + value * value);
    // The compiled loop's remainder is fused, its vectorised part is not.
    last.iter().fold(total, |sum, &value| value.mul_add(value, sum)).sqrt()
}

/// Sum of the squares of `row`, bit for bit as numpy's `einsum("ij,ij->i")` computes it.
pub(crate) fn einsum_squares(row: &[f32]) -> f32 {
    let (vectors, tail) = row.as_chunks::<EINSUM_LANES>();
    let (blocks, rest) = vectors.as_chunks::<4>();
    let mut lanes = [0.0f32; EINSUM_LANES];
    for vector in blocks.iter().flat_map(|block| block.iter().rev()).chain(rest) {
        add_squares(&mut lanes, vector);
    }
    if !tail.is_empty() {
        let mut padded = [0.0f32; EINSUM_LANES];
        padded[..tail.len()].copy_from_slice(tail);
        add_squares(&mut lanes, &padded);
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

/// Adds rows of four vectors through partial sums of partial sums, so that rounding errors grow slowly.
fn cascade(rows: &[[[f32; TORCH_LANES]; TORCH_ROWS]]) -> Vectors {
    let power = (ceil_log2(rows.len()) / LEVELS).max(4);
    let step = 1usize << power;
    let mut levels = [[[0.0f32; TORCH_LANES]; TORCH_ROWS]; LEVELS];
    let (full, rest) = rows.split_at(rows.len() - rows.len() % step);
    for (index, chunk) in full.chunks_exact(step).enumerate() {
        for row in chunk {
            add_rows(&mut levels[0], row);
        }
        let done = (index + 1) * step;
        for level in 1..LEVELS {
            let below = std::mem::take(&mut levels[level - 1]);
            add_rows(&mut levels[level], &below);
            if done & ((step - 1) << (level * power)) != 0 {
                break;
            }
        }
    }
    let [mut total, upper @ ..] = levels;
    for row in rest.iter().chain(&upper) {
        add_rows(&mut total, row);
    }
    total
}

fn add_rows(total: &mut Vectors, row: &Vectors) {
    for (sum, vector) in total.iter_mut().zip(row) {
        add(sum, vector);
    }
}

fn add(total: &mut [f32; TORCH_LANES], vector: &[f32; TORCH_LANES]) {
    for (sum, &value) in total.iter_mut().zip(vector) {
        *sum += value;
    }
}

fn add_squares(total: &mut [f32; EINSUM_LANES], vector: &[f32; EINSUM_LANES]) {
    for (sum, &value) in total.iter_mut().zip(vector) {
        *sum += value * value;
    }
}

fn ceil_log2(count: usize) -> usize {
    if count <= 1 { 0 } else { (count - 1).ilog2() as usize + 1 }
}

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
