//! The objective of two classes: mean logistic loss of one score a row plus the penalty.

use ndarray::linalg::general_mat_vec_mul;
use ndarray::{Array1, ArrayView2, aview1};

use super::penalty::penalty;
use crate::numeric::sum;

/// Logistic loss of `labels` (1 for the larger class, 0 for the other) given `rows` (one a label).
///
/// Parameters are one weight a feature, then the intercept. Arithmetic is `f32` where scikit-learn's is.
pub(super) struct Binomial<'a> {
    rows: ArrayView2<'a, f32>,
    labels: &'a [usize],
    strength: f32,
    /// Parameters.
    weights: Vec<f32>,
    /// Raw predictions, then slopes by them.
    slopes: Array1<f32>,
    weight_slopes: Array1<f32>,
    losses: Vec<f32>,
}

impl<'a> Binomial<'a> {
    pub fn new(rows: ArrayView2<'a, f32>, labels: &'a [usize]) -> Self {
        let (count, features) = rows.dim();
        Self {
            rows,
            labels,
            strength: (1.0 / count as f64) as f32,
            weights: vec![0.0; features + 1],
            slopes: Array1::zeros(count),
            weight_slopes: Array1::zeros(features),
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
        let (weights, intercept) = (&self.weights[..features], self.weights[features]);
        general_mat_vec_mul(1.0, &self.rows, &aview1(weights), 0.0, &mut self.slopes);
        let count = self.labels.len() as f32;
        for ((slope, &label), loss) in self.slopes.iter_mut().zip(self.labels).zip(&mut self.losses) {
            let (value, slope_by_raw) = half_binomial(f64::from(*slope + intercept), label as f64);
            *loss = value as f32;
            *slope = slope_by_raw as f32 / count;
        }
        // Row after row: products by column would walk the whole matrix once a feature. The sums are the same.
        self.weight_slopes.fill(0.0);
        for (row, &slope) in self.rows.rows().into_iter().zip(&self.slopes) {
            self.weight_slopes.scaled_add(slope, &row);
        }
        for ((slope, &own), &weight) in gradient.iter_mut().zip(&self.weight_slopes).zip(weights) {
            *slope = f64::from(own + self.strength * weight);
        }
        gradient[features] = f64::from(sum(self.slopes.as_slice().unwrap_or_default()));
        f64::from(sum(&self.losses) / count) + f64::from(penalty(weights, self.strength))
    }
}

/// Loss of a raw prediction and its slope, in the branches of scikit-learn 1.9.1 that avoid overflow and loss of digits.
fn half_binomial(raw: f64, label: f64) -> (f64, f64) {
    if raw <= -37.0 {
        let odds = raw.exp();
        (odds - label * raw, odds - label)
    } else if raw <= -2.0 {
        let odds = raw.exp();
        (odds.ln_1p() - label * raw, ((1.0 - label) * odds - label) / (1.0 + odds))
    } else {
        let odds = (-raw).exp();
        let log = if raw <= 18.0 { odds.ln_1p() } else { odds };
        (log + (1.0 - label) * raw, ((1.0 - label) - label * odds) / (1.0 + odds))
    }
}
