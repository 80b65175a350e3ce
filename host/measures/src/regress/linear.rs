//! Linear regression as scikit-learn 1.9.1 fits it to embeddings.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

use super::symmetric::solve;
use crate::numeric::mean;

/// Singular values below this share of the largest count as 0 (scikit-learn's `tol`).
const CUT: f64 = 1e-6;

/// A number for each row of embeddings: weights and an intercept.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearRegression {
    weights: Vec<f32>,
    intercept: f32,
}

/// Numbers that form no rows, or that no line can be laid through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowsError {
    /// The numbers do not form rows.
    #[error("expected {rows} rows of {dimension} numbers, found {numbers} numbers")]
    Shape {
        /// Rows that were expected.
        rows: usize,
        /// Numbers that a row has.
        dimension: usize,
        /// Numbers that were found.
        numbers: usize,
    },
    /// A number is infinite or none.
    #[error("expected finite numbers to learn from, found others")]
    NotFinite,
}

impl LinearRegression {
    /// Least squares with an intercept; of several solutions the shortest.
    ///
    /// `rows` holds a row of `dimension` numbers for each of `values`. As in scikit-learn, both are centred in `f32` by their `f32`
    /// means, and weights and intercept are `f32`; the solution between is computed in `f64`.
    ///
    /// # Errors
    /// If there is no row, `rows` has not as many numbers, or one of the numbers is not finite.
    pub fn fit(rows: &[f32], dimension: usize, values: &[f64]) -> Result<Self, RowsError> {
        if rows.len() != values.len() * dimension || rows.is_empty() {
            return Err(RowsError::Shape { rows: values.len(), dimension, numbers: rows.len() });
        }
        let values: Vec<f32> = values.iter().map(|&value| value as f32).collect();
        if !rows.iter().chain(&values).all(|number| number.is_finite()) {
            return Err(RowsError::NotFinite);
        }
        let (centre, level) = (column_means(rows, dimension), mean(&values));
        let centred = rows.chunks_exact(dimension).flat_map(|row| row.iter().zip(&centre));
        let centred: Vec<f64> = centred.map(|(number, centre)| f64::from(number - centre)).collect();
        let target: Array1<f64> = values.iter().map(|value| f64::from(value - level)).collect();
        let Ok(matrix) = ArrayView2::from_shape((values.len(), dimension), &centred) else {
            return Err(RowsError::Shape { rows: values.len(), dimension, numbers: rows.len() });
        };
        let weights: Vec<f32> = shortest(matrix, &target).iter().map(|&weight| weight as f32).collect();
        let intercept = level - dot(&centre, &weights);
        Ok(Self { weights, intercept })
    }

    /// The number of each of `rows`, in `f32`.
    ///
    /// # Errors
    /// If the numbers of `rows` do not form rows.
    pub fn predict(&self, rows: &[f32]) -> Result<Vec<f32>, RowsError> {
        let dimension = self.weights.len();
        if !rows.len().is_multiple_of(dimension) {
            let expected = rows.len().div_ceil(dimension);
            return Err(RowsError::Shape { rows: expected, dimension, numbers: rows.len() });
        }
        let rows = rows.chunks_exact(dimension);
        Ok(rows.map(|row| dot(row, &self.weights) + self.intercept).collect())
    }
}

/// The mean of each column: sums in `f32`, row after row, as numpy adds along the first axis.
fn column_means(rows: &[f32], dimension: usize) -> Vec<f32> {
    let mut sums = vec![0.0f32; dimension];
    for row in rows.chunks_exact(dimension) {
        sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
    }
    let count = (rows.len() / dimension) as f32;
    sums.into_iter().map(|sum| sum / count).collect()
}

/// The shortest of the vectors that bring `matrix` nearest to `target`, by the normal equations of the smaller side.
fn shortest(matrix: ArrayView2<f64>, target: &Array1<f64>) -> Array1<f64> {
    let cut = CUT * CUT;
    if matrix.nrows() > matrix.ncols() {
        let gram: Array2<f64> = matrix.t().dot(&matrix);
        return solve(gram, matrix.t().dot(target), cut);
    }
    // What rounding leaves of the means is noise, along which a solution must not run; in the first case it has no weight.
    let count = target.len() as f64;
    let matrix = &matrix - &(matrix.sum_axis(Axis(0)) / count);
    let target = target - target.sum() / count;
    let gram: Array2<f64> = matrix.dot(&matrix.t());
    matrix.t().dot(&solve(gram, target, cut))
}

/// The product, summed in `f64`.
fn dot(left: &[f32], right: &[f32]) -> f32 {
    let wide = |numbers: &[f32]| numbers.iter().map(|&number| f64::from(number)).collect::<Vec<f64>>();
    let (left, right) = (wide(left), wide(right));
    ArrayView1::from(&left).dot(&ArrayView1::from(&right)) as f32
}
