//! Tables of vectors, one a row, of which texts look up a few.

use tch::{Kind, Tensor};

use crate::error::TorchError;
use crate::weights::Weights;

/// A table of vectors.
pub struct Table {
    /// In the number format of the computation, or in that of the file.
    rows: Tensor,
    kind: Kind,
}

impl Table {
    /// Reads the tensor called `name` of shape `[rows, width]`.
    ///
    /// Where it can stay in its file, rows are converted when they are looked up, which gives the same numbers: a vocabulary is
    /// large, and the texts of a batch have a few of its tokens.
    ///
    /// # Errors
    /// If it is absent or of another shape.
    pub fn read(weights: &Weights, name: &str, shape: [i64; 2]) -> Result<Self, TorchError> {
        Ok(Self { rows: weights.take_as_it_is(name, &shape)?, kind: weights.kind() })
    }

    /// A table in the number format of the computation.
    pub fn of(rows: Tensor) -> Self {
        Self { kind: rows.kind(), rows }
    }

    /// The rows of `ids`, in the number format of the computation.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn look_up(&self, ids: &Tensor) -> Result<Tensor, TorchError> {
        Ok(look_up(&self.rows, ids)?.f_to_kind(self.kind)?)
    }

    /// Rows, and numbers in each.
    pub fn size(&self) -> [i64; 2] {
        let size = self.rows.size();
        [size[0], size[1]]
    }
}

/// The rows of `table` for `ids`.
///
/// # Errors
/// If libtorch fails.
pub fn look_up(table: &Tensor, ids: &Tensor) -> Result<Tensor, TorchError> {
    Ok(Tensor::f_embedding(table, ids, -1, false, false)?)
}
