//! Whether judgements, candidates, queries and documents fit together.

use std::collections::{BTreeMap, HashSet};

use mteb_base::counted::count;
use mteb_data::{DataError, Table, Texts};
use mteb_tasks::{Part, Unit};

use super::data::{SubsetData, topic};
use super::fault::{DataFault, RowPlace};
use super::limits::Limits;
use crate::stats::{id_column, ids};

/// Checks a ranking task that declares its quality: no id is there twice, none leads nowhere, and each query has the
/// judgements, grades and candidates that the card declares. Of other tasks a run says what it finds in their ids.
///
/// # Errors
/// If a column is absent or of another type.
pub fn check(data: &SubsetData) -> Result<Vec<DataFault>, DataError> {
    let mut faults = Vec::new();
    for unit in data.units.iter().filter(|_| data.card.task_type.is_ranking()) {
        let table = |part| unit.part(part);
        let (corpus, queries) = (table(Part::Corpus)?, table(Part::Queries)?);
        let documents = ids(corpus, id_column(corpus))?;
        let query_ids = ids(queries, id_column(queries))?;
        let known = Known {
            data,
            unit,
            documents: documents.iter().collect(),
            queries: query_ids.iter().collect(),
            topics: query_ids.iter().map(topic).collect(),
        };
        if let Some(limits) = &data.limits {
            faults.extend(known.repeated(Part::Corpus, &documents));
            faults.extend(known.repeated(Part::Queries, &query_ids));
            faults.extend(known.references()?);
            faults.extend(known.queries(limits, &query_ids)?);
        }
    }
    Ok(faults)
}

struct Known<'a> {
    data: &'a SubsetData<'a>,
    unit: &'a Unit,
    documents: HashSet<&'a str>,
    queries: HashSet<&'a str>,
    topics: HashSet<&'a str>,
}

impl Known<'_> {
    fn repeated(&self, part: Part, ids: &Texts) -> Vec<DataFault> {
        let mut seen: BTreeMap<&str, Vec<RowPlace>> = BTreeMap::new();
        for (row, id) in ids.iter().enumerate() {
            seen.entry(id).or_default().push(self.data.place(self.unit, part, row));
        }
        let twice = seen.into_iter().filter(|(_, rows)| rows.len() > 1);
        twice
            .map(|(id, rows)| {
                let message = format!("expected each id once, found {id} {} times", rows.len());
                self.data.fault(self.unit, "ids", rows, message, "give each its own id")
            })
            .collect()
    }

    /// Ids in judgements, candidates, instructions and changes that no query or document has.
    fn references(&self) -> Result<Vec<DataFault>, DataError> {
        let mut faults = Vec::new();
        for part in [Part::Qrels, Part::TopRanked, Part::Instruction, Part::QrelDiff] {
            let Some(table) = self.unit.get(part) else { continue };
            let known = if part == Part::QrelDiff { &self.topics } else { &self.queries };
            for (row, id) in ids(table, "query-id")?.iter().enumerate().filter(|(_, id)| !known.contains(id))
            {
                faults.push(self.dangling(part, row, "query", id));
            }
            for (row, documents) in documents_of(part, table)?.iter().enumerate() {
                let absent = documents.iter().filter(|id| !self.documents.contains(*id));
                faults.extend(absent.map(|id| self.dangling(part, row, "document", id)));
            }
        }
        Ok(faults)
    }

    fn dangling(&self, part: Part, row: usize, what: &str, id: &str) -> DataFault {
        let rows = vec![self.data.place(self.unit, part, row)];
        let message = format!("expected the id of a {what}, found {id}, which no {what} has");
        self.data.fault(self.unit, "ids", rows, message, "correct the id or remove it")
    }

    /// What each query has.
    fn queries(&self, limits: &Limits, query_ids: &Texts) -> Result<Vec<DataFault>, DataError> {
        let qrels = self.unit.part(Part::Qrels)?;
        let grades = qrels.written_floats("score")?;
        let mut by_query: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        let (judged, documents) = (ids(qrels, "query-id")?, ids(qrels, "corpus-id")?);
        for ((id, document), grade) in judged.iter().zip(documents.iter()).zip(grades) {
            // Nobody can find a document that does not exist.
            if self.documents.contains(document) {
                by_query.entry(id).or_default().push(grade);
            }
        }
        let mut faults = Vec::new();
        for (row, id) in query_ids.iter().enumerate() {
            let found = by_query.get(id).map(Vec::as_slice).unwrap_or_default();
            faults.extend(grade_faults(limits, id, found).into_iter().map(|(check, message)| {
                let rows = vec![self.data.place(self.unit, Part::Queries, row)];
                self.data.fault(
                    self.unit,
                    check,
                    rows,
                    message,
                    "judge more documents of the query, or remove it",
                )
            }));
        }
        faults.extend(self.candidates(limits, query_ids)?);
        Ok(faults)
    }

    /// Lists of candidates with too few that exist or with one twice, and queries without a list.
    fn candidates(&self, limits: &Limits, query_ids: &Texts) -> Result<Vec<DataFault>, DataError> {
        let Some(lists) = self.unit.get(Part::TopRanked) else { return Ok(Vec::new()) };
        let least = limits.min_candidates.max(1);
        let expected = format!("expected at least {}", count(least, "different candidate"));
        let mut faults = Vec::new();
        for (row, documents) in documents_of(Part::TopRanked, lists)?.iter().enumerate() {
            let different: HashSet<&str> = documents.iter().collect();
            let existing = different.intersection(&self.documents).count();
            let message = if existing < least {
                format!("{expected}, found {existing}")
            } else if different.len() < documents.len() {
                let often = count(documents.len() - different.len(), "repeated one");
                format!("expected each candidate once, found {often} among {}", documents.len())
            } else {
                continue;
            };
            let rows = vec![self.data.place(self.unit, Part::TopRanked, row)];
            faults.push(self.data.fault(self.unit, "candidates", rows, message, "complete the list"));
        }
        let listed = ids(lists, "query-id")?;
        let listed: HashSet<&str> = listed.iter().collect();
        for (row, id) in query_ids.iter().enumerate().filter(|(_, id)| !listed.contains(id)) {
            let rows = vec![self.data.place(self.unit, Part::Queries, row)];
            let message = format!("{expected} of query {id}, found no list of it");
            faults.push(self.data.fault(
                self.unit,
                "candidates",
                rows,
                message,
                "add a list, or remove the query",
            ));
        }
        Ok(faults)
    }
}

/// What the grades of a query lack, each with its check.
fn grade_faults(limits: &Limits, id: &str, grades: &[f64]) -> Vec<(&'static str, String)> {
    let (top, least) = (limits.top_grade, limits.min_grades);
    if grades.is_empty() {
        return vec![("judgements", format!("expected judgements of query {id}, found none"))];
    }
    let mut faults = Vec::new();
    if grades.iter().all(|&grade| grade < top as f64) {
        faults.push(("grades", format!("expected a document with grade {top} for query {id}, found none")));
    }
    let different = grades.iter().map(|grade| grade.to_bits()).collect::<HashSet<u64>>().len();
    if different < least {
        let expected = count(least, "different grade");
        faults.push(("grades", format!("expected at least {expected} for query {id}, found {different}")));
    }
    faults
}

/// The documents that each row of a part names.
fn documents_of(part: Part, table: &Table) -> Result<Vec<Texts>, DataError> {
    match part {
        Part::Qrels => Ok(ids(table, "corpus-id")?.iter().map(|id| [id].into_iter().collect()).collect()),
        Part::TopRanked | Part::QrelDiff => table.text_lists("corpus-ids"),
        Part::Rows | Part::Train | Part::Corpus | Part::Queries | Part::Excluded | Part::Instruction => {
            Ok(Vec::new())
        }
    }
}
