//! The nearest training rows of every query, for several training samples at once, and the labels
//! on which they agree.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;

/// Queries whose distances are in memory together.
const BLOCK: usize = 128;

/// Why neighbours could not be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NeighbourError {
    /// A sample is smaller than the number of neighbours.
    #[error("expected at least {expected} training rows, as many as neighbours vote, found: {found}")]
    TooFewRows {
        /// Number of neighbours.
        expected: usize,
        /// Rows of the sample.
        found: usize,
    },
    /// The numbers do not form rows.
    #[error("expected whole rows of {dimension} numbers, found {found} numbers")]
    Shape {
        /// Numbers a row.
        dimension: usize,
        /// Numbers there are.
        found: usize,
    },
}

/// For each of `samples`, the `count` nearest of its rows for every query: query i has the entries from `i · count`.
///
/// `rows` and `queries` are row-major with `dimension` numbers per row; a sample lists rows, and the order of the list
/// decides which of several equally distant rows are taken. Distances are Euclidean, from inner products in `f64`;
/// they are computed once for all samples. Source: scikit-learn 1.9, `ArgKmin` for 32-bit rows.
///
/// # Errors
/// If a sample has fewer than `count` rows or `dimension` does not fit.
pub fn nearest_rows(
    rows: &[f32],
    queries: &[f32],
    dimension: usize,
    samples: &[Vec<usize>],
    count: usize,
) -> Result<Vec<Vec<usize>>, NeighbourError> {
    if let Some(sample) = samples.iter().find(|sample| sample.len() < count) {
        return Err(NeighbourError::TooFewRows { expected: count, found: sample.len() });
    }
    let rows = Points::new(rows, dimension)?;
    let blocks: Vec<Vec<Vec<usize>>> = queries
        .par_chunks(BLOCK * dimension)
        .map(|block| {
            let distances = distances(&Points::new(block, dimension)?, &rows);
            Ok(samples.iter().map(|sample| nearest(distances.view(), sample, count)).collect())
        })
        .collect::<Result<_, NeighbourError>>()?;
    let of_sample = |sample: usize| blocks.iter().flat_map(|block| &block[sample]).copied().collect();
    Ok((0..samples.len()).map(of_sample).collect())
}

/// Points with their squared norms.
struct Points {
    values: Array2<f64>,
    norms: Vec<f64>,
}

impl Points {
    fn new(values: &[f32], dimension: usize) -> Result<Self, NeighbourError> {
        let fault = NeighbourError::Shape { dimension, found: values.len() };
        let Some(count) = values.len().checked_div(dimension) else { return Err(fault) };
        let numbers = values.iter().map(|&value| f64::from(value)).collect();
        let values = Array2::from_shape_vec((count, dimension), numbers).map_err(|_| fault)?;
        let norms = values.rows().into_iter().map(|row| row.dot(&row)).collect();
        Ok(Self { values, norms })
    }
}

/// Squared distances of queries (down) and rows (across).
fn distances(queries: &Points, rows: &Points) -> Array2<f64> {
    let mut distances = Array2::zeros((queries.norms.len(), rows.norms.len()));
    general_mat_mul(-2.0, &queries.values, &rows.values.t(), 0.0, &mut distances);
    for (mut line, query) in distances.rows_mut().into_iter().zip(&queries.norms) {
        for (distance, row) in line.iter_mut().zip(&rows.norms) {
            *distance = (query + *distance + row).max(0.0);
        }
    }
    distances
}

fn nearest(distances: ArrayView2<'_, f64>, sample: &[usize], count: usize) -> Vec<usize> {
    let mut heap = Nearest::new(count);
    let mut found = Vec::with_capacity(distances.nrows() * count);
    for distances in distances.rows() {
        heap.clear();
        sample.iter().for_each(|&row| heap.push(distances[row], row));
        found.extend(heap.rows());
    }
    found
}

/// The rows with the smallest distances so far, the farthest of them on top.
///
/// A row that ties with the top is not taken, and which of several tied rows leaves first follows from the places
/// they have in the heap; both are as in scikit-learn's `heap_push`, so that tied neighbours are the same ones.
pub(super) struct Nearest {
    entries: Vec<(f64, usize)>,
}

impl Nearest {
    pub fn new(count: usize) -> Self {
        Self { entries: vec![(f64::MAX, 0); count] }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.entries.fill((f64::MAX, 0));
    }

    /// Takes `row` if it is nearer than the farthest one.
    pub fn push(&mut self, distance: f64, row: usize) {
        if self.entries.first().is_none_or(|top| distance >= top.0) {
            return;
        }
        let mut place = 0;
        while let Some(child) = self.farther_child(place).filter(|&child| self.entries[child].0 > distance) {
            self.entries[place] = self.entries[child];
            place = child;
        }
        self.entries[place] = (distance, row);
    }

    /// The rows, in no order.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        self.entries.iter().map(|&(_, row)| row)
    }

    fn farther_child(&self, place: usize) -> Option<usize> {
        let (left, right) = (2 * place + 1, 2 * place + 2);
        let distance = |child: usize| self.entries.get(child).map(|entry| entry.0);
        match (distance(left), distance(right)) {
            (Some(at_left), Some(at_right)) if at_left < at_right => Some(right),
            (Some(_), _) => Some(left),
            (None, _) => None,
        }
    }
}

/// Labels that more than half of `neighbours` have, ascending.
///
/// `labels` holds the labels of every training row as ascending codes.
pub fn vote(labels: &[Vec<u32>], neighbours: &[usize]) -> Vec<u32> {
    let mut votes: Vec<u32> = neighbours.iter().flat_map(|&row| &labels[row]).copied().collect();
    votes.sort_unstable();
    votes
        .chunk_by(|left, right| left == right)
        .filter(|same| 2 * same.len() > neighbours.len())
        .map(|same| same[0])
        .collect()
}
