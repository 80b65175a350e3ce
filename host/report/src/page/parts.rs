//! What a page has beside the scores of its board.

use super::graded::Graded;
use super::map::TextMap;
use super::samples::Samples;
use super::texts::PageLanguages;

/// What a page has beside the scores of its board.
#[derive(Clone, Debug, Default)]
pub struct PageParts {
    /// A view of graded relevance.
    pub graded: Option<Graded>,
    /// Examples of the data of tasks.
    pub samples: Samples,
    /// Texts of tasks in two dimensions.
    pub maps: Vec<TextMap>,
    /// The languages that a reader can choose.
    pub languages: PageLanguages,
    /// Pages of other benchmarks in the same folder: what they are called, and their files.
    pub others: Vec<(String, String)>,
}
