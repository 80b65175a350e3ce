//! Rescores what bits found: the dot product of a query's numbers and a document's bits (protocol 7.8).
//!
//! Source: sentence-transformers, `semantic_search_faiss` with `rescore` and `rescore_multiplier`.

use mteb_search::{Bits, Scored};

use crate::Matrix;

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
