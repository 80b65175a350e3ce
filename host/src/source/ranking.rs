//! Units of the ranking types: corpus, queries, judgements and what belongs to them (protocol 2.2, 2.5).

use std::collections::BTreeMap;

use mteb_data::{DataError, SplitRows, Table, Wanted};
use mteb_evaluators::Part;
use mteb_plugin_api::card::TaskCard;

use super::columns::renamed;
use super::places::Place;

/// The parts of a unit.
///
/// # Errors
/// If a file is damaged, or a column that the card names is absent.
pub fn parts(places: &[Place], card: &TaskCard) -> Result<BTreeMap<Part, Table>, DataError> {
    places.iter().map(|place| Ok((place.part, with_names(place.read(None)?, card, place.part)?))).collect()
}

/// The rows of one part chunk by chunk, so that a corpus larger than memory can be read.
pub struct PartRows<'a> {
    rows: SplitRows,
    card: &'a TaskCard,
    part: Part,
}

impl<'a> PartRows<'a> {
    /// The rows of `place`.
    pub fn new(place: &Place, card: &'a TaskCard) -> Self {
        Self { rows: place.rows(wanted(place.part, card)), card, part: place.part }
    }
}

impl Iterator for PartRows<'_> {
    type Item = Result<Table, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.rows.next()?.and_then(|table| with_names(table, self.card, self.part)))
    }
}

/// Of a corpus, which may be large, only what a document consists of.
fn wanted(part: Part, card: &TaskCard) -> Wanted {
    if part != Part::Corpus {
        return Wanted::All;
    }
    let own = card.dataset.parts.get(part.name()).into_iter().flat_map(|source| source.columns.values());
    let usual = ["_id", "id", "text", "title"].map(str::to_owned);
    Wanted::Named(usual.into_iter().chain(own.cloned()).collect())
}

fn with_names(table: Table, card: &TaskCard, part: Part) -> Result<Table, DataError> {
    match card.dataset.parts.get(part.name()) {
        Some(source) => renamed(table, &source.columns),
        None => Ok(table),
    }
}
