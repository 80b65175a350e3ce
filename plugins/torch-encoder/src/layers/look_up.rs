//! Rows of a table of vectors.

use tch::Tensor;

use crate::error::TorchError;

/// The rows of `table` for `ids`.
///
/// # Errors
/// If libtorch fails.
pub fn look_up(table: &Tensor, ids: &Tensor) -> Result<Tensor, TorchError> {
    Ok(Tensor::f_embedding(table, ids, -1, false, false)?)
}
