//! What transformers are built of.

mod activation;
mod attention;
mod decoder;
mod encoder_layer;
mod linear;
mod norm;
mod product;
mod relative;
mod rotary;
mod shared_prefix;
mod short_attention;
mod table;
mod window;

pub use activation::Activation;
pub use attention::{Heads, Mask, attention};
pub use decoder::{Decoder, DecoderSettings, Rotation, Window};
pub use encoder_layer::{EncoderLayer, EncoderNames};
pub use linear::{Gated, Linear};
pub use norm::Norm;
pub use relative::{RelativeMask, alibi_slopes, bucket_biases};
pub use rotary::Rotary;
pub use table::{Table, look_up};
