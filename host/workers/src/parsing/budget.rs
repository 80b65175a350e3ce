//! What it may cost to read a data file.

use std::time::Duration;

use mteb_base::byte_size::ByteSize;

/// Memory that any file may take.
const LEAST: u64 = 1 << 30;

/// How many times its size a larger file may take: text that is packed well and cells of mixed types take some 20 times.
const RATIO: u64 = 64;

/// Time for a piece of any file.
const SECONDS: u64 = 300;

/// Bytes of the file for which there is one more second.
const BYTES_A_SECOND: u64 = 1 << 20;

/// What it may cost to read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Memory of the worker while it reads a piece.
    pub memory: ByteSize,
    /// Time for a piece.
    pub time: Duration,
}

impl Budget {
    /// The budget of a file of `length` bytes.
    pub fn of(length: u64) -> Self {
        Self {
            memory: ByteSize(LEAST.saturating_add(length.saturating_mul(RATIO))),
            time: Duration::from_secs(SECONDS + length / BYTES_A_SECOND),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_grows_with_the_file() {
        assert_eq!(Budget::of(888).memory.0 >> 20, 1024);
        let large = Budget::of(10 << 30);
        assert_eq!((large.memory.0 >> 30, large.time.as_secs()), (641, 300 + 10 * 1024));
        assert_eq!(Budget::of(u64::MAX).memory.0, u64::MAX);
    }
}
