//! Sums over long vectors in running lanes, which the compiler keeps in vector registers.

const LANES: usize = 8;

/// Σ left·right; both are equally long.
pub(super) fn dot(left: &[f64], right: &[f64]) -> f64 {
    let ((left, left_tail), (right, right_tail)) = (left.as_chunks::<LANES>(), right.as_chunks::<LANES>());
    let mut sums = [0.0; LANES];
    for (x, y) in left.iter().zip(right) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += x * y;
        }
    }
    let tail: f64 = left_tail.iter().zip(right_tail).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + tail
}

/// Adds `factor`·`other` to `values`, element by element.
pub(super) fn add_scaled(values: &mut [f64], factor: f64, other: &[f64]) {
    for (value, other) in values.iter_mut().zip(other) {
        *value += factor * other;
    }
}

/// Largest absolute value.
pub(super) fn max_abs(values: &[f64]) -> f64 {
    let (blocks, tail) = values.as_chunks::<LANES>();
    let mut largest = [0.0f64; LANES];
    for block in blocks {
        for (largest, value) in largest.iter_mut().zip(block) {
            *largest = largest.max(value.abs());
        }
    }
    largest.iter().chain(tail).fold(0.0, |largest, value| largest.max(value.abs()))
}
