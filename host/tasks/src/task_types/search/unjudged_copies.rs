//! Unjudged copies of relevant documents: a model that finds them is scored as wrong.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use mteb_base::counted::count;
use mteb_card::defaults::RELEVANCE_THRESHOLD;
use mteb_data::{Column, DataError, Table};
use serde_json::Value;

use super::ids::{id_column, row_ids};
use crate::training_texts::composed;
use crate::unit::first_rows;
use crate::{Corpus, Part, Protocol, Unit};

/// A note on the documents of `unit` that have the same text as one that is relevant to a query, in
/// whatever Unicode form, and are not judged for it; `None` if there are none. Of a task with
/// candidates only these count.
pub fn unjudged_copies(unit: &Unit, corpus: &dyn Corpus, options: &Protocol) -> Option<String> {
    // What cannot be read is said by whoever reads it next.
    note(unit, corpus, options).ok().flatten()
}

fn note(unit: &Unit, corpus: &dyn Corpus, options: &Protocol) -> Result<Option<String>, DataError> {
    let judgements = Judgements::of(unit, options)?;
    let hasher = RandomState::new();
    let hash = |table: &Table, row: usize| Some(hasher.hash_one(text_of(table, row)?));
    let mut copied: HashMap<u64, HashSet<&str>> = HashMap::new();
    for table in first_rows(corpus) {
        for (row, id) in row_ids(&table)?.iter().enumerate() {
            let Some(queries) = judgements.relevant.get(id) else { continue };
            if let Some(hash) = hash(&table, row) {
                copied.entry(hash).or_default().extend(queries.iter().map(String::as_str));
            }
        }
    }
    let (mut number, mut first) = (0, None);
    for table in first_rows(corpus) {
        for (row, id) in row_ids(&table)?.iter().enumerate() {
            let queries = hash(&table, row).and_then(|hash| copied.get(&hash)).into_iter().flatten();
            let Some(query) = queries.filter(|query| judgements.lack(query, id)).min() else { continue };
            number += 1;
            first.get_or_insert_with(|| format!("{} ({id}) for query {query}", table.location(row)));
        }
    }
    let (have, are, them) = if number == 1 { ("has", "is", "it") } else { ("have", "are", "them") };
    Ok(first.map(|first| {
        format!(
            "{} {have} the same text as a relevant one but {are} not judged, so finding {them} counts as wrong, the \
             first in {first}; judge {them}, or leave {them} out",
            count(number, "document")
        )
    }))
}

/// What is said of documents by query.
struct Judgements {
    /// The queries that a document is relevant to.
    relevant: HashMap<String, Vec<String>>,
    /// Query and document of each judgement.
    judged: HashSet<(String, String)>,
    /// The documents that each query puts in order; `None` where all are searched.
    candidates: Option<HashMap<String, HashSet<String>>>,
}

impl Judgements {
    fn of(unit: &Unit, options: &Protocol) -> Result<Self, DataError> {
        let qrels = unit.part(Part::Qrels)?;
        let (queries, documents) = (id_column(qrels, "query-id")?, id_column(qrels, "corpus-id")?);
        let grades = qrels.column("score")?;
        let threshold = options.relevance_threshold.unwrap_or(RELEVANCE_THRESHOLD);
        let (mut relevant, mut judged) = (HashMap::<String, Vec<String>>::new(), HashSet::new());
        for (row, (query, document)) in queries.iter().zip(documents.iter()).enumerate() {
            judged.insert((query.to_owned(), document.to_owned()));
            if grade(grades, row).is_some_and(|grade| grade >= threshold) {
                relevant.entry(document.to_owned()).or_default().push(query.to_owned());
            }
        }
        let candidates = unit.get(Part::TopRanked).map(|lists| -> Result<_, DataError> {
            let (of, lists) = (id_column(lists, "query-id")?, lists.text_lists("corpus-ids")?);
            let lists = lists.iter().map(|list| list.iter().map(str::to_owned).collect());
            Ok(of.iter().map(str::to_owned).zip(lists).collect())
        });
        Ok(Self { relevant, judged, candidates: candidates.transpose()? })
    }

    /// True if a query may find a document of which nobody says whether it is relevant.
    fn lack(&self, query: &str, document: &str) -> bool {
        let is_found = |lists: &HashMap<String, HashSet<String>>| {
            lists.get(query).is_some_and(|list| list.contains(document))
        };
        !self.judged.contains(&(query.to_owned(), document.to_owned()))
            && self.candidates.as_ref().is_none_or(is_found)
    }
}

/// A grade, also one that is written as a text or a truth.
fn grade(grades: &Column, row: usize) -> Option<f64> {
    match grades.value(row) {
        Value::Bool(grade) => Some(f64::from(u8::from(grade))),
        Value::String(grade) => grade.trim().parse().ok(),
        grade => grade.as_f64(),
    }
}

/// Title and text of a document in one form; `None` of an empty one.
fn text_of(table: &Table, row: usize) -> Option<String> {
    let cell = |name: &str| match table.get(name)?.value(row) {
        Value::String(text) => Some(composed(text.trim()).into_owned()),
        _ => None,
    };
    let text = cell("text").filter(|text| !text.is_empty())?;
    Some(format!("{}\n{text}", cell("title").unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn table(columns: &[(&str, &[&str])]) -> Table {
        let columns = columns
            .iter()
            .map(|(name, cells)| ((*name).to_owned(), Column::Text(cells.iter().copied().collect())));
        Table::new("file", columns.collect()).unwrap()
    }

    fn found(judged: &[&str], candidates: Option<&[&str]>) -> Option<String> {
        let corpus = table(&[("id", &["a", "b", "c"]), ("text", &["café", "cafe\u{301}", "tea"])]);
        let queries: Vec<&str> = judged.iter().map(|_| "q").collect();
        let grades: Vec<&str> =
            judged.iter().enumerate().map(|(row, _)| if row == 0 { "1" } else { "0" }).collect();
        let qrels = table(&[("query-id", &queries), ("corpus-id", judged), ("score", &grades)]);
        let mut parts = BTreeMap::from([(Part::Qrels, qrels)]);
        if let Some(candidates) = candidates {
            let lists = Column::Any(vec![Value::from(candidates.to_vec())]);
            let columns = vec![
                ("query-id".to_owned(), Column::Text(["q"].into_iter().collect())),
                ("corpus-ids".to_owned(), lists),
            ];
            parts.insert(Part::TopRanked, Table::new("file", columns).unwrap());
        }
        unjudged_copies(&Unit::new(["T", "test", "default"], parts), &corpus, &Protocol::default())
    }

    #[test]
    fn a_copy_of_a_relevant_document_that_nobody_judged_is_named() {
        let note = found(&["a"], None).unwrap();
        assert!(
            note.starts_with(
                "1 document has the same text as a relevant one but is not judged, so finding it counts"
            ) && note.ends_with("; judge it, or leave it out")
                && note.contains("(b) for query q"),
            "{note}"
        );
        assert_eq!(found(&["a", "b"], None), None, "judged as not relevant");
        assert_eq!(found(&["c"], None), None);
    }

    #[test]
    fn of_candidates_only_those_count_that_the_query_has() {
        assert!(found(&["a"], Some(&["a", "b"])).is_some());
        assert_eq!(found(&["a"], Some(&["a", "c"])), None);
    }
}
