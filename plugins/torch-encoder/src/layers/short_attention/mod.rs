//! Attention within short texts, eight queries at a time with all keys of their text, so that scores stay in the cache (Dao et al. 2022,
//! "FlashAttention", with one block of keys). It computes in float32, whatever the number format of the rows, and stands in for
//! libtorch's own on processors where that multiplies with registers half as wide.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod tensors;

#[cfg(target_arch = "x86_64")]
pub use tensors::mix;

/// Nothing is computed here on this processor.
#[cfg(not(target_arch = "x86_64"))]
pub fn mix(_: [&tch::Tensor; 3], _: bool, _: f64) -> Result<Option<tch::Tensor>, crate::error::TorchError> {
    Ok(None)
}
