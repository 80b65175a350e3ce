//! The multinomial objective: mean cross-entropy of softmax probabilities plus the penalty.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, s};

use super::penalty::penalty;
use crate::numeric::sum;

/// Cross-entropy of `labels` (0 … `classes` − 1) given `rows` (one a label).
///
/// Parameters are class-fastest: one group of `classes` weights a feature, then the intercepts. Arithmetic is `f32`
/// where scikit-learn's is, because its stopping rule compares values that differ in their last digits.
pub(super) struct Softmax<'a> {
    rows: ArrayView2<'a, f32>,
    labels: &'a [usize],
    classes: usize,
    strength: f32,
    /// Parameters, features + 1 × classes.
    weights: Array2<f32>,
    /// Raw predictions, then slopes by them, rows × classes.
    slopes: Array2<f32>,
    /// Slopes by the weights, features × classes.
    weight_slopes: Array2<f32>,
    losses: Vec<f32>,
}

impl<'a> Softmax<'a> {
    pub fn new(rows: ArrayView2<'a, f32>, labels: &'a [usize], classes: usize) -> Self {
        let (count, features) = rows.dim();
        Self {
            rows,
            labels,
            classes,
            strength: (1.0 / count as f64) as f32,
            weights: Array2::zeros((features + 1, classes)),
            slopes: Array2::zeros((count, classes)),
            weight_slopes: Array2::zeros((features, classes)),
            losses: vec![0.0; count],
        }
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.weights.len()
    }

    /// The objective at `point`; writes its gradient.
    pub fn evaluate(&mut self, point: &[f64], gradient: &mut [f64]) -> f64 {
        for (weight, &value) in self.weights.iter_mut().zip(point) {
            *weight = value as f32;
        }
        let features = self.rows.ncols();
        let weights = self.weights.slice(s![..features, ..]);
        general_mat_mul(1.0, &self.rows, &weights, 0.0, &mut self.slopes);
        self.losses_and_slopes();
        general_mat_mul(1.0, &self.rows.t(), &self.slopes, 0.0, &mut self.weight_slopes);
        self.write_gradient(gradient);
        let loss = sum(&self.losses) / self.labels.len() as f32;
        let weights = self.weights.as_slice().unwrap_or_default();
        f64::from(loss) + f64::from(penalty(&weights[..features * self.classes], self.strength))
    }

    /// Turns raw predictions without intercepts into the rows' losses and their slopes.
    fn losses_and_slopes(&mut self) {
        let count = self.labels.len() as f32;
        let parameters = self.weights.as_slice().unwrap_or_default();
        let intercepts = &parameters[parameters.len() - self.classes..];
        let rows = self.slopes.as_slice_mut().unwrap_or_default().chunks_exact_mut(self.classes);
        for ((row, &label), loss) in rows.zip(self.labels).zip(&mut self.losses) {
            for (raw, intercept) in row.iter_mut().zip(intercepts) {
                *raw += intercept;
            }
            let highest = row.iter().fold(row[0], |highest, &raw| if highest < raw { raw } else { highest });
            let own = row[label];
            let mut total = 0.0;
            for raw in row.iter_mut() {
                *raw = (f64::from(*raw) - f64::from(highest)).exp() as f32;
                total += f64::from(*raw);
            }
            let total = total as f32;
            *loss = (f64::from(total).ln() + f64::from(highest)) as f32 - own;
            row.iter_mut().for_each(|exponential| *exponential /= total);
            row[label] -= 1.0;
            row.iter_mut().for_each(|slope| *slope /= count);
        }
    }

    fn write_gradient(&self, gradient: &mut [f64]) {
        let (weight_slopes, intercept_slopes) = gradient.split_at_mut(self.weight_slopes.len());
        for ((slope, &own), &weight) in weight_slopes.iter_mut().zip(&self.weight_slopes).zip(&self.weights) {
            *slope = f64::from(own + self.strength * weight);
        }
        let mut sums = vec![0.0f32; self.classes];
        for row in self.slopes.as_slice().unwrap_or_default().chunks_exact(self.classes) {
            for (sum, slope) in sums.iter_mut().zip(row) {
                *sum += slope;
            }
        }
        for (slope, sum) in intercept_slopes.iter_mut().zip(sums) {
            *slope = f64::from(sum);
        }
    }
}
