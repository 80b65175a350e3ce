//! The rows of one part of a ranking task, read piece by piece or at once.

use std::sync::Arc;

use mteb_card::{PartSource, TaskCard};
use mteb_data::{DataError, OpenRows, ReadRows, SplitRows, Table, Wanted, is_usual_id};
use mteb_tasks::{Corpus, Part, rows_of_a_piece};

use super::PartPlace;
use crate::transform::transform_part;

/// All rows of a part, or the first ones.
///
/// # Errors
/// If a file is damaged, or a column that the card names is absent.
pub fn read_part(place: &PartPlace, card: &TaskCard, opener: &Arc<dyn OpenRows>) -> Result<Table, DataError> {
    let mut rows = place.rows(wanted(place.part, card), Arc::clone(opener));
    let table = rows.read_rows(card.dataset.first_rows.unwrap_or(usize::MAX))?;
    change(table.of_part(place.part.as_str()), source_of(card, place.part))
}

/// The rows of one part, to be read piece by piece and as often as needed, so that a corpus larger
/// than memory can be read.
#[derive(Clone, Debug)]
pub struct PartFiles {
    place: PartPlace,
    wanted: Wanted,
    source: Option<PartSource>,
    opener: Arc<dyn OpenRows>,
}

impl PartFiles {
    /// The rows of `place`, whose files are opened by `opener`.
    pub fn new(place: &PartPlace, card: &TaskCard, opener: Arc<dyn OpenRows>) -> Self {
        let source = source_of(card, place.part).cloned();
        Self { place: place.clone(), wanted: wanted(place.part, card), source, opener }
    }
}

impl Corpus for PartFiles {
    fn open(&self) -> Box<dyn Iterator<Item = Result<Table, DataError>> + Send + '_> {
        let rows = self.place.rows(self.wanted.clone(), Arc::clone(&self.opener));
        Box::new(PartRows { rows, source: self.source.as_ref(), limit: FIRST_ROWS, is_damaged: false })
    }
}

/// Rows of the first piece, which tells how large rows are.
const FIRST_ROWS: usize = 256;

/// How many times larger than the piece before a piece may be.
const GROWTH: usize = 8;

struct PartRows<'a> {
    rows: SplitRows,
    source: Option<&'a PartSource>,
    /// Rows of the next piece.
    limit: usize,
    is_damaged: bool,
}

impl Iterator for PartRows<'_> {
    type Item = Result<Table, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_damaged {
            // Nothing sure comes after damage.
            return None;
        }
        let piece = match self.rows.read_rows(self.limit) {
            Ok(table) if table.rows() == 0 => return None,
            Ok(table) => {
                self.limit = rows_of_a_piece(&table).min(GROWTH * self.limit);
                change(table.of_part(Part::Corpus.as_str()), self.source)
            }
            Err(error) => Err(error),
        };
        self.is_damaged = piece.is_err();
        Some(piece)
    }
}

/// Of a corpus, which may be large, only what a document consists of.
fn wanted(part: Part, card: &TaskCard) -> Wanted {
    let ids = id_columns(part, card);
    if part != Part::Corpus {
        return Wanted::Part { columns: None, ids };
    }
    let own = source_of(card, part).into_iter().flat_map(PartSource::read_columns);
    // A field, `document.id`, is read with the objects that hold it.
    let own =
        own.flat_map(|name| [Some(name.as_str()), name.split_once('.').map(|(head, _)| head)]).flatten();
    let columns = part.columns().iter().copied().chain(own).map(str::to_owned).collect();
    Wanted::Part { columns: Some(columns), ids }
}

/// The columns of the file that the card takes for ids.
fn id_columns(part: Part, card: &TaskCard) -> Arc<[String]> {
    let renamed = source_of(card, part).into_iter().flat_map(|source| &source.columns);
    renamed.filter(|(name, _)| is_usual_id(name)).map(|(_, column)| column.clone()).collect()
}

fn source_of(card: &TaskCard, part: Part) -> Option<&PartSource> {
    card.dataset.parts.get(part.as_str())
}

/// The rows of a part as the task has them.
fn change(table: Table, source: Option<&PartSource>) -> Result<Table, DataError> {
    match source {
        Some(source) => transform_part(table, source),
        None => Ok(table),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ids_of_parts_are_read_as_they_are_written() {
        let columns = Part::of_rankings().flat_map(|part| part.columns().iter().copied());
        let ids: Vec<&str> = columns.filter(|column| column.ends_with("id")).collect();
        assert!(Part::ROW_IDS.iter().all(|name| ids.contains(name)), "{ids:?}");
        assert!(ids.iter().all(|name| is_usual_id(name)), "{ids:?}");
    }
}
