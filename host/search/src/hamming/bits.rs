//! Rows of bits.

use std::ops::Range;

/// Bits of a word.
const WORD: usize = u64::BITS as usize;

/// Documents whose words stand side by side, one a lane.
pub(super) const GROUP: usize = 8;

/// Rows of bits, one a number of an embedding: 1 where it is above 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
    dimension: usize,
}

impl Bits {
    /// The bits of `rows` (row-major, `dimension` numbers per row).
    pub fn new(rows: &[f32], dimension: usize) -> Self {
        let mut bits = Self { words: Vec::new(), dimension };
        bits.extend(rows);
        bits
    }

    /// Adds rows of the same dimension.
    pub fn extend(&mut self, rows: &[f32]) {
        for row in rows.chunks_exact(self.dimension.max(1)) {
            self.words.extend(row.chunks(WORD).map(|numbers| {
                numbers
                    .iter()
                    .enumerate()
                    .fold(0, |word, (place, &number)| word | u64::from(number > 0.0) << place)
            }));
        }
    }

    /// Numbers a row.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.words.len().checked_div(self.width()).unwrap_or(0)
    }

    /// The words of a row.
    pub fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.width()..(row + 1) * self.width()]
    }

    /// In how many places two rows differ.
    pub fn distance(&self, row: usize, other: &Self, other_row: usize) -> u32 {
        self.row(row).iter().zip(other.row(other_row)).map(|(one, other)| (one ^ other).count_ones()).sum()
    }

    /// The dot product of a row, its bits taken as zeros and ones, and `query`, which has as many numbers; summed in `f64`, as
    /// sentence-transformers sums it when it rescores.
    pub fn dot(&self, row: usize, query: &[f32]) -> f32 {
        let words = self.row(row).iter().zip(query.chunks(WORD));
        let sum = |(word, numbers): (&u64, &[f32])| {
            let set = numbers.iter().enumerate().filter(|(place, _)| word >> place & 1 == 1);
            set.map(|(_, &number)| f64::from(number)).sum::<f64>()
        };
        words.map(sum).sum::<f64>() as f32
    }

    /// Adds row `row` of `other`, which has the same dimension.
    pub fn push(&mut self, other: &Self, row: usize) {
        self.words.extend_from_slice(other.row(row));
    }

    fn width(&self) -> usize {
        self.dimension.div_ceil(WORD)
    }
}

/// Documents in groups of eight, word by word: word 0 of each of the eight, then word 1 of each, …
#[derive(Debug, Default)]
pub(super) struct Groups {
    words: Vec<[u64; GROUP]>,
    width: usize,
}

impl Groups {
    /// Lays out the documents at `rows`; the last group is filled with zeros.
    pub fn fill(&mut self, documents: &Bits, rows: Range<usize>) {
        self.width = documents.width();
        self.words.clear();
        self.words.resize(rows.len().div_ceil(GROUP) * self.width, [0; GROUP]);
        for (place, row) in rows.enumerate() {
            let group = &mut self.words[place / GROUP * self.width..][..self.width];
            for (lanes, &word) in group.iter_mut().zip(documents.row(row)) {
                lanes[place % GROUP] = word;
            }
        }
    }

    /// The groups in their order.
    pub fn all(&self) -> impl Iterator<Item = &[[u64; GROUP]]> {
        self.words.chunks_exact(self.width.max(1))
    }
}
