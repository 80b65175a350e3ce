//! Rows of embeddings.

/// A row-major matrix of `rows` × `dimension` numbers: row i is the embedding of text i.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// `rows × dimension` numbers, row after row.
    pub values: Vec<f32>,
    /// Numbers a row.
    pub dimension: usize,
}

impl Matrix {
    /// A matrix over `values`; their count must be a multiple of `dimension`.
    pub fn new(values: Vec<f32>, dimension: usize) -> Self {
        debug_assert!(dimension > 0 && values.len().is_multiple_of(dimension));
        Self { values, dimension }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.values.len().checked_div(self.dimension).unwrap_or(0)
    }

    /// The embedding in row `index`.
    pub fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.dimension..(index + 1) * self.dimension]
    }

    /// A new matrix of the rows at `indices`, in that order.
    pub fn select(&self, indices: &[usize]) -> Self {
        let values = indices.iter().flat_map(|&index| self.row(index)).copied().collect();
        Self { values, dimension: self.dimension }
    }
}
