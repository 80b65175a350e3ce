//! What transformers are built of.

mod activation;
mod attention;
mod decoder;
mod encoder_layer;
mod feed_forward;
mod linear;
mod norm;
mod product;
mod relative;
mod rotary;

pub use activation::Activation;
pub use attention::{Heads, Mask, attention};
pub use decoder::{Decoder, DecoderSettings, Rotation, Window};
pub use encoder_layer::{EncoderLayer, EncoderNames};
pub use feed_forward::Gated;
pub use linear::Linear;
pub use norm::Norm;
pub use product::{Product, Unit};
pub use relative::{alibi_slopes, bucket_table, distances};
pub use rotary::{Rotary, Turn};

use tch::Tensor;

use crate::error::TorchError;

/// The rows of `table` for `ids`.
///
/// # Errors
/// If libtorch fails.
pub fn look_up(table: &Tensor, ids: &Tensor) -> Result<Tensor, TorchError> {
    Ok(Tensor::f_embedding(table, ids, -1, false, false)?)
}
