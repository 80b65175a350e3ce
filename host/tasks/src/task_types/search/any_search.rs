//! A search by what a model's embeddings are: numbers, bits, sparse rows or several vectors per text.

use mteb_search::{Bits, HammingSearch, Scored, Search, SearchError, best_of_piece};

use super::kept_ids::KeptIds;
use super::rescoring::Rescoring;
use crate::{Embeddings, EvaluateError, Matrix, Queries, Session};

/// A search over numbers, over bits, whose finds may be scored again by the numbers of the queries, or over scores of any kind.
pub(super) enum AnySearch {
    Numbers(Box<Search>),
    Bits(HammingSearch, Option<Rescoring>),
    Pieces(Queries, usize),
}

/// Why there is no answer.
pub(super) enum Unanswered {
    Search(SearchError),
    Evaluate(EvaluateError),
}

impl AnySearch {
    /// A search for the `depth` best documents of each query.
    pub fn new(session: &dyn Session, queries: Embeddings, depth: usize) -> Self {
        let Matrix { values, dimension } = match queries {
            Embeddings::Dense(rows) => rows,
            other => return Self::Pieces(Queries::new(session.similarity(), other), depth),
        };
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
        documents: Embeddings,
        first: u32,
        ids: &KeptIds,
        floors: &[f32],
    ) -> Result<Vec<Vec<Scored>>, Unanswered> {
        match self {
            Self::Numbers(search) => {
                let mut documents = documents.into_dense()?;
                Ok(search.best(&mut documents.values, documents.dimension, first, ids, floors)?)
            }
            Self::Bits(search, rescoring) => {
                let documents = documents.into_dense()?;
                let bits = Bits::new(&documents.values, documents.dimension);
                let found = search.best(&bits, first, ids, floors)?;
                if let Some(rescoring) = rescoring {
                    rescoring.extend(&bits);
                }
                Ok(found)
            }
            Self::Pieces(queries, depth) => {
                let scores = queries.scores(documents)?;
                Ok(best_of_piece(&*scores, first, ids, *depth, floors)?)
            }
        }
    }

    /// Ends a chunk of which `rows` (ascending) may still be found.
    pub fn keep(&mut self, rows: &[u32]) {
        if let Self::Bits(_, Some(rescoring)) = self {
            rescoring.keep(rows);
        }
    }

    /// What scores again, if bits alone do not decide.
    pub fn rescoring(&self) -> Option<&Rescoring> {
        match self {
            Self::Bits(_, rescoring) => rescoring.as_ref(),
            Self::Numbers(_) | Self::Pieces(..) => None,
        }
    }
}

impl From<SearchError> for Unanswered {
    fn from(error: SearchError) -> Self {
        Self::Search(error)
    }
}

impl From<EvaluateError> for Unanswered {
    fn from(error: EvaluateError) -> Self {
        Self::Evaluate(error)
    }
}
