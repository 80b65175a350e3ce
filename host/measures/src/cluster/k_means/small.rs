//! The nearest centre of the rows of a small chunk, in the order in which OpenBLAS multiplies small matrices on processors with
//! AVX-512 (protocol 6.5, step 4).

use pulp::{Simd, WithSimd};

use super::rows::Rows;

/// Running sums of one product.
const LANES: usize = 16;

/// Rows and centres that are multiplied side by side.
const SIDE: usize = 4;

/// The most products of a small chunk, and the most multiplications.
const MOST: (usize, usize) = (1200, 1_000_000);

/// The fewest numbers of a row.
const FEWEST: usize = 32;

type Lanes = [f32; LANES];

/// True if the products of so many rows with so many centres are added up in this order.
pub(super) fn is_small(rows: usize, centres: usize, dimension: usize) -> bool {
    let products = rows * centres;
    dimension >= FEWEST && products <= MOST.0 && products * dimension <= MOST.1
}

/// Finds the centre with the smallest ‖c‖² − 2x·c, the first of several, of each row at `indices`.
pub(super) struct NearestOfSmall<'a> {
    pub centres: Rows<'a>,
    /// Their squared norms.
    pub norms: &'a [f32],
    pub rows: Rows<'a>,
    pub indices: &'a [u32],
    pub labels: &'a mut [u32],
    /// True if the rows are part of a chunk of a number of rows that four divides, false if they are the chunk.
    pub is_whole: bool,
}

impl WithSimd for NearestOfSmall<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { centres, norms, rows, indices, labels, is_whole } = self;
        // Those that are left when four are taken at a time, of rows and of centres, meet in another order.
        let last_centres = norms.len() / SIDE * SIDE;
        let last_rows = if is_whole { usize::MAX } else { indices.len() / SIDE * SIDE };
        for (place, (&index, label)) in indices.iter().zip(labels).enumerate() {
            let mut best = (f32::INFINITY, 0);
            for (number, &norm) in norms.iter().enumerate() {
                let is_last = place >= last_rows && number >= last_centres;
                let score = norm - 2.0 * product(rows.row(index), centres.row(number as u32), is_last);
                if score < best.0 {
                    best = (score, number as u32);
                }
            }
            *label = best.1;
        }
    }
}

#[inline(always)]
fn product(row: &[f32], centre: &[f32], is_last: bool) -> f32 {
    let sums = products(row, centre);
    if is_last { by_halves(sums) } else { by_quarters(sums) }
}

/// The products of the numbers of two rows, added up in lanes.
#[inline(always)]
fn products(row: &[f32], centre: &[f32]) -> Lanes {
    let ((row, row_tail), (centre, centre_tail)) = (row.as_chunks(), centre.as_chunks());
    let mut sums = [0.0; LANES];
    for (row, centre) in row.iter().zip(centre) {
        sums = add_products(sums, row, centre);
    }
    if row_tail.is_empty() { sums } else { add_products(sums, &pad(row_tail), &pad(centre_tail)) }
}

#[inline(always)]
fn add_products(mut sums: Lanes, row: &Lanes, centre: &Lanes) -> Lanes {
    for ((sum, value), centre) in sums.iter_mut().zip(row).zip(centre) {
        *sum = value.mul_add(*centre, *sum);
    }
    sums
}

/// The numbers after the last whole block, and zeros.
#[inline(always)]
fn pad(tail: &[f32]) -> Lanes {
    std::array::from_fn(|place| tail.get(place).copied().unwrap_or(0.0))
}

/// The sum of the lanes, each four of them first.
#[inline(always)]
fn by_quarters(sums: Lanes) -> f32 {
    let [a, b, c, d] =
        std::array::from_fn(|i| (sums[4 * i] + sums[4 * i + 1]) + (sums[4 * i + 2] + sums[4 * i + 3]));
    (a + b) + (c + d)
}

/// The sum of the lanes, each half added to the other.
#[inline(always)]
fn by_halves(sums: Lanes) -> f32 {
    let eight: [f32; 8] = std::array::from_fn(|i| sums[i] + sums[i + 8]);
    let four: [f32; 4] = std::array::from_fn(|i| eight[i] + eight[i + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between -2 and 2, one after the other from `seed`.
    fn numbers(count: usize, seed: u32) -> Vec<f32> {
        let next = |state: &u32| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
        let states = std::iter::successors(next(&seed), next);
        states.take(count).map(|state| (state >> 8) as f32 / (1 << 22) as f32 - 2.0).collect()
    }

    /// What scipy 1.17.1 gives with `OPENBLAS_CORETYPE=SkylakeX`: the bits of -2 times the products of the first row, and of the last
    /// one, in `sgemm(-2, c.T, x.T, beta=1, c=zeros, trans_a=1)`.
    #[test]
    fn products_are_those_of_openblas_bit_for_bit() {
        for (count, dimension, centres, first, last) in [
            (
                256,
                32,
                4,
                vec![1_076_840_972, 3_244_741_728, 1_092_295_662, 1_063_895_536],
                vec![1_091_400_698, 3_230_907_464, 1_102_011_868, 3_238_882_118],
            ),
            (
                7,
                40,
                3,
                vec![3_239_636_085, 1_099_886_220, 3_234_152_077],
                vec![1_034_017_152, 1_083_664_782, 1_095_336_786],
            ),
        ] {
            let (rows, others) = (numbers(count * dimension, 1), numbers(centres * dimension, 2));
            let bits = |row: usize| -> Vec<u32> {
                let row_numbers = &rows[row * dimension..][..dimension];
                let is_last = |number: usize| row >= count / SIDE * SIDE && number >= centres / SIDE * SIDE;
                let others = others.chunks(dimension).enumerate();
                let score = others.map(|(number, other)| -2.0 * product(row_numbers, other, is_last(number)));
                score.map(f32::to_bits).collect()
            };
            assert_eq!((bits(0), bits(count - 1)), (first, last), "{count} rows of {dimension} numbers");
        }
    }

    #[test]
    fn a_chunk_is_small_by_its_products_and_its_numbers() {
        assert!(is_small(256, 4, 32) && !is_small(256, 5, 32) && !is_small(256, 4, 31));
        assert!(is_small(13, 50, 1536) && !is_small(13, 51, 1537));
    }
}
