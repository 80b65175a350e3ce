//! Minimises a smooth function by L-BFGS, with the step rules and stopping rules of scipy's
//! `L-BFGS-B`. The inverse Hessian is estimated from the last steps; sums over long vectors are
//! taken in running lanes, which the compiler keeps in vector registers.

use std::collections::VecDeque;

use super::line_search::{LineSearch, Trial};

/// The search ends when no slope is steeper than this.
const MAX_GRADIENT: f64 = 1e-4;

/// The search ends when an iteration lowers the value by no more than this share of it.
const MIN_DECREASE: f64 = 64.0 * f64::EPSILON;

const MAX_ITERATIONS: usize = 100;

/// Evaluations of one line search.
const MAX_EVALUATIONS: usize = 50;

/// Where a search ended.
#[derive(Debug)]
pub(super) struct Minimum {
    pub point: Vec<f64>,
    /// Accepted steps.
    pub iterations: usize,
}

/// Minimises `objective` from `point`; it gives the value at a point and writes the gradient there.
///
/// The rules are those of L-BFGS-B 3.0 without bounds (Zhu, Byrd, Lu and Nocedal 1997) as scipy 1.17 runs it for
/// scikit-learn 1.9.1; protocol 6.2.
pub(super) fn minimize(point: Vec<f64>, mut objective: impl FnMut(&[f64], &mut [f64]) -> f64) -> Minimum {
    let mut gradient = vec![0.0; point.len()];
    let value = objective(&point, &mut gradient);
    let mut state = State { point, gradient, value, iterations: 0 };
    let mut curvature = Curvature::default();
    let mut direction = Vec::with_capacity(state.point.len());
    let mut is_done = max_abs(&state.gradient) <= MAX_GRADIENT;
    while !is_done {
        curvature.direction(&state.gradient, &mut direction);
        match state.step_along(&direction, &mut objective) {
            Some(accepted) => {
                is_done = state.is_done(accepted.value_before);
                accepted.remember(&mut curvature, &state.gradient, &direction);
            }
            // A direction that leads nowhere may come from a stale memory; without memory nothing is left to try.
            None if curvature.is_empty() => is_done = true,
            None => curvature.clear(),
        }
    }
    Minimum { point: state.point, iterations: state.iterations }
}

struct State {
    point: Vec<f64>,
    gradient: Vec<f64>,
    value: f64,
    iterations: usize,
}

/// What a step left behind.
struct Accepted {
    value_before: f64,
    gradient_before: Vec<f64>,
    length: f64,
    slope_before: f64,
    slope: f64,
}

impl State {
    /// Moves along `direction` by a line search; `None`, without moving, if no step is acceptable.
    fn step_along(
        &mut self,
        direction: &[f64],
        objective: &mut impl FnMut(&[f64], &mut [f64]) -> f64,
    ) -> Option<Accepted> {
        let slope_before = dot(&self.gradient, direction);
        if slope_before >= 0.0 {
            return None;
        }
        let mut length = self.first_length(direction);
        let mut search = LineSearch::new(self.value, slope_before, length);
        let (mut point, mut gradient) = (self.point.clone(), vec![0.0; direction.len()]);
        for _ in 0..MAX_EVALUATIONS {
            point.copy_from_slice(&self.point);
            add_scaled(&mut point, length, direction);
            let value = objective(&point, &mut gradient);
            let slope = dot(&gradient, direction);
            match search.next_step(Trial { step: length, value, slope }) {
                Some(next) => length = next,
                None => {
                    let value_before = std::mem::replace(&mut self.value, value);
                    let gradient_before = std::mem::replace(&mut self.gradient, gradient);
                    self.point = point;
                    self.iterations += 1;
                    return Some(Accepted { value_before, gradient_before, length, slope_before, slope });
                }
            }
        }
        None
    }

    /// The first iteration knows no scale and tries a step of length 1.
    fn first_length(&self, direction: &[f64]) -> f64 {
        if self.iterations == 0 { (1.0 / dot(direction, direction).sqrt()).min(1e10) } else { 1.0 }
    }

    fn is_done(&self, value_before: f64) -> bool {
        let size = value_before.abs().max(self.value.abs()).max(1.0);
        self.iterations == MAX_ITERATIONS
            || max_abs(&self.gradient) <= MAX_GRADIENT
            || value_before - self.value <= MIN_DECREASE * size
    }
}

impl Accepted {
    /// Adds the step to the memory unless its curvature is lost in rounding.
    fn remember(self, curvature: &mut Curvature, gradient: &[f64], direction: &[f64]) {
        let product = (self.slope - self.slope_before) * self.length;
        if product <= f64::EPSILON * (-self.slope_before * self.length) {
            return;
        }
        let step = direction.iter().map(|value| value * self.length).collect();
        let change = gradient.iter().zip(&self.gradient_before).map(|(now, before)| now - before).collect();
        curvature.push(step, change, product);
    }
}

/// Steps that are remembered.
const MEMORY: usize = 10;

/// The last steps and how the gradient changed along them.
#[derive(Debug, Default)]
struct Curvature {
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
fn add_scaled(values: &mut [f64], factor: f64, other: &[f64]) {
    for (value, other) in values.iter_mut().zip(other) {
        *value += factor * other;
    }
}

/// Largest absolute value.
fn max_abs(values: &[f64]) -> f64 {
    let (blocks, tail) = values.as_chunks::<LANES>();
    let mut largest = [0.0f64; LANES];
    for block in blocks {
        for (largest, value) in largest.iter_mut().zip(block) {
            *largest = largest.max(value.abs());
        }
    }
    largest.iter().chain(tail).fold(0.0, |largest, value| largest.max(value.abs()))
}
