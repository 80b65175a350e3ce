//! A model that ranks documents by their words rather than encode texts.

use mteb_measures::ranking::DocumentIds;
use mteb_search::Scored;

/// A model that takes in a whole corpus and ranks it for each query.
pub trait Ranker: Sync {
    /// An index without documents, for the language of the unit.
    fn builder(&self) -> Box<dyn IndexBuilder>;
}

/// An index that is being made.
pub trait IndexBuilder {
    /// Takes in the next document: title, line break and text, as they are.
    fn add(&mut self, document: &str);

    /// The index over all documents.
    fn finish(self: Box<Self>) -> Box<dyn DocumentIndex>;
}

/// Documents that can be ranked.
pub trait DocumentIndex: Sync {
    /// The `depth` best documents for `query`, largest (score, id) first; documents are numbered as they came, and `ids` has
    /// the id of each.
    fn best(&self, query: &str, depth: usize, ids: &dyn DocumentIds) -> Vec<Scored>;
}
