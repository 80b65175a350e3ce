//! Rows of numbers, seen through their shape.

/// A row-major matrix of `f32`.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    values: &'a [f32],
    dimension: usize,
}

impl<'a> Rows<'a> {
    /// Rows of `dimension` numbers each; `dimension` is at least 1 and divides the number of values.
    pub fn new(values: &'a [f32], dimension: usize) -> Self {
        debug_assert!(dimension > 0 && values.len().is_multiple_of(dimension));
        Self { values, dimension }
    }

    /// Number of rows.
    pub fn len(self) -> usize {
        self.values.len() / self.dimension
    }

    /// True if there is no row.
    pub fn is_empty(self) -> bool {
        self.values.is_empty()
    }

    /// Numbers a row.
    pub fn dimension(self) -> usize {
        self.dimension
    }

    /// The row at `index`.
    pub fn row(self, index: u32) -> &'a [f32] {
        let start = index as usize * self.dimension;
        &self.values[start..start + self.dimension]
    }
}

/// Sum of the squares of `row` in the order of numpy's `einsum("ij,ij->i")`: four running sums, blocks of sixteen
/// numbers taken from their end. The width is fixed, whatever the processor offers.
pub(super) fn squared_norm(row: &[f32]) -> f32 {
    const LANES: usize = 4;
    let (vectors, tail) = row.as_chunks::<LANES>();
    let (blocks, rest) = vectors.as_chunks::<4>();
    let mut last = [0.0; LANES];
    last[..tail.len()].copy_from_slice(tail);
    let mut lanes = [0.0f32; LANES];
    for vector in blocks.iter().flat_map(|block| block.iter().rev()).chain(rest).chain([&last]) {
        for (lane, &value) in lanes.iter_mut().zip(vector) {
            *lane += value * value;
        }
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}
