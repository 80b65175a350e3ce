//! The whole numbers that rows are rounded to.

/// Documents that lie together, word by word.
pub(crate) const GROUP: usize = 12;

/// Bits of a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// Four numbers a word, queries without a sign.
    Eight,
    /// Two numbers a word.
    Sixteen,
}

/// A whole number of some bits.
pub(super) trait Number: Copy + Default {
    /// Numbers in a word of 32 bits.
    const IN_WORD: usize;

    /// The largest magnitude.
    const LARGEST: f32;

    /// The largest norm of rows, in whole numbers, of which sums over `dimension` products stay within 32 bits.
    fn largest_norm(dimension: usize) -> f32;

    /// A whole number that is not larger than that.
    fn of(value: i32) -> Self;

    /// [`Self::IN_WORD`] numbers as they lie in memory.
    fn word(numbers: &[Self]) -> u32;
}

impl Number for i8 {
    const IN_WORD: usize = 4;
    const LARGEST: f32 = 127.0;

    fn largest_norm(_: usize) -> f32 {
        f32::INFINITY
    }

    #[inline(always)]
    fn of(value: i32) -> Self {
        value as i8
    }

    #[inline(always)]
    fn word(numbers: &[Self]) -> u32 {
        numbers.iter().rev().fold(0, |word, &number| word << 8 | u32::from(number.cast_unsigned()))
    }
}

impl Number for i16 {
    const IN_WORD: usize = 2;
    const LARGEST: f32 = 32767.0;

    fn largest_norm(dimension: usize) -> f32 {
        // Rounding to the nearest adds a half to each number at most.
        SIXTEEN_NORM - (dimension as f32).sqrt()
    }

    #[inline(always)]
    fn of(value: i32) -> Self {
        value as i16
    }

    #[inline(always)]
    fn word(numbers: &[Self]) -> u32 {
        numbers.iter().rev().fold(0, |word, &number| word << 16 | u32::from(number.cast_unsigned()))
    }
}

/// Below √(2³¹ − 1), by as much as the roundings of a scale need.
const SIXTEEN_NORM: f32 = 46_300.0;

impl Width {
    /// Words that `dimension` numbers take.
    pub(super) fn words(self, dimension: usize) -> usize {
        dimension.div_ceil(match self {
            Self::Eight => i8::IN_WORD,
            Self::Sixteen => i16::IN_WORD,
        })
    }

    /// What turns the words of numbers into those of a query.
    pub(super) fn sign(self) -> u32 {
        match self {
            Self::Eight => 0x8080_8080,
            Self::Sixteen => 0,
        }
    }

    /// What has to be added to a sum of products with a query because of that; `sum` is the sum of the document's numbers.
    pub(super) fn start(self, sum: i32) -> i32 {
        match self {
            // Rows with numbers that are not finite have any sum, and are not screened.
            Self::Eight => sum.wrapping_mul(-128),
            Self::Sixteen => 0,
        }
    }

    /// Σ z·y over a word of a query and one of a document.
    pub(super) fn product(self, query: u32, document: u32) -> i32 {
        match self {
            Self::Eight => {
                let products = query.to_le_bytes().into_iter().zip(document.to_le_bytes());
                products.map(|(z, y)| i32::from(z) * i32::from(y.cast_signed())).sum()
            }
            Self::Sixteen => {
                let half = |word: u32, shift: u32| i32::from(((word >> shift) as u16).cast_signed());
                half(query, 0) * half(document, 0) + half(query, 16) * half(document, 16)
            }
        }
    }
}
