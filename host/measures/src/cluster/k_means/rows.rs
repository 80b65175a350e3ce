//! Rows of numbers, and their squared Euclidean distances in double precision.

use super::eight::{Eight, Job, LANES, dispatch};

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

/// Centres that are compared with a row at a time.
const GROUP: usize = 4;

/// Squared norm of each of the `rows` at `indices`.
pub(super) fn squared_norms(rows: Rows<'_>, indices: &[u32]) -> Vec<f64> {
    dispatch(Norms { rows, indices })
}

/// ‖x‖² − 2x·c + ‖c‖², at least 0, of each of the `rows` at `indices` with each of the rows at `centres`, rounded to
/// `f32`; one list a centre. `norms` are those of the rows at `indices`, and `centres` are places in `indices`.
pub(super) fn squared_distances(
    rows: Rows<'_>,
    indices: &[u32],
    norms: &[f64],
    centres: &[usize],
) -> Vec<Vec<f32>> {
    let mut distances = Vec::with_capacity(centres.len());
    for group in centres.chunks(GROUP) {
        // Fewer centres than a group holds are compared again with the first one, whose list is then dropped.
        let places = std::array::from_fn(|i| *group.get(i).unwrap_or(&group[0]));
        let lists = dispatch(Distances { rows, indices, norms, places });
        distances.extend(lists.into_iter().take(group.len()));
    }
    distances
}

struct Norms<'a> {
    rows: Rows<'a>,
    indices: &'a [u32],
}

impl Job for Norms<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<E: Eight>(self, eight: E) -> Self::Output {
        let mut norms = Vec::with_capacity(self.indices.len());
        for &index in self.indices {
            let row = self.rows.row(index);
            norms.push(dot_products(eight, [row], row)[0]);
        }
        norms
    }
}

struct Distances<'a> {
    rows: Rows<'a>,
    indices: &'a [u32],
    norms: &'a [f64],
    places: [usize; GROUP],
}

impl Job for Distances<'_> {
    type Output = [Vec<f32>; GROUP];

    #[inline(always)]
    fn run<E: Eight>(self, eight: E) -> Self::Output {
        let Self { rows, indices, norms, places } = self;
        let mut lists: Self::Output = std::array::from_fn(|_| Vec::with_capacity(indices.len()));
        let centres = places.map(|place| rows.row(indices[place]));
        for (&index, norm) in indices.iter().zip(norms) {
            let products = dot_products(eight, centres, rows.row(index));
            for ((list, product), place) in lists.iter_mut().zip(products).zip(places) {
                list.push((-2.0 * product + norms[place] + norm).max(0.0) as f32);
            }
        }
        lists
    }
}

/// Inner products of `row` with each of `others`.
#[inline(always)]
fn dot_products<E: Eight, const N: usize>(eight: E, others: [&[f32]; N], row: &[f32]) -> [f64; N] {
    let (blocks, tail) = row.as_chunks();
    let others = others.map(|other| other[..row.len()].as_chunks());
    let mut sums = [eight.widen(&[0.0; LANES]); N];
    for (number, block) in blocks.iter().enumerate() {
        sums = add_products(eight, sums, others.map(|(other, _)| &other[number]), block);
    }
    if !tail.is_empty() {
        let others = others.map(|(_, other)| pad(other));
        sums = add_products(eight, sums, others.each_ref(), &pad(tail));
    }
    sums.map(|sums| {
        let [a, b, c, d, e, f, g, h] = eight.numbers(sums);
        ((a + b) + (c + d)) + ((e + f) + (g + h))
    })
}

#[inline(always)]
fn add_products<E: Eight, const N: usize>(
    eight: E,
    mut sums: [E::Numbers; N],
    others: [&[f32; LANES]; N],
    row: &[f32; LANES],
) -> [E::Numbers; N] {
    let row = eight.widen(row);
    for (sums, other) in sums.iter_mut().zip(others) {
        *sums = eight.multiply_add(row, eight.widen(other), *sums);
    }
    sums
}

/// The numbers after the last whole block, and zeros.
#[inline(always)]
fn pad(tail: &[f32]) -> [f32; LANES] {
    std::array::from_fn(|place| tail.get(place).copied().unwrap_or(0.0))
}
