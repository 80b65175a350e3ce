//! Queries of a ranking task in one file whose row names nothing relevant: they are not scored.

use std::collections::HashSet;

use mteb_data::Table;

use crate::{Part, Unit};

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

    fn note(of_queries: &str, of_qrels: &str) -> Option<String> {
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
        let said = note("test.jsonl", "test.jsonl").unwrap();
        let begin = "queries without a relevant document, which are not scored: 2 of 3, the first in test.jsonl, line 1;";
        assert!(said.starts_with(begin), "{said}");
        assert_eq!(note("queries.jsonl", "qrels.jsonl"), None, "queries of other splits may lie there, too");
    }
}
