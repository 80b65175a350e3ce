//! The inverse Hessian that L-BFGS estimates from its last steps, and the sums over long vectors
//! that it takes, in running lanes which the compiler keeps in vector registers.

use std::collections::VecDeque;

/// Steps that are remembered.
const MEMORY: usize = 10;

/// The last steps and how the gradient changed along them.
#[derive(Debug, Default)]
pub(super) struct Curvature {
    pairs: VecDeque<Pair>,
    /// The curvature of the newest pair, yᵀy / sᵀy: the Hessian that is assumed before any pair is added.
    scale: f64,
}

#[derive(Debug)]
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    /// Inner product of the two.
    product: f64,
}

impl Curvature {
    /// True if no step is remembered.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Forgets all steps.
    pub fn clear(&mut self) {
        self.pairs.clear();
    }

    /// Remembers that the gradient changed by `change` along `step`; `product` is their positive inner product.
    pub fn push(&mut self, step: Vec<f64>, change: Vec<f64>, product: f64) {
        self.scale = dot(&change, &change) / product;
        if self.pairs.len() == MEMORY {
            self.pairs.pop_front();
        }
        self.pairs.push_back(Pair { step, change, product });
    }

    /// Writes minus the inverse Hessian times `gradient` to `direction`: the two-loop recursion of Nocedal (1980).
    pub fn direction(&self, gradient: &[f64], direction: &mut Vec<f64>) {
        direction.clear();
        direction.extend(gradient.iter().map(|slope| -slope));
        let mut factors = [0.0; MEMORY];
        for (pair, factor) in self.pairs.iter().zip(&mut factors).rev() {
            *factor = dot(&pair.step, direction) / pair.product;
            add_scaled(direction, -*factor, &pair.change);
        }
        if !self.pairs.is_empty() {
            direction.iter_mut().for_each(|value| *value /= self.scale);
        }
        for (pair, factor) in self.pairs.iter().zip(&factors) {
            let excess = dot(&pair.change, direction) / pair.product;
            add_scaled(direction, factor - excess, &pair.step);
        }
    }
}

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
