//! The ids of the documents that may still be found, while the corpus is read.

use mteb_data::Texts;
use mteb_measures::ranking::DocumentIds;

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
}
