//! One bit a number.

/// 1 for every number above 0, else 0: the `BINARY` of the reference's `CompressionWrapper`, and the bits of
/// sentence-transformers' `quantize_embeddings`.
pub fn binary(rows: &mut [f32]) {
    rows.iter_mut().for_each(|number| *number = f32::from(u8::from(*number > 0.0)));
}
