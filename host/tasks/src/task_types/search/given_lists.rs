//! Lists of documents that belong to a query: its candidates, or the documents whose relevance changed.

use std::collections::{HashMap, HashSet};

use mteb_data::{DataError, Table, Texts, all_cells};
use serde_json::Value;

use super::ids::{id, id_column, some};

/// The list of `corpus-ids` of each `query-id`, with the row it is in; of several rows for one query the last counts.
pub(super) struct GivenLists<'a> {
    table: &'a Table,
    lists: HashMap<String, (usize, Vec<String>)>,
    /// What occurs twice.
    repeated: Vec<Repeated>,
}

/// A document that a list has twice, or a query that has two lists.
struct Repeated {
    row: usize,
    column: &'static str,
    expected: &'static str,
    found: String,
}

impl<'a> GivenLists<'a> {
    /// Reads all lists of `table`; a null list is an empty one.
    pub fn new(table: &'a Table) -> Result<Self, DataError> {
        let query_ids = id_column(table, "query-id")?;
        let column = table.column("corpus-ids")?;
        let read = all_cells((0..table.rows()).map(|row| list(table, row, &column.value(row))))?;
        let mut lists: HashMap<String, (usize, Vec<String>)> = HashMap::new();
        let mut repeated = Vec::new();
        for ((row, query), list) in query_ids.iter().enumerate().zip(read) {
            let mut seen = HashSet::new();
            let twice = list.iter().find(|document| !seen.insert(document.as_str()));
            let twice = twice.map(|document| ("corpus-ids", "each document once", document.as_str()));
            let again = lists.contains_key(query).then_some(("query-id", "one list a query", query));
            if let Some((column, expected, found)) = twice.or(again) {
                repeated.push(Repeated { row, column, expected, found: found.to_owned() });
            }
            lists.insert(query.to_owned(), (row, list));
        }
        Ok(Self { table, lists, repeated })
    }

    /// A note on queries with several lists, of which the last one counts, and on documents that a list has twice.
    ///
    /// # Errors
    /// If there are any and the data is the user's own, which must be `strict`.
    pub fn note(&self, strict: bool) -> Result<Option<String>, DataError> {
        let fault = |Repeated { row, column, expected, found }: &Repeated| {
            self.table.fault(column, *row, expected, &Value::from(found.as_str()))
        };
        let Some(first) = self.repeated.first() else { return Ok(None) };
        if strict {
            return all_cells(self.repeated.iter().map(|repeated| Err::<(), _>(fault(repeated))))
                .map(|_| None);
        }
        Ok(Some(format!(
            "lists that repeat a query or a document, and are used as mteb uses them: {}, the first: {}",
            self.repeated.len(),
            fault(first)
        )))
    }

    /// Checks that a list is of one of `query_ids`.
    ///
    /// # Errors
    /// If there are lists, and none of them is.
    pub fn check_queries(&self, query_ids: &Texts) -> Result<(), DataError> {
        if self.lists.is_empty() || query_ids.iter().any(|id| self.lists.contains_key(id)) {
            return Ok(());
        }
        let mut queries: Vec<&str> = self.lists.keys().map(String::as_str).collect();
        queries.sort_unstable();
        Err(DataError::Malformed {
            place: format!("{}, column `query-id`", self.table.place(0).0),
            message: format!(
                "expected ids of queries, found none among {}, such as {}; compare them with the ids (`_id` or `id`) of the queries",
                queries.len(),
                some(queries.iter().copied())
            ),
        })
    }

    /// A note on lists of queries that are not among `query_ids`: nobody reads them.
    pub fn unknown_note(&self, query_ids: &Texts) -> Option<String> {
        let known: HashSet<&str> = query_ids.iter().collect();
        let unknown = self.lists.iter().filter(|(query, _)| !known.contains(query.as_str()));
        let mut unknown: Vec<(usize, &str)> =
            unknown.map(|(query, (row, _))| (*row, query.as_str())).collect();
        unknown.sort_unstable();
        let (first, _) = unknown.first()?;
        Some(format!(
            "{}, column `query-id`: lists of queries that do not exist: {} of {} ({})",
            self.table.location(*first),
            unknown.len(),
            self.lists.len(),
            some(unknown.iter().map(|(_, query)| *query))
        ))
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

fn list(table: &Table, row: usize, cell: &Value) -> Result<Vec<String>, DataError> {
    let list: Option<Vec<String>> = match cell {
        Value::Null => Some(Vec::new()),
        Value::Array(cells) => cells.iter().map(id).collect(),
        _ => None,
    };
    list.ok_or_else(|| table.fault("corpus-ids", row, "a list of document ids", cell))
}
