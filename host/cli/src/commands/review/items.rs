//! The rows that are labelled again: their texts, the labels that there may be, and, for the summary alone, what the data says.

use std::collections::{BTreeMap, BTreeSet};

use mteb_card::{Part, TaskCard};
use mteb_data::{DataError, Table, written};
use mteb_inspect::agreement::Level;
use mteb_tasks::{Gold, TaskType, Unit, facts};

/// What may be answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Choices {
    /// One of these labels.
    Labels(Vec<String>),
    /// A number from the first to the second.
    Scale([f64; 2]),
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Hash of its texts: whoever labelled other texts did not label this row.
    pub key: String,
    /// What is shown, each text with what it is called.
    pub texts: Vec<(String, String)>,
    /// What the data says. Nobody who labels sees it.
    pub gold: String,
    /// Where the row is, for people.
    pub location: String,
}

/// The rows of a unit that are labelled.
#[derive(Clone, Debug)]
pub struct Items {
    /// The task, with split and subset where it has several.
    pub name: String,
    /// What the task asks.
    pub description: String,
    /// What may be answered.
    pub choices: Choices,
    /// The rows.
    pub all: Vec<Item>,
}

impl Items {
    /// What a difference of two labels is.
    pub fn level(&self) -> Level {
        match self.choices {
            Choices::Labels(_) => Level::Nominal,
            Choices::Scale(_) => Level::Interval,
        }
    }

    /// The number of a label for the coefficients; `None` of what is no label.
    pub fn number(&self, label: &str) -> Option<f64> {
        match &self.choices {
            Choices::Labels(labels) => {
                labels.iter().position(|known| known == label).map(|place| place as f64)
            }
            Choices::Scale(range) => label
                .replace(',', ".")
                .parse()
                .ok()
                .filter(|number: &f64| range[0] <= *number && *number <= range[1]),
        }
    }

    /// The label of a number.
    pub fn label(&self, number: f64) -> String {
        match &self.choices {
            Choices::Labels(labels) => labels.get(number as usize).cloned().unwrap_or_default(),
            Choices::Scale(_) => number.to_string(),
        }
    }
}

/// Why a unit has no rows to label.
#[derive(Debug, thiserror::Error)]
pub enum ItemsError {
    /// A row of the type has not just one label.
    #[error("{task}: expected rows with one label or score each, found a task of the type {task_type}")]
    OtherType {
        /// The task.
        task: String,
        /// Its type.
        task_type: TaskType,
    },
    /// The data has no rows.
    #[error("expected rows, found none")]
    NoRows,
    /// The data lacks a part of a ranking task.
    #[error("expected the part {0}, found none")]
    NoPart(Part),
    /// A table lacks a column.
    #[error(transparent)]
    Data(#[from] DataError),
}

/// The rows of `unit` that are labelled: `number` of them, drawn by `seed`.
///
/// # Errors
/// If rows of the type cannot be labelled one by one, or the data lacks a part or a column.
pub fn read_items(card: &TaskCard, unit: &Unit, number: usize, seed: u64) -> Result<Items, ItemsError> {
    let mut all = if card.task_type.is_ranking() { judgements(unit)? } else { rows(card, unit)? };
    let choices = choices(card, &all);
    let order = |item: &Item| hash(&format!("{seed}\n{}", item.key));
    // Of rows with the same texts one is enough.
    let mut seen = BTreeSet::new();
    all.retain(|item| seen.insert(item.key.clone()));
    all.sort_by_cached_key(order);
    all.truncate(number);
    Ok(Items { name: card.name.clone(), description: card.description.clone(), choices, all })
}

fn choices(card: &TaskCard, all: &[Item]) -> Choices {
    match facts(card.task_type).gold {
        Gold::Scores(_) | Gold::Values(_) => {
            let numbers = all.iter().filter_map(|item| item.gold.parse::<f64>().ok());
            let [low, high] =
                [card.protocol.min_score.unwrap_or(0.0), card.protocol.max_score.unwrap_or(5.0)];
            let [low, high] =
                numbers.fold([low, high], |[low, high], number| [low.min(number), high.max(number)]);
            Choices::Scale([low, high])
        }
        _ => {
            let labels: BTreeSet<&str> = all.iter().map(|item| item.gold.as_str()).collect();
            Choices::Labels(labels.into_iter().map(str::to_owned).collect())
        }
    }
}

/// Rows with a label or a score.
fn rows(card: &TaskCard, unit: &Unit) -> Result<Vec<Item>, ItemsError> {
    let facts = facts(card.task_type);
    let column = match (card.task_type, facts.gold) {
        (TaskType::Summarization | TaskType::MultilabelClassification, _)
        | (_, Gold::Pairs | Gold::Judgements | Gold::Unknown) => {
            return Err(ItemsError::OtherType { task: card.name.clone(), task_type: card.task_type });
        }
        (_, Gold::Labels(column) | Gold::Scores(column) | Gold::Values(column)) => column,
    };
    let table = unit.parts.get(&Part::Rows).ok_or(ItemsError::NoRows)?;
    let gold = table.column(column)?;
    let texts = |row: usize| -> Vec<(String, String)> {
        let named = facts.text_columns.iter().filter_map(|name| Some((*name, table.get(name)?)));
        named.map(|(name, cells)| (name.to_owned(), written(&cells.value(row)))).collect()
    };
    let item = |row: usize| item(texts(row), written(&gold.value(row)), table.location(row));
    Ok((0..table.rows()).map(item).collect())
}

/// Queries with a document and its grade.
fn judgements(unit: &Unit) -> Result<Vec<Item>, ItemsError> {
    let part = |part: Part| unit.parts.get(&part).ok_or(ItemsError::NoPart(part));
    let (queries, corpus, qrels) = (part(Part::Queries)?, part(Part::Corpus)?, part(Part::Qrels)?);
    let (queries, documents) = (texts_by_id(queries, &["text"]), texts_by_id(corpus, &["title", "text"]));
    let cell = |name: &str, row: usize| qrels.column(name).map(|cells| written(&cells.value(row)));
    let mut items = Vec::new();
    for row in 0..qrels.rows() {
        let [query, document, grade] = [cell("query-id", row)?, cell("corpus-id", row)?, cell("score", row)?];
        let (Some(query), Some(document)) = (queries.get(&query), documents.get(&document)) else { continue };
        let texts = vec![("query".to_owned(), query.clone()), ("document".to_owned(), document.clone())];
        items.push(item(texts, grade, qrels.location(row)));
    }
    Ok(items)
}

/// Texts of a part by id.
fn texts_by_id(table: &Table, columns: &[&str]) -> BTreeMap<String, String> {
    let Some(ids) = table.get("_id").or_else(|| table.get("id")) else { return BTreeMap::new() };
    let text = |row: usize| {
        let cells = columns.iter().filter_map(|name| Some(written(&table.get(name)?.value(row))));
        cells.filter(|text| !text.is_empty() && text != "null").collect::<Vec<_>>().join("\n")
    };
    (0..table.rows()).map(|row| (written(&ids.value(row)), text(row))).collect()
}

fn item(texts: Vec<(String, String)>, gold: String, location: String) -> Item {
    let joined: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    Item { key: hash(&joined.join("\n\u{1f}\n")), texts, gold, location }
}

/// The first digits of a hash.
fn hash(text: &str) -> String {
    // Reading from memory cannot fail.
    let mut hash = mteb_files::sha256(text.as_bytes()).unwrap_or_default();
    hash.truncate(24);
    hash
}
