//! The documents of a unit, which may be more than fit into memory.

use mteb_data::{DataError, Table};

/// Most rows of a piece of a corpus.
const PIECE_ROWS: usize = 50_000;

/// About how many bytes of memory a piece of a corpus takes.
const PIECE_BYTES: usize = 32 << 20;

/// Documents that are read from the first one on, a piece at a time and as often as needed.
///
/// Every row has an `id` (or `_id`) and a `text`; a `title` is optional, and null is none.
pub trait Corpus: Send + Sync {
    /// The rows in order, in pieces; [`rows_of_a_piece`] says how large a piece should be.
    fn open(&self) -> Box<dyn Iterator<Item = Result<Table, DataError>> + Send + '_>;

    /// Number of rows, if it is known before they are read.
    fn rows(&self) -> Option<usize> {
        None
    }
}

impl Corpus for Table {
    fn open(&self) -> Box<dyn Iterator<Item = Result<Table, DataError>> + Send + '_> {
        let step = rows_of_a_piece(self);
        let starts = (0..self.rows()).step_by(step);
        Box::new(starts.map(move |start| Ok(self.slice(start..(start + step).min(self.rows())))))
    }

    fn rows(&self) -> Option<usize> {
        Some(self.rows())
    }
}

/// Rows that make a piece of a corpus whose rows are about as large as those of `seen`: at most 50,000, of about
/// 32 MiB.
pub fn rows_of_a_piece(seen: &Table) -> usize {
    let row_bytes = seen.memory() / seen.rows().max(1);
    (PIECE_BYTES / row_bytes.max(1)).clamp(1, PIECE_ROWS)
}

/// Documents that are looked at for what there is to say of them beside their scores.
const LOOKED_AT: usize = 200_000;

/// The first rows of a corpus in pieces, as many as are looked at; up to the first that cannot be read, of which others speak.
pub(crate) fn first_rows(corpus: &dyn Corpus) -> impl Iterator<Item = Table> + '_ {
    let mut seen = 0;
    corpus.open().map_while(Result::ok).take_while(move |table| {
        seen += table.rows();
        seen <= LOOKED_AT
    })
}

#[cfg(test)]
mod tests {
    use mteb_data::Column;

    use super::*;

    fn corpus(rows: usize, text: &str) -> Table {
        let texts = Column::Text((0..rows).map(|_| text).collect());
        Table::new("corpus.jsonl", vec![("text".to_owned(), texts)]).unwrap()
    }

    fn pieces(corpus: &Table) -> Vec<usize> {
        corpus.open().map(|piece| piece.unwrap().rows()).collect()
    }

    #[test]
    fn a_piece_is_bounded_by_its_rows_and_by_its_bytes() {
        assert_eq!(pieces(&corpus(60_000, "isi")), [50_000, 10_000]);
        assert_eq!(pieces(&corpus(3, &"x".repeat(20 << 20))), [1, 1, 1]);
        assert!(pieces(&corpus(0, "")).is_empty());
    }
}
