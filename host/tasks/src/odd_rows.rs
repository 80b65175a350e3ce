//! Rows that are odd: those of CSV and TSV files that a quote at the begin of a text may have
//! swallowed,
//! and queries in one file whose row names nothing relevant.
//!
//! RFC 4180 lets a quoted cell go on over lines, and nobody can tell a text of several lines from rows
//! that were never meant to be one.

use std::collections::{BTreeMap, HashSet};

use mteb_card::Dataset;
use mteb_data::{RowsInCell, Table};

use crate::{Corpus, Part, Unit};

/// A note on each file of `unit` some of whose rows are lines that read as rows themselves, all or some of them, unless the card says that they are
/// meant; of a `corpus` that is not in the unit all of its pieces are read.
pub fn swallowed_rows(dataset: &Dataset, unit: &Unit, corpus: Option<&dyn Corpus>) -> Vec<String> {
    if dataset.multiline_cells {
        return Vec::new();
    }
    let mut files: BTreeMap<String, Vec<[usize; 3]>> = BTreeMap::new();
    let mut add = |table: &Table| {
        for RowsInCell { file, first_line, last_line, other_lines } in table.rows_in_cells() {
            files.entry(file.to_string()).or_default().push([*first_line, *last_line, *other_lines]);
        }
    };
    unit.parts.values().for_each(&mut add);
    if let Some(corpus) = corpus.filter(|_| unit.get(Part::Corpus).is_none()) {
        // Others say what cannot be read.
        corpus.open().map_while(Result::ok).take_while(Table::is_untyped).for_each(|table| add(&table));
    }
    files.into_iter().map(|(file, lines)| note(&file, lines)).collect()
}

fn note(file: &str, mut lines: Vec<[usize; 3]>) -> String {
    lines.sort_unstable();
    // Two parts may be read from one file.
    lines.dedup();
    let [first, last, others] = lines.first().copied().unwrap_or_default();
    let more = match lines.len() {
        0 | 1 => String::new(),
        2 => "; 1 more cell is like it".to_owned(),
        many => format!("; {} more cells are like it", many - 1),
    };
    let which = match others {
        0 => "each of which looks like a row".to_owned(),
        1 => "all but 1 of which look like rows".to_owned(),
        many => format!("some of which look like rows ({many} do not)"),
    };
    format!(
        "{file}, lines {first} to {last}: a quoted cell spans these lines, {which}, and all are \
         scored as one row{more}; if they are rows, put the text that begins with a quote into double quotes and double its own \
         (`\"\"\"Yes\"\", she said\"`); if the cell is meant, write `multiline_cells = true` under `[dataset]` of the card"
    )
}

/// A note on the rows of `unit` that judge no document, where each row holds a query with its judgements; queries in a file of their
/// own may be those of several splits, of which each judges some.
pub fn unjudged_rows(unit: &Unit) -> Option<String> {
    let (queries, qrels) = (unit.get(Part::Queries)?, unit.get(Part::Qrels)?);
    if !is_of_one_file(queries, qrels) {
        return None;
    }
    let ids = qrels.texts("query-id").ok()?;
    let judged: HashSet<&str> = ids.iter().collect();
    let ids = queries.texts("_id").ok()?;
    let mut unjudged = ids.iter().enumerate().filter(|(_, id)| !judged.contains(id)).map(|(row, _)| row);
    let first = unjudged.next()?;
    let count = 1 + unjudged.count();
    Some(format!(
        "queries without a relevant document, which are not scored: {count} of {}, the first in {}; name its documents with their \
         grades, or remove it",
        queries.rows(),
        queries.location(first)
    ))
}

fn is_of_one_file(queries: &Table, qrels: &Table) -> bool {
    queries.rows() > 0 && qrels.rows() > 0 && queries.place(0).0 == qrels.place(0).0
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mteb_data::read_json_lines;

    use super::*;

    fn note_on(of_queries: &str, of_qrels: &str) -> Option<String> {
        let queries = "{\"_id\": \"q1\"}\n{\"_id\": \"q2\"}\n{\"_id\": \"q3\"}\n";
        let queries = read_json_lines(of_queries, queries.as_bytes()).unwrap();
        let qrels = read_json_lines(of_qrels, b"{\"query-id\": \"q2\"}\n").unwrap();
        unjudged_rows(&Unit::new(
            ["T", "test", "default"],
            BTreeMap::from([(Part::Queries, queries), (Part::Qrels, qrels)]),
        ))
    }

    #[test]
    fn rows_that_judge_nothing_are_counted() {
        let said = note_on("test.jsonl", "test.jsonl").unwrap();
        let begin = "queries without a relevant document, which are not scored: 2 of 3, the first in test.jsonl, line 1;";
        assert!(said.starts_with(begin), "{said}");
        assert_eq!(
            note_on("queries.jsonl", "qrels.jsonl"),
            None,
            "queries of other splits may lie there, too"
        );
    }
}
