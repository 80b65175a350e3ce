//! The first items of a unit, with which a task is tried: queries of a search, else rows.

use std::collections::{BTreeSet, HashMap};

use mteb_data::{Column, DataError, Table};
use serde_json::Value;

use super::search::first_queries;
use crate::{Corpus, Facts, Gold, Part, Protocol, Unit};

/// The unit with its first `items` alone; its documents are in it, though `corpus` may hold them
/// before.
///
/// Of a search these are judged queries, with every document that was judged for them and the first
/// `items` others. Of other types they are the first rows to score; up to half of them are rows
/// from further below, where those above have too few different labels or scores. Rows to learn
/// from stay: few of them are drawn. The options are those for so few: all rows of a clustering are
/// embedded.
///
/// # Errors
/// If the data cannot be read.
pub fn first_items(
    unit: Unit,
    corpus: Option<&dyn Corpus>,
    facts: &Facts,
    options: &Protocol,
    items: usize,
) -> Result<(Unit, Protocol), DataError> {
    let unit = Unit { is_tried: true, ..unit };
    let options = Protocol { max_fraction_of_documents: None, max_documents: Some(0), ..options.clone() };
    if facts.gold == Gold::Judgements {
        return Ok((first_queries(unit, corpus, facts.has_topics, items)?, options));
    }
    // If only two labels remained, they would have to be numbers, but the labels of a task with more
    // than two may be texts.
    let items = if facts.learns { items.max(3) } else { items };
    let items = options.cross_validation.map_or(items, |folds| items.max(2 * folds));
    let parts = unit.parts.into_iter().map(|(part, table)| match part {
        Part::Rows => (part, first_rows(table, facts, items)),
        _ => (part, table),
    });
    Ok((Unit { parts: parts.collect(), ..unit }, options))
}

fn first_rows(table: Table, facts: &Facts, items: usize) -> Table {
    let (column, each) = match facts.gold {
        Gold::Labels(column) if holds_lists(&table, facts) => {
            return first_of_lists(table, facts, column, items);
        }
        Gold::Pairs if table.get("gold").is_some() => return first_of_lists(table, facts, "gold", items),
        Gold::Labels(column) => (Some(column), if facts.learns { 1 } else { 2 }),
        Gold::Scores(column) | Gold::Values(column) => (Some(column), 1),
        Gold::Pairs | Gold::Judgements | Gold::Unknown => (None, 1),
    };
    let kinds: Vec<String> = match column.and_then(|column| table.get(column)) {
        Some(cells) => (0..table.rows()).map(|row| cells.value(row).to_string()).collect(),
        None => vec![String::new(); table.rows()],
    };
    table.select(&choose_items(&kinds, items, each))
}

/// True if the texts of a row are a list: a set that is clustered by itself, or all pairs in one
/// row.
fn holds_lists(table: &Table, facts: &Facts) -> bool {
    let is_list = |column: &&str| matches!(table.get(column), Some(Column::Any(cells)) if cells.iter().any(Value::is_array));
    facts.text_columns.iter().any(is_list)
}

/// The first of the items in the lists of the rows, row after row. If there is a list of pairs of
/// places, `gold`, only that list is truncated, because sentences that it does not name are still
/// searched.
fn first_of_lists(table: Table, facts: &Facts, gold: &str, items: usize) -> Table {
    let columns: Vec<&str> = match facts.gold {
        Gold::Labels(_) => facts.text_columns.iter().copied().chain([gold]).collect(),
        _ => vec![gold],
    };
    let Some(kinds) = table.get(gold) else { return table };
    let (mut left, mut places) = (items, Vec::new());
    for row in 0..table.rows() {
        let kinds = match kinds.value(row) {
            Value::Array(kinds) => kinds.iter().map(Value::to_string).collect(),
            _ => Vec::new(),
        };
        let chosen = choose_items(&kinds, left, 2);
        left -= chosen.len();
        places.push(chosen);
        if left == 0 {
            break;
        }
    }
    let rows: Vec<usize> = (0..places.len()).collect();
    let mut first = table.select(&rows);
    for column in columns {
        let Some(cells) = table.get(column) else { continue };
        let cut = rows.iter().map(|&row| match cells.value(row) {
            Value::Array(cells) => {
                places[row].iter().filter_map(|&place| cells.get(place).cloned()).collect()
            }
            other => other,
        });
        let cut = Column::Any(cut.collect());
        first = first.with_column(column, cut);
    }
    first
}

/// The places of the first `items` of items with these `kinds`. Up to half of the places go to the
/// first kinds, so that each of them occurs `each` times.
fn choose_items(kinds: &[String], items: usize, each: usize) -> Vec<usize> {
    let each = each.min(items / 2).max(1);
    let different = (items / 2 / each).max(if each == 1 { 3 } else { 2 });
    let mut found: HashMap<&str, usize> = HashMap::new();
    let mut places = BTreeSet::new();
    for (place, kind) in kinds.iter().enumerate().take_while(|_| kinds.len() > items) {
        if places.len() == items {
            break;
        }
        if !found.contains_key(kind.as_str()) && found.len() == different {
            continue;
        }
        let count = found.entry(kind).or_default();
        if *count < each {
            *count += 1;
            places.insert(place);
        }
    }
    for place in 0..kinds.len() {
        if places.len() == items {
            break;
        }
        places.insert(place);
    }
    places.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(kinds: &str, items: usize, each: usize) -> Vec<usize> {
        let kinds: Vec<String> = kinds.chars().map(String::from).collect();
        choose_items(&kinds, items, each)
    }

    #[test]
    fn the_first_are_taken_and_sorted_labels_do_not_leave_one_alone() {
        assert_eq!(places("abababab", 4, 2), [0, 1, 2, 3]);
        assert_eq!(places("aaaabbbbcccc", 4, 2), [0, 1, 4, 5]);
        assert_eq!(places("aaaabbbb", 2, 2), [0, 4]);
        assert_eq!(places("aaaabbbb", 1, 2), [0]);
        assert_eq!(places("ab", 4, 2), [0, 1]);
        assert_eq!(places("aaaa", 3, 2), [0, 1, 2]);
    }

    #[test]
    fn the_sets_of_a_clustering_and_the_pairs_of_one_row_are_cut_inside() {
        let sets = r#"{"sentences": ["p", "q", "r", "s", "t"], "labels": ["a", "a", "a", "b", "b"]}
            {"sentences": ["u", "v"], "labels": ["a", "b"]}"#;
        let table = mteb_data::read_json_lines("test.jsonl", sets.as_bytes()).unwrap();
        let facts = crate::facts(crate::TaskType::Clustering);
        let first = first_rows(table.clone(), facts, 4);
        assert_eq!(first.rows(), 1);
        assert_eq!(first.get("sentences").unwrap().value(0), serde_json::json!(["p", "q", "s", "t"]));
        assert_eq!(first.get("labels").unwrap().value(0), serde_json::json!(["a", "a", "b", "b"]));
        assert_eq!(first_rows(table, facts, 100).rows(), 2);
    }
}
