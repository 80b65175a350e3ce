//! Some of the texts of a unit: the shortest, the longest or the first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use mteb_card::TaskCard;
use mteb_data::{DataError, Table};
use mteb_tasks::{Part, Unit, text_columns};

use crate::stats::for_each;

/// Which texts are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The shortest, by characters; of equal ones the first.
    Shortest,
    /// The longest.
    Longest,
    /// The first in the order of the data.
    First,
}

/// At most `count` distinct texts of a unit that are not blank, in the order in which they were picked: of its rows, or of its
/// queries and documents, a document's title before its text. `corpus` gives the chunks of a corpus that is not in the unit.
///
/// # Errors
/// If a column that the task type has is absent, or the corpus cannot be read.
pub fn few_texts<E: From<DataError>>(
    card: &TaskCard,
    unit: &Unit,
    corpus: Option<impl Iterator<Item = Result<Table, E>>>,
    count: usize,
    pick: Pick,
) -> Result<Vec<String>, E> {
    let mut kept = Kept { pick, count, next: 0, texts: BTreeMap::new(), seen: BTreeSet::new() };
    for part in [Part::Rows, Part::Queries] {
        let Some(table) = unit.get(part) else { continue };
        for column in text_columns(card.task_type, part) {
            if table.get(column).is_some() {
                for_each(table, column, |text| kept.add(text.unwrap_or_default()))?;
            }
        }
    }
    if let Some(table) = unit.get(Part::Corpus) {
        for_each_document(table, |text| kept.add(text))?;
    }
    for chunk in corpus.into_iter().flatten() {
        for_each_document(&chunk?, |text| kept.add(text))?;
    }
    Ok(kept.texts.into_values().collect())
}

/// Calls `take` with each document, its title before its text.
pub(crate) fn for_each_document(table: &Table, mut take: impl FnMut(&str)) -> Result<(), DataError> {
    let texts = table.column("text")?;
    let titles = table.get("title");
    for row in 0..table.rows() {
        let cell = |value: serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let title = titles.map_or_else(String::new, |titles| cell(titles.value(row)));
        take(format!("{title} {}", cell(texts.value(row))).trim());
    }
    Ok(())
}

/// Never more texts than were asked for.
struct Kept {
    pick: Pick,
    count: usize,
    next: usize,
    texts: BTreeMap<(Reverse<usize>, usize, usize), String>,
    seen: BTreeSet<String>,
}

impl Kept {
    fn add(&mut self, text: &str) {
        let number = self.next;
        self.next += 1;
        let length = text.chars().count();
        let key = match self.pick {
            Pick::Shortest => (Reverse(0), length, number),
            Pick::Longest => (Reverse(length), 0, number),
            Pick::First => (Reverse(0), 0, number),
        };
        let is_full = self.texts.len() >= self.count;
        if is_full && self.texts.last_key_value().is_none_or(|(last, _)| *last < key) {
            return;
        }
        // A text that was given up is never taken again: all that are kept stand before it.
        if text.trim().is_empty() || !self.seen.insert(text.to_owned()) {
            return;
        }
        self.texts.insert(key, text.to_owned());
        if is_full && let Some((_, dropped)) = self.texts.pop_last() {
            self.seen.remove(&dropped);
        }
    }
}

#[cfg(test)]
mod tests {
    use mteb_data::read_json_lines;

    use super::*;

    fn table(lines: &str) -> Table {
        read_json_lines("f.jsonl", lines.as_bytes()).unwrap()
    }

    fn card(task_type: &str) -> TaskCard {
        let text = format!(
            "schema = 1\nname = \"T\"\ntype = \"{task_type}\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"d\"\n"
        );
        TaskCard::from_toml(&text).unwrap()
    }

    #[test]
    fn the_shortest_texts_are_distinct_and_not_blank() {
        let rows = "{\"sentence1\": \"ccc\", \"sentence2\": \"a\", \"score\": 1}\n\
                    {\"sentence1\": \" \", \"sentence2\": \"bb\", \"score\": 1}\n\
                    {\"sentence1\": \"a\", \"sentence2\": \"dd\", \"score\": 1}\n";
        let unit = Unit::new(["T", "test", "default"], BTreeMap::from([(Part::Rows, table(rows))]));
        let few = |pick| {
            let none: Option<std::iter::Empty<Result<Table, DataError>>> = None;
            few_texts(&card("STS"), &unit, none, 3, pick).unwrap()
        };
        assert_eq!(few(Pick::Shortest), ["a", "bb", "dd"]);
        assert_eq!(few(Pick::Longest), ["ccc", "bb", "dd"]);
        assert_eq!(few(Pick::First), ["ccc", "a", "bb"]);
    }

    #[test]
    fn a_document_is_its_title_and_its_text_however_it_is_read() {
        let corpus = || {
            table(
                "{\"_id\": \"1\", \"title\": \"t\", \"text\": \"x\"}\n{\"_id\": \"2\", \"title\": \"\", \"text\": \"long text\"}\n",
            )
        };
        let queries = table("{\"_id\": \"q\", \"text\": \"apa?\"}\n");
        let parts = BTreeMap::from([(Part::Queries, queries)]);
        let unit = Unit::new(["T", "test", "default"], parts);
        let chunks = [Ok::<_, DataError>(corpus())].into_iter();
        let found = few_texts(&card("Retrieval"), &unit, Some(chunks), 2, Pick::Shortest).unwrap();
        assert_eq!(found, ["t x", "apa?"]);
    }
}
