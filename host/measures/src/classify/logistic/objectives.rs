//! What logistic regression minimises: the mean loss of two classes, or of more, plus the penalty
//! of the weights.

use ndarray::linalg::{general_mat_mul, general_mat_vec_mul};
use ndarray::{Array1, Array2, ArrayView2, aview1, s};

use crate::numeric::sum;

/// Logistic loss of `labels` (1 for the larger class, 0 for the other) given `rows` (one for each label).
///
/// Parameters are one weight per feature, then the intercept. Arithmetic is `f32` where scikit-learn's is.
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

/// Cross-entropy of `labels` (0 … `classes` − 1) given `rows` (one for each label).
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

/// Half the penalty strength times the squared norm of `weights`, as the `f32` that scikit-learn adds to the loss.
pub(super) fn penalty(weights: &[f32], strength: f32) -> f32 {
    let squares: f64 = weights.iter().map(|&weight| f64::from(weight) * f64::from(weight)).sum();
    0.5 * strength * squares as f32
}
