//! The form of a row in memory that waits for writing and in files: `f32`, little-endian.

/// The bytes of one row.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a>(pub &'a [u8]);

impl Row<'_> {
    /// Copies the numbers.
    pub fn read_into(self, out: &mut [f32]) {
        for (value, bytes) in out.iter_mut().zip(self.0.as_chunks().0) {
            *value = f32::from_le_bytes(*bytes);
        }
    }

    /// Appends the bytes of a row.
    pub fn append(row: &[f32], bytes: &mut Vec<u8>) {
        bytes.extend(row.iter().flat_map(|value| value.to_le_bytes()));
    }
}
