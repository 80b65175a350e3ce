//! A search by what a model's embeddings are: numbers, bits, sparse rows or several vectors per
//! text. The ids of documents that may still be found stay while the corpus is read. What bits
//! found is rescored by the dot product of a query's numbers and a document's bits (protocol 7.8).
//!
//! Source: sentence-transformers, `semantic_search_faiss` with `rescore` and `rescore_multiplier`.

use mteb_data::Texts;
use mteb_measures::ranking::DocumentIds;
use mteb_search::{Bits, HammingSearch, Scored, Search, SearchError, best_of_piece};

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

/// Ids by corpus row: of all rows of the current chunk, and of those rows before it that are among the best so far.
#[derive(Debug, Default)]
pub(super) struct KeptIds {
    /// The rows that were kept, ascending.
    rows: Vec<u32>,
    ids: Texts,
    /// The row with which the current chunk begins.
    first: u32,
    chunk: Texts,
}

impl KeptIds {
    /// The next rows of the current chunk have these ids.
    pub fn extend<'a>(&mut self, ids: impl Iterator<Item = &'a str>) {
        ids.for_each(|id| self.chunk.push(id));
    }

    /// Ends the chunk: the ids of `rows` (ascending, each once) are kept, all others are forgotten.
    pub fn keep(&mut self, rows: Vec<u32>) {
        let ids = rows.iter().map(|&row| self.id(row)).collect();
        self.first += self.chunk.len() as u32;
        (self.rows, self.ids, self.chunk) = (rows, ids, Texts::new());
    }

    /// The rows that were kept, ascending, with their ids.
    pub fn into_kept(self) -> (Vec<u32>, Texts) {
        (self.rows, self.ids)
    }
}

impl DocumentIds for KeptIds {
    fn id(&self, row: u32) -> &str {
        match row.checked_sub(self.first) {
            Some(place) => &self.chunk[place as usize],
            None => &self.ids[self.rows.partition_point(|&kept| kept < row)],
        }
    }
}

/// The numbers of the queries, and the bits of the documents that may still be found, while the corpus goes by.
pub(super) struct Rescoring {
    queries: Matrix,
    /// The rows before the current chunk that were kept, ascending.
    rows: Vec<u32>,
    /// Their bits.
    bits: Bits,
    /// The row with which the current chunk begins.
    first: u32,
    /// The bits of the current chunk.
    chunk: Bits,
}

impl Rescoring {
    /// No documents yet.
    pub fn new(queries: Matrix) -> Self {
        let none = Bits::new(&[], queries.dimension);
        Self { queries, rows: Vec::new(), bits: none.clone(), first: 0, chunk: none }
    }

    /// The next rows of the current chunk have these bits.
    pub fn extend(&mut self, bits: &Bits) {
        (0..bits.rows()).for_each(|row| self.chunk.push(bits, row));
    }

    /// Ends the chunk: the bits of `rows` (ascending, each once) are kept, all others are forgotten.
    pub fn keep(&mut self, rows: &[u32]) {
        let none = Bits::new(&[], self.queries.dimension);
        let mut kept = none.clone();
        for &row in rows {
            let (bits, place) = self.place(row);
            kept.push(bits, place);
        }
        self.first += self.chunk.rows() as u32;
        (self.rows, self.bits, self.chunk) = (rows.to_vec(), kept, none);
    }

    /// The documents of `found` with the scores that query row `query` gives them, in the same order.
    pub fn scores(&self, query: usize, found: &[Scored]) -> Vec<Scored> {
        let score = |&(row, _): &Scored| {
            let (bits, place) = self.place(row);
            (row, bits.dot(place, self.queries.row(query)))
        };
        found.iter().map(score).collect()
    }

    fn place(&self, row: u32) -> (&Bits, usize) {
        match row.checked_sub(self.first) {
            Some(place) => (&self.chunk, place as usize),
            None => (&self.bits, self.rows.partition_point(|&kept| kept < row)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_rows_have_their_ids_over_many_chunks() {
        let mut ids = KeptIds::default();
        ids.extend(["a", "b", "c"].into_iter());
        ids.keep(vec![0, 2]);
        ids.extend(["d"].into_iter());
        ids.extend(["e"].into_iter());
        assert_eq!([0, 2, 3, 4].map(|row| ids.id(row)), ["a", "c", "d", "e"]);
        ids.keep(vec![2, 4]);
        assert_eq!(ids.into_kept(), (vec![2, 4], ["c", "e"].into_iter().collect()));
    }

    #[test]
    fn kept_documents_have_their_bits_over_many_chunks() {
        let query = Matrix::new(vec![1.0, 10.0, 100.0], 3);
        let documents =
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, -1.0, 1.0], [1.0, 1.0, 1.0]];
        let mut rescoring = Rescoring::new(query);
        rescoring.extend(&Bits::new(documents[..3].as_flattened(), 3));
        rescoring.keep(&[0, 2]);
        rescoring.extend(&Bits::new(documents[3..].as_flattened(), 3));
        let scores = rescoring.scores(0, &[(4, -1.0), (0, -2.0), (2, -2.0), (3, -3.0)]);
        assert_eq!(scores, [(4, 111.0), (0, 1.0), (2, 11.0), (3, 100.0)]);
        rescoring.keep(&[2, 4]);
        assert_eq!(rescoring.scores(0, &[(2, 0.0), (4, 0.0)]), [(2, 11.0), (4, 111.0)]);
    }
}
