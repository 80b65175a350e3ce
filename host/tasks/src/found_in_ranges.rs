//! What a search has found in some ranges of a corpus, or a reranker in some ranges of its pairs, so that several machines share a unit and
//! the lists join exactly.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use mteb_base::counted::count;
use mteb_data::Texts;
use mteb_search::Scored;

/// Documents of a range: after so many the best of them enter the lists of a search (protocol 7.1), and texts are never encoded together
/// beyond them.
pub const RANGE_DOCUMENTS: u32 = 50_000;

/// Pairs of a range of a reranking: queries in their order, each with its candidates in theirs. What is handed to a model together is
/// never of two ranges.
pub const RANGE_PAIRS: u32 = 8 * 4096;

/// Ranges by number: range 0 holds the first [`RANGE_DOCUMENTS`] documents of a corpus, or the first [`RANGE_PAIRS`] pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<Range<u32>>);

/// What a search found in ranges of a corpus, or a reranker in ranges of its pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundInRanges {
    /// Documents that were wanted for a query row; of a reranking those of the longest list.
    pub depth: usize,
    /// Number of query rows.
    pub queries: usize,
    /// Documents of the whole corpus; of a reranking those of all lists.
    pub documents: u32,
    /// What was found, by the number of the range.
    pub ranges: BTreeMap<u32, FoundInRange>,
}

/// What was found in a range. Of a reranking the numbers of candidates are those of a plan, and no rows and ids are noted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundInRange {
    /// Rows of the corpus that were found, ascending.
    pub rows: Vec<u32>,
    /// Their ids.
    pub ids: Texts,
    /// By query row what may be among the best, best first; of a reranking all candidates in their order. What a list of the same search had no room for any more, after earlier ranges of
    /// it, is left out: the list of the whole search has no room for that either.
    pub found: Vec<Vec<Scored>>,
}

impl Ranges {
    /// The ranges of these numbers.
    pub fn new(numbers: Vec<Range<u32>>) -> Self {
        Self(numbers)
    }

    /// The numbers.
    pub fn numbers(&self) -> &[Range<u32>] {
        &self.0
    }

    /// True if range `number` is one of them.
    pub fn has(&self, number: u32) -> bool {
        self.0.iter().any(|numbers| numbers.contains(&number))
    }
}

/// How much was searched, by which one search is told from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSize {
    /// Documents that were wanted for a query row.
    pub depth: usize,
    /// Number of query rows.
    pub queries: usize,
    /// Documents of the whole corpus.
    pub documents: u32,
}

/// What was found belongs to another search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the search of the other ranges, {expected}, found one of {found}")]
pub struct OtherSearch {
    /// The search of the ranges that are here.
    pub expected: SearchSize,
    /// The search of those that were to join them.
    pub found: SearchSize,
}

impl FoundInRanges {
    /// Number of ranges of the corpus.
    pub fn all(&self) -> u32 {
        self.documents.div_ceil(RANGE_DOCUMENTS)
    }

    /// Takes in what others have found in other ranges of the same search.
    ///
    /// # Errors
    /// If it was another search.
    pub fn join(&mut self, other: Self) -> Result<(), OtherSearch> {
        let (expected, found) = (self.size(), other.size());
        if expected != found {
            return Err(OtherSearch { expected, found });
        }
        self.ranges.extend(other.ranges);
        Ok(())
    }

    fn size(&self) -> SearchSize {
        SearchSize { depth: self.depth, queries: self.queries, documents: self.documents }
    }
}

impl fmt::Display for SearchSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, queries, documents } = self;
        let (found, queries) = (count(*depth, "document"), count(*queries, "query"));
        write!(formatter, "{found} for each of {queries} among {documents}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_numbers_and_the_last_may_be_open() {
        let ranges = Ranges::new(vec![1..2, 4..u32::MAX]);
        assert_eq!([0, 1, 2, 4, 400].map(|number| ranges.has(number)), [false, true, false, true, true]);
    }

    #[test]
    fn what_another_search_found_is_not_joined() {
        let mut found = FoundInRanges { depth: 10, queries: 2, documents: 60_000, ..Default::default() };
        assert_eq!(found.all(), 2);
        let other = FoundInRanges { documents: 50_000, ..found.clone() };
        let refused = found.join(other).unwrap_err();
        assert_eq!(refused.found, SearchSize { depth: 10, queries: 2, documents: 50_000 });
        assert!(refused.to_string().ends_with("found one of 10 documents for each of 2 queries among 50000"));
    }
}
