//! What the host found for the queries of a type over rankings, and what is judged: mapped, but for the ids.

use mteb_plugin_types::{Place, RankedPlaces};

use super::PluginError;
use super::mapped::Mapped;

/// Rankings and judgements of a unit.
#[derive(Debug)]
pub struct Rankings<'a> {
    ids: Vec<String>,
    found_begins: &'a [u32],
    found: &'a [u32],
    grades: &'a [f64],
    scores: &'a [f64],
    judged_begins: &'a [u32],
    judged: &'a [u32],
    judged_grades: &'a [f64],
}

/// One query: documents by number, see [`Rankings::id`].
#[derive(Clone, Copy, Debug)]
pub struct RankedQuery<'a> {
    /// The documents that were found, best first; ties go to the larger id.
    pub found: &'a [u32],
    /// Their scores.
    pub scores: &'a [f64],
    /// Their grades; NaN of a document that nobody judged.
    pub grades: &'a [f64],
    /// The documents that are judged, highest grade first.
    pub judged: &'a [u32],
    /// Their grades.
    pub judged_grades: &'a [f64],
}

impl<'a> Rankings<'a> {
    pub(super) fn open(memory: &'a Mapped, ranked: &RankedPlaces) -> Result<Self, PluginError> {
        let named = |place: Option<Place>| {
            place.ok_or_else(|| PluginError::invalid_input("expected the ids of documents, found none"))
        };
        let rankings = Self {
            ids: memory.lines(named(ranked.documents)?)?,
            found_begins: memory.places(ranked.found_begins)?,
            found: memory.places(named(ranked.found_documents)?)?,
            grades: memory.doubles(ranked.found_grades)?,
            scores: memory.doubles(ranked.found_scores)?,
            judged_begins: memory.places(ranked.judged_begins)?,
            judged: memory.places(named(ranked.judged_documents)?)?,
            judged_grades: memory.doubles(ranked.judged_grades)?,
        };
        Ok(rankings)
    }

    /// Number of queries, which is that of the rows.
    pub fn len(&self) -> usize {
        self.found_begins.len().saturating_sub(1)
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ids of all documents that were found or are judged, by number.
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// The id of a document.
    pub fn id(&self, document: u32) -> &str {
        &self.ids[document as usize]
    }

    /// The query in row `index`.
    pub fn query(&self, index: usize) -> RankedQuery<'a> {
        let range = |begins: &[u32]| begins[index] as usize..begins[index + 1] as usize;
        let (found, judged) = (range(self.found_begins), range(self.judged_begins));
        RankedQuery {
            found: &self.found[found.clone()],
            scores: &self.scores[found.clone()],
            grades: &self.grades[found],
            judged: &self.judged[judged.clone()],
            judged_grades: &self.judged_grades[judged],
        }
    }

    /// The queries, in the order of the rows.
    pub fn queries(&self) -> impl Iterator<Item = RankedQuery<'a>> {
        (0..self.len()).map(|index| self.query(index))
    }
}
