//! The layout of `mteb/belebele`: passages of one language, questions of another (protocol 2.4).

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use mteb_card::TaskCard;
use mteb_data::{Column, DataError, Folder, Table, Texts};
use mteb_tasks::Part;
use serde_json::Value;

use super::part_place::{PartPlace, UnitOf};
use super::parts::{Layout, Parts, Readers};
use crate::SourceError;

/// Passages and questions, from which the qrels are made.
pub struct Belebele;

impl Layout for Belebele {
    /// A subset `X-Y` takes passages of X and questions of Y.
    fn locate(&self, folder: &Folder, unit: UnitOf) -> Result<Vec<PartPlace>, DataError> {
        let UnitOf { card, split, subset } = unit;
        let columns = card.subset(subset).and_then(|subset| subset.columns.as_ref());
        let (passages, questions) = match columns {
            Some([passages, questions]) => (passages.as_str(), questions.as_str()),
            None => subset.split_once('-').unwrap_or((subset, subset)),
        };
        let place = |part, config| PartPlace::of_config(folder, part, config, vec![split.to_owned()], None);
        Ok(vec![place(Part::Corpus, passages)?, place(Part::Queries, questions)?])
    }

    fn fits_one_file(&self, _: UnitOf, _: &Path) -> bool {
        false
    }

    fn read(&self, from: &mut Readers, places: &[PartPlace], _: UnitOf) -> Result<Parts, SourceError> {
        let [passages, questions] = [Part::Corpus, Part::Queries].map(|part| {
            let place = places.iter().find(|place| place.part == part);
            place.map_or_else(|| Ok(Arc::default()), |place| from.read_shared(place, None))
        });
        Ok(Parts::of_files(make_parts(&*passages?, &*questions?)?))
    }

    fn part_of_splits(&self) -> Part {
        Part::Qrels
    }

    fn parts_by_name(&self) -> Vec<Part> {
        Part::of_rankings().collect()
    }

    fn subset_in<'a>(&self, _: &Folder, _: &TaskCard, config: &'a str) -> Option<&'a str> {
        config.strip_suffix("-corpus")
    }
}

/// Corpus, queries and judgements of `passages` of one language and `questions` of one.
///
/// # Errors
/// If a column is absent, or a question links to no passage.
fn make_parts(passages: &Table, questions: &Table) -> Result<BTreeMap<Part, Table>, DataError> {
    let (documents, corpus) = distinct(passages, "link", "flores_passage", "C")?;
    let (ids, queries) = distinct(questions, "question", "question", "Q")?;
    let (links, texts) = (questions.texts("link")?, questions.texts("question")?);
    let (mut query_ids, mut document_ids) = (Texts::new(), Texts::new());
    for (row, (link, text)) in links.iter().zip(texts.iter()).enumerate() {
        let document = documents.get(link);
        let document = document.ok_or_else(|| {
            questions.fault("link", row, "a link of one of the passages", &Value::from(link))
        })?;
        query_ids.push(ids.get(text).map_or("", String::as_str));
        document_ids.push(document);
    }
    let scores = Column::Int(vec![1; query_ids.len()]);
    let columns = vec![
        ("query-id".to_owned(), Column::Text(query_ids)),
        ("corpus-id".to_owned(), Column::Text(document_ids)),
        ("score".to_owned(), scores),
    ];
    let qrels = Table::new(questions.place(0).0, columns)?;
    Ok(BTreeMap::from([(Part::Corpus, corpus), (Part::Queries, queries), (Part::Qrels, qrels)]))
}

/// Numbers the distinct values of column `key` and pairs each number with its first text.
fn distinct(
    table: &Table,
    key: &str,
    text: &str,
    prefix: &str,
) -> Result<(HashMap<String, String>, Table), DataError> {
    let keys = table.texts(key)?;
    let mut ids: HashMap<String, String> = HashMap::new();
    let mut id_column = Texts::new();
    let mut rows = Vec::new();
    for (row, key) in keys.iter().enumerate() {
        if !ids.contains_key(key) {
            let id = format!("{prefix}{}", ids.len());
            id_column.push(&id);
            ids.insert(key.to_owned(), id);
            rows.push(row);
        }
    }
    let numbered = table.select(&rows).columns_as([("text", text)])?;
    Ok((ids, numbered.with_column("id", Column::Text(id_column))))
}
