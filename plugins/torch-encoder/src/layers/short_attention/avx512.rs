//! Scores, softmax and mixed values of eight queries of one head, by AVX-512.
#![allow(unsafe_code, reason = "vector instructions that the compiler does not choose by itself")]

use std::arch::x86_64::*;

use half::bf16;

/// Queries that are computed side by side.
pub const QUERIES: usize = 8;
/// Numbers in a register.
pub const LANES: usize = 16;

/// A number as tensors have it.
pub trait Number: Copy {
    /// The same number in float32.
    fn widen(self) -> f32;
    /// The nearest numbers to those in float32.
    fn narrow_all(from: &[f32], to: &mut [Self]);
}

impl Number for f32 {
    fn widen(self) -> f32 {
        self
    }

    fn narrow_all(from: &[f32], to: &mut [Self]) {
        to.copy_from_slice(from);
    }
}

impl Number for bf16 {
    fn widen(self) -> f32 {
        self.to_f32()
    }

    fn narrow_all(from: &[f32], to: &mut [Self]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = Self::from_f32(*from);
        }
    }
}

/// Whether the processor has the instructions.
pub fn available() -> bool {
    is_x86_feature_detected!("avx512f")
}

/// Keys and values of one head of a text, and room for what is computed of them.
pub struct Head {
    length: usize,
    size: usize,
    /// Keys, filled up to whole registers.
    stride: usize,
    /// `[size, stride]`.
    keys: Vec<f32>,
    /// `[length, size]`.
    values: Vec<f32>,
    /// `[size, QUERIES]`.
    queries: Vec<f32>,
    /// Scores and what becomes of them, `[QUERIES, stride]`.
    shares: Vec<f32>,
    /// `[QUERIES, size]`.
    mixed: Vec<f32>,
}

impl Head {
    /// Room for `length` keys of `size` numbers, a multiple of [`LANES`].
    pub fn new(length: usize, size: usize) -> Self {
        let stride = length.next_multiple_of(LANES);
        Self {
            length,
            size,
            stride,
            keys: vec![0.0; size * stride],
            values: vec![0.0; length * size],
            queries: vec![0.0; size * QUERIES],
            shares: vec![0.0; QUERIES * stride],
            mixed: vec![0.0; QUERIES * size],
        }
    }

    /// Takes the keys and values of all tokens, of `size` numbers each.
    pub fn take<'a, T: Number + 'a>(
        &mut self,
        key: impl Fn(usize) -> &'a [T],
        value: impl Fn(usize) -> &'a [T],
    ) {
        for token in 0..self.length {
            let row = &mut self.values[token * self.size..][..self.size];
            row.iter_mut().zip(value(token)).for_each(|(to, from)| *to = from.widen());
        }
        for first in (0..self.length).step_by(LANES) {
            let rows: [&[T]; LANES] = std::array::from_fn(|lane| key((first + lane).min(self.length - 1)));
            for (place, column) in self.keys.chunks_exact_mut(self.stride).enumerate() {
                for (number, row) in column[first..first + LANES].iter_mut().zip(rows) {
                    *number = row[place].widen();
                }
            }
        }
    }

    /// The mixed values of the queries, `[QUERIES, size]`; each sees so many of the first keys, at least one.
    pub fn attend<T: Number>(
        &mut self,
        queries: [&[T]; QUERIES],
        seen: [usize; QUERIES],
        scale: f32,
    ) -> &[f32] {
        assert!(available(), "AVX-512 is there");
        assert!(seen.iter().all(|seen| (1..=self.length).contains(seen)), "keys are seen that are there");
        for (place, numbers) in self.queries.chunks_exact_mut(QUERIES).enumerate() {
            numbers.iter_mut().zip(queries).for_each(|(to, query)| *to = scale * query[place].widen());
        }
        // SAFETY: the processor has the features.
        unsafe { self.attend_with_features(seen) };
        &self.mixed
    }

    #[target_feature(enable = "avx512f")]
    fn attend_with_features(&mut self, seen: [usize; QUERIES]) {
        let most = seen.into_iter().max().unwrap_or(0);
        let columns = most.next_multiple_of(LANES);
        let mut column = 0;
        while column < columns {
            // Three registers of keys beside each query fill the processor's.
            match (columns - column) / LANES {
                1 => self.score::<1>(column),
                2 => self.score::<2>(column),
                _ => self.score::<3>(column),
            }
            column += LANES * 3.min((columns - column) / LANES);
        }
        let mut wholes = [1.0; QUERIES];
        for ((row, seen), whole) in self.shares.chunks_exact_mut(self.stride).zip(seen).zip(&mut wholes) {
            *whole = exponentials(&mut row[..columns], seen);
        }
        for column in (0..self.size).step_by(2 * LANES) {
            match (self.size - column) / LANES {
                1 => self.mix::<1>(column, most, &wholes),
                _ => self.mix::<2>(column, most, &wholes),
            }
        }
    }

    /// The scores of `N` registers of keys from `column` on.
    #[target_feature(enable = "avx512f")]
    fn score<const N: usize>(&mut self, column: usize) {
        let mut sums = [[_mm512_setzero_ps(); N]; QUERIES];
        let (queries, _) = self.queries.as_chunks::<QUERIES>();
        let (keys, stride) = (&self.keys[..], self.stride);
        // An iterator over both, or a closure, would be called, and calls keep nothing in these registers.
        for place in 0..queries.len() {
            sums = add_products(sums, &queries[place], load::<N>(&keys[place * stride + column..]));
        }
        for (sums, row) in sums.into_iter().zip(self.shares.chunks_exact_mut(self.stride)) {
            store(sums, &mut row[column..]);
        }
    }

    /// The sums of `N` registers of values from `column` on, weighted by the shares of the first `most` keys.
    #[target_feature(enable = "avx512f")]
    fn mix<const N: usize>(&mut self, column: usize, most: usize, wholes: &[f32; QUERIES]) {
        let mut sums = [[_mm512_setzero_ps(); N]; QUERIES];
        let (rows, stride) = (&self.shares[..QUERIES * self.stride], self.stride);
        let (values, size) = (&self.values[..], self.size);
        for token in 0..most.min(stride) {
            let values = load::<N>(&values[token * size + column..]);
            let mut shares = [0.0; QUERIES];
            for (query, share) in shares.iter_mut().enumerate() {
                // SAFETY: `query` is below `QUERIES` and `token` below `stride`, so that the place lies within the rows.
                *share = unsafe { *rows.get_unchecked(query * stride + token) };
            }
            sums = add_products(sums, &shares, values);
        }
        for ((mut sums, row), whole) in
            sums.into_iter().zip(self.mixed.chunks_exact_mut(self.size)).zip(wholes)
        {
            for sum in &mut sums {
                *sum = _mm512_mul_ps(*sum, _mm512_set1_ps(1.0 / whole));
            }
            store(sums, &mut row[column..]);
        }
    }
}

/// Adds to the sums of each query its factor times the numbers. The compiler knows how many there are and keeps all in registers.
#[target_feature(enable = "avx512f")]
#[inline]
fn add_products<const N: usize>(
    mut sums: [[__m512; N]; QUERIES],
    factors: &[f32; QUERIES],
    numbers: [__m512; N],
) -> [[__m512; N]; QUERIES] {
    for query in 0..QUERIES {
        let factor = _mm512_set1_ps(factors[query]);
        for place in 0..N {
            sums[query][place] = _mm512_fmadd_ps(factor, numbers[place], sums[query][place]);
        }
    }
    sums
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load<const N: usize>(from: &[f32]) -> [__m512; N] {
    let from = &from[..N * LANES];
    let mut loaded = [_mm512_setzero_ps(); N];
    for (place, register) in loaded.iter_mut().enumerate() {
        // SAFETY: the slice has `LANES` numbers for each of the registers.
        *register = unsafe { _mm512_loadu_ps(from.as_ptr().add(place * LANES)) };
    }
    loaded
}

#[target_feature(enable = "avx512f")]
#[inline]
fn store<const N: usize>(registers: [__m512; N], to: &mut [f32]) {
    let to = &mut to[..N * LANES];
    for (place, register) in registers.into_iter().enumerate() {
        // SAFETY: the slice has `LANES` numbers for each of the registers.
        unsafe { _mm512_storeu_ps(to.as_mut_ptr().add(place * LANES), register) };
    }
}

/// Turns the first `seen` scores of a row, whole registers of numbers, into the exponentials of their distances from the highest, and
/// the others into 0. Gives the sum.
#[target_feature(enable = "avx512f")]
fn exponentials(row: &mut [f32], seen: usize) -> f32 {
    let lanes = |first: usize| -> __mmask16 {
        match seen.saturating_sub(first) {
            count if count >= LANES => !0,
            count => (1 << count) - 1,
        }
    };
    let mut most = _mm512_set1_ps(f32::NEG_INFINITY);
    for (place, numbers) in row.chunks_exact(LANES).enumerate() {
        let [numbers] = load::<1>(numbers);
        most = _mm512_mask_max_ps(most, lanes(place * LANES), most, numbers);
    }
    let most = _mm512_set1_ps(_mm512_reduce_max_ps(most));
    let mut sum = _mm512_setzero_ps();
    for (place, numbers) in row.chunks_exact_mut(LANES).enumerate() {
        let [loaded] = load::<1>(numbers);
        let powers = _mm512_maskz_mov_ps(lanes(place * LANES), exponential(_mm512_sub_ps(loaded, most)));
        sum = _mm512_add_ps(sum, powers);
        store([powers], numbers);
    }
    _mm512_reduce_add_ps(sum)
}

/// e^x for x ≤ 0, within two units of the last place: e^(x − n·ln 2) by the polynomial of the Cephes library (Moshier 1992), times 2ⁿ.
#[target_feature(enable = "avx512f")]
#[inline]
fn exponential(x: __m512) -> __m512 {
    /// ln 2 in two parts, the first of which has few digits, so that its products are exact.
    const LN_2: [f32; 2] = [355.0 / 512.0, -2.121_944_4e-4];
    const POLYNOMIAL: [f32; 6] =
        [1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 5e-1];
    /// What is below ends as 0.
    const LEAST: f32 = -105.0;
    // What is no number stays none: of two operands the second is taken then.
    let x = _mm512_max_ps(_mm512_set1_ps(LEAST), x);
    let n = _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(_mm512_mul_ps(
        x,
        _mm512_set1_ps(std::f32::consts::LOG2_E),
    ));
    let rest = LN_2.iter().fold(x, |rest, part| _mm512_fnmadd_ps(n, _mm512_set1_ps(*part), rest));
    let mut power = _mm512_set1_ps(POLYNOMIAL[0]);
    for factor in &POLYNOMIAL[1..] {
        power = _mm512_fmadd_ps(power, rest, _mm512_set1_ps(*factor));
    }
    let power = _mm512_fmadd_ps(power, _mm512_mul_ps(rest, rest), rest);
    _mm512_scalef_ps(_mm512_add_ps(power, _mm512_set1_ps(1.0)), n)
}
