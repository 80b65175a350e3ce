//! Lists of documents that belong to a query: its candidates, or the documents whose relevance changed.

use std::collections::{HashMap, HashSet};

use mteb_data::{DataError, Table};
use serde_json::Value;

use super::ids::{id, id_column};

/// The list of `corpus-ids` of each `query-id`, with the row it is in; of several rows for one query the last counts.
pub(super) struct GivenLists<'a> {
    table: &'a Table,
    lists: HashMap<String, (usize, Vec<String>)>,
    /// What occurs twice: the first place, and how often.
    repeated: Option<(DataError, usize)>,
}

impl<'a> GivenLists<'a> {
    /// Reads all lists of `table`; a null list is an empty one.
    pub fn new(table: &'a Table) -> Result<Self, DataError> {
        let query_ids = id_column(table, "query-id")?;
        let column = table.column("corpus-ids")?;
        let mut lists: HashMap<String, (usize, Vec<String>)> = HashMap::new();
        let mut repeated = None;
        for (row, query) in query_ids.iter().enumerate() {
            let cell = column.value(row);
            let list: Option<Vec<String>> = match &cell {
                Value::Null => Some(Vec::new()),
                Value::Array(cells) => cells.iter().map(id).collect(),
                _ => None,
            };
            let fault = || table.fault("corpus-ids", row, "a list of document ids", &cell);
            let list = list.ok_or_else(fault)?;
            let mut seen = HashSet::new();
            let twice = list.iter().find(|document| !seen.insert(document.as_str()));
            let twice = twice.map(|document| ("corpus-ids", "each document once", document.as_str()));
            let again = lists.contains_key(query).then_some(("query-id", "one list a query", query));
            if let Some((column, expected, found)) = twice.or(again) {
                let fault = || table.fault(column, row, expected, &Value::from(found));
                repeated.get_or_insert_with(|| (fault(), 0)).1 += 1;
            }
            lists.insert(query.to_owned(), (row, list));
        }
        Ok(Self { table, lists, repeated })
    }

    /// A note on queries with several lists, of which the last one counts, and on documents that a list has twice.
    ///
    /// # Errors
    /// If there are any and the data is the user's own, which is held to be `strict`.
    pub fn note(&mut self, strict: bool) -> Result<Option<String>, DataError> {
        match self.repeated.take() {
            None => Ok(None),
            Some((first, _)) if strict => Err(first),
            Some((first, count)) => Ok(Some(format!(
                "lists that repeat a query or a document, and are taken as the reference takes them: {count}, the first: {first}"
            ))),
        }
    }

    /// The list of `query`, if there is one.
    pub fn get(&self, query: &str) -> Option<&[String]> {
        self.lists.get(query).map(|(_, list)| list.as_slice())
    }

    /// All lists by query, ascending by query id.
    pub fn sorted(&self) -> Vec<(&str, &[String])> {
        let lists = self.lists.iter().map(|(query, (_, list))| (query.as_str(), list.as_slice()));
        let mut lists: Vec<_> = lists.collect();
        lists.sort_unstable();
        lists
    }

    /// The fault that `document` in the list of `query` is not in the corpus.
    pub fn unknown(&self, query: &str, document: &str) -> DataError {
        let row = self.lists.get(query).map_or(0, |(row, _)| *row);
        let found = Value::from(document);
        self.table.fault("corpus-ids", row, "ids of documents in the corpus", &found)
    }
}
