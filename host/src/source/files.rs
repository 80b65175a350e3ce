//! Two special places of data: one local file for a whole task, and the layout of `mteb/belebele`.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use mteb_data::{Column, DataError, Folder, Table, Texts, read_file};
use mteb_evaluators::Part;
use mteb_plugin_api::card::TaskCard;

use super::SourceError;
use super::columns::canonical;
use super::rows::needs_training;

/// The rows of a task whose `path` is one file; it can have no training split.
///
/// # Errors
/// If the task needs more than one file.
pub fn parts_of_file(card: &TaskCard, path: &Path) -> Result<BTreeMap<Part, Table>, SourceError> {
    if card.task_type.is_ranking() || needs_training(card) {
        return Err(SourceError::Transform(format!(
            "a task of type {} needs several files; let the card's `path` name a folder",
            card.task_type
        )));
    }
    let table = canonical(read_file(path)?, card)?;
    Ok(BTreeMap::from([(Part::Rows, table)]))
}

/// A subset `X-Y` of Belebele: passages of X, questions of Y (protocol 2.4).
///
/// # Errors
/// If a config or column is absent.
pub fn belebele(folder: &Folder, subset: &str, split: &str) -> Result<BTreeMap<Part, Table>, SourceError> {
    let (passages, questions) = subset.split_once('-').unwrap_or((subset, subset));
    let (passages, questions) = (folder.read(passages, split)?, folder.read(questions, split)?);
    let (ids, corpus) = distinct(&passages, "link", "flores_passage", "C")?;
    let (question_ids, queries) = distinct(&questions, "question", "question", "Q")?;
    let (links, texts) = (questions.texts("link")?, questions.texts("question")?);
    let mut qrels = [Texts::new(), Texts::new()];
    for (link, text) in links.iter().zip(texts.iter()) {
        if let (Some(query), Some(document)) = (question_ids.get(text), ids.get(link)) {
            qrels[0].push(query);
            qrels[1].push(document);
        }
    }
    let [query_ids, document_ids] = qrels;
    let scores = Column::Int(vec![1; query_ids.len()]);
    let columns = vec![
        ("query-id".to_owned(), Column::Text(query_ids)),
        ("corpus-id".to_owned(), Column::Text(document_ids)),
        ("score".to_owned(), scores),
    ];
    let qrels = Table::new(format!("{subset}, qrels"), columns)?;
    Ok(BTreeMap::from([(Part::Corpus, corpus), (Part::Queries, queries), (Part::Qrels, qrels)]))
}

/// Numbers the distinct values of column `key` and pairs each number with its first text.
fn distinct(
    table: &Table,
    key: &str,
    text: &str,
    prefix: &str,
) -> Result<(HashMap<String, String>, Table), DataError> {
    let (keys, texts) = (table.texts(key)?, table.texts(text)?);
    let mut ids: HashMap<String, String> = HashMap::new();
    let (mut id_column, mut text_column) = (Texts::new(), Texts::new());
    for (key, text) in keys.iter().zip(texts.iter()) {
        if !ids.contains_key(key) {
            let id = format!("{prefix}{}", ids.len());
            id_column.push(&id);
            text_column.push(text);
            ids.insert(key.to_owned(), id);
        }
    }
    let columns =
        vec![("id".to_owned(), Column::Text(id_column)), ("text".to_owned(), Column::Text(text_column))];
    Ok((ids, Table::new(table.place(0).0, columns)?))
}
