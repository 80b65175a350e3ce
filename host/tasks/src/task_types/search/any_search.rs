//! A search over numbers or over bits, as the model's embeddings are.

use mteb_search::{Bits, HammingSearch, Scored, Search, SearchError};

use super::kept_ids::KeptIds;
use super::rescoring::Rescoring;
use crate::{Matrix, Session};

/// A search over numbers, or over bits; what bits found may be scored anew by the numbers of the queries.
pub(super) enum AnySearch {
    Numbers(Box<Search>),
    Bits(HammingSearch, Option<Rescoring>),
}

impl AnySearch {
    /// A search for the `depth` best documents of each query.
    pub fn new(session: &dyn Session, queries: Matrix, depth: usize) -> Self {
        let Matrix { values, dimension } = queries;
        if !session.compares_bits() {
            return Self::Numbers(Box::new(Search::new(session.similarity(), values, dimension, depth)));
        }
        let search = HammingSearch::new(Bits::new(&values, dimension), depth);
        let rescoring = session.rescore_multiplier().map(|_| Rescoring::new(Matrix { values, dimension }));
        Self::Bits(search, rescoring)
    }

    /// The best of the next documents, which are those from number `first` on.
    ///
    /// # Errors
    /// If they cannot be compared with the queries.
    pub fn best(
        &mut self,
        documents: &mut Matrix,
        first: u32,
        ids: &KeptIds,
        floors: &[f32],
    ) -> Result<Vec<Vec<Scored>>, SearchError> {
        match self {
            Self::Numbers(search) => {
                search.best(&mut documents.values, documents.dimension, first, ids, floors)
            }
            Self::Bits(search, rescoring) => {
                let bits = Bits::new(&documents.values, documents.dimension);
                let found = search.best(&bits, first, ids, floors)?;
                if let Some(rescoring) = rescoring {
                    rescoring.extend(&bits);
                }
                Ok(found)
            }
        }
    }

    /// Ends a chunk of which `rows` (ascending) may still be found.
    pub fn keep(&mut self, rows: &[u32]) {
        if let Self::Bits(_, Some(rescoring)) = self {
            rescoring.keep(rows);
        }
    }

    /// What scores anew, if bits alone do not decide.
    pub fn rescoring(&self) -> Option<&Rescoring> {
        match self {
            Self::Bits(_, rescoring) => rescoring.as_ref(),
            Self::Numbers(_) => None,
        }
    }
}
