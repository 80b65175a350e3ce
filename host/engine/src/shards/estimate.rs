//! What a unit of a plan is estimated to take.

use mteb_shards::SizeSource;
use mteb_tasks::{RANGE_DOCUMENTS, RANGE_PAIRS};

/// What a unit is estimated to take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitEstimate {
    /// Number of its texts, if it is known.
    pub texts: Option<u64>,
    /// Their characters, if they are known.
    pub characters: Option<u64>,
    /// Who counted.
    pub counted: SizeSource,
    /// Seconds.
    pub seconds: f64,
    /// The ranges into which its corpus, or its pairs, are cut, of which shards may take some: 1 where the unit is the smallest piece.
    pub ranges: usize,
}

/// Ranges up to which a unit is not cut: what every shard does of it, whatever its part, is worth it only beyond. Plans depend on
/// neither the number of shards nor the machine.
const MOST_UNCUT: u64 = 2;

/// The ranges into which a corpus of about so many documents is cut.
pub fn ranges_of_corpus(documents: u64) -> usize {
    ranges(documents, RANGE_DOCUMENTS)
}

/// The ranges into which about so many pairs of queries and candidates are cut.
pub fn ranges_of_pairs(pairs: u64) -> usize {
    ranges(pairs, RANGE_PAIRS)
}

fn ranges(all: u64, of_range: u32) -> usize {
    let ranges = all.div_ceil(of_range.into());
    if ranges <= MOST_UNCUT { 1 } else { ranges as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_corpus_is_cut_whatever_the_number_of_shards() {
        assert_eq!([1, 100_000, 100_001, 8_841_823].map(ranges_of_corpus), [1, 1, 3, 177]);
        assert_eq!([1, 65_536, 65_537, 698_000].map(ranges_of_pairs), [1, 1, 3, 22]);
    }
}
