//! The documents whose relevance a changed instruction changed, by topic.

use std::collections::HashSet;

use mteb_data::{DataError, Table};

use super::given_lists::GivenLists;
use super::ids::some;
use super::judged_queries::JudgedQueries;
use super::results::DocumentNumbers;
use crate::EvaluateError;

/// The changed documents of each topic, and what the reader of a result should know of them.
pub(super) struct ChangedLists {
    /// By topic, ascending: its documents by number.
    pub topics: Vec<(String, Vec<u32>)>,
    /// Where they were read.
    place: String,
    /// What is odd.
    pub notes: Vec<String>,
}

impl ChangedLists {
    /// Reads the lists of `table`; a topic is judged under both of its instructions, as the queries `ID-og` and `ID-changed`.
    ///
    /// # Errors
    /// If a list cannot be read, or no topic with changed documents is judged so.
    pub fn new(
        table: &Table,
        judged: &JudgedQueries,
        documents: &mut DocumentNumbers,
        strict: bool,
    ) -> Result<Self, EvaluateError> {
        let lists = GivenLists::new(table)?;
        let mut notes: Vec<String> = lists.note(strict)?.into_iter().collect();
        let place = table.place(0).0.to_owned();
        let ids: HashSet<&str> = judged.ids.iter().map(String::as_str).collect();
        let is_judged = |topic: &str| {
            ["og", "changed"].iter().all(|half| ids.contains(format!("{topic}-{half}").as_str()))
        };
        let all: Vec<(&str, &[String])> =
            lists.sorted().into_iter().filter(|(_, documents)| !documents.is_empty()).collect();
        let unknown: Vec<&str> =
            all.iter().map(|(topic, _)| *topic).filter(|topic| !is_judged(topic)).collect();
        let names = some(unknown.iter().copied());
        if unknown.len() == all.len() {
            let message = format!(
                "expected topics whose queries `ID-og` and `ID-changed` are both judged, found none among {}: {names}",
                all.len()
            );
            return Err(DataError::Malformed { place, message }.into());
        }
        if !unknown.is_empty() {
            notes.push(format!(
                "{place}: topics whose queries `ID-og` and `ID-changed` are not both judged, and which do not \
                 count: {} of {} ({names})",
                unknown.len(),
                all.len()
            ));
        }
        let topics = lists.sorted().into_iter();
        let topics = topics
            .map(|(topic, ids)| (topic.to_owned(), ids.iter().map(|id| documents.number(id)).collect()));
        Ok(Self { topics: topics.collect(), place, notes })
    }

    /// A note on changed documents that are no `candidates`: their rank is the one behind all others.
    pub fn absent(
        &self,
        candidates: impl Iterator<Item = u32>,
        documents: &DocumentNumbers,
    ) -> Option<String> {
        let candidates: HashSet<u32> = candidates.collect();
        let changed: HashSet<u32> =
            self.topics.iter().flat_map(|(_, documents)| documents).copied().collect();
        let mut unknown: Vec<&str> =
            changed.difference(&candidates).map(|&number| documents.text(number)).collect();
        unknown.sort_unstable();
        (!unknown.is_empty()).then(|| {
            format!(
                "{}, column `corpus-ids`: changed documents that are not candidates, and rank after all that \
                 are: {} of {} ({})",
                self.place,
                unknown.len(),
                changed.len(),
                some(unknown.iter().copied())
            )
        })
    }
}
