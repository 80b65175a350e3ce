//! What a unit of a plan is estimated to take.

use mteb_shards::SizeSource;
use mteb_tasks::RANGE_DOCUMENTS;

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
    /// The ranges into which its corpus is cut, of which shards may take some: 1 where the unit is the smallest piece.
    pub ranges: usize,
}

/// Documents up to which a corpus is not cut: what every shard does of a unit, whatever its part, is worth it only beyond. Plans depend on
/// neither the number of shards nor the machine.
const MOST_UNCUT: u64 = 2 * RANGE_DOCUMENTS as u64;

/// The ranges into which a corpus of about so many documents is cut.
pub fn ranges_of_corpus(documents: u64) -> usize {
    if documents <= MOST_UNCUT { 1 } else { documents.div_ceil(RANGE_DOCUMENTS.into()) as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_corpus_is_cut_whatever_the_number_of_shards() {
        assert_eq!([1, 100_000, 100_001, 8_841_823].map(ranges_of_corpus), [1, 1, 3, 177]);
    }
}
