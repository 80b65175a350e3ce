//! The data of one subset as the checks see it: every text with its place.

use std::borrow::Cow;
use std::hash::Hash;

use mteb_card::{TaskCard, TaskType};
use mteb_data::{Column, DataError, Table};
use mteb_tasks::{Part, Unit, facts, is_blank, text_columns};
use serde_json::Value;

use super::fault::{DataFault, RowPlace};
use super::limits::Limits;
use crate::stats::{for_each_of_row, hash, id_column, ids};

/// One subset of a task: a unit for each split.
pub struct SubsetData<'a> {
    /// The card.
    pub card: &'a TaskCard,
    /// What the card declares; `None` for a set that is held only to what its type needs.
    pub limits: Option<Limits>,
    /// A unit for each split that is evaluated; at least one.
    pub units: &'a [Unit],
    /// Every column of texts, training rows once.
    pub columns: Vec<ColumnTexts<'a>>,
}

/// One column of texts of one part.
pub struct ColumnTexts<'a> {
    /// The unit.
    pub unit: &'a Unit,
    /// The part.
    pub part: Part,
    /// Column.
    pub name: &'static str,
    /// The texts in order, elements of lists one by one.
    pub texts: Vec<TextAt>,
}

/// One text and its row.
#[derive(Clone, Debug)]
pub struct TextAt {
    /// The text; empty if the cell holds none.
    pub text: String,
    /// False if the cell holds no text.
    pub is_text: bool,
    /// Row of the table, from 0.
    pub row: usize,
    /// Texts with the same number belong together and may be alike: the sides of a pair, a topic with two instructions.
    pub group: u64,
}

impl<'a> SubsetData<'a> {
    /// Gathers the texts of `units`.
    ///
    /// # Errors
    /// If a column cannot be read.
    pub fn new(card: &'a TaskCard, units: &'a [Unit]) -> Result<Self, DataError> {
        let mut columns = Vec::new();
        for (index, unit) in units.iter().enumerate() {
            for part in [Part::Rows, Part::Train, Part::Queries, Part::Instruction, Part::Corpus] {
                let Some(table) = unit.get(part).filter(|_| part != Part::Train || index == 0) else {
                    continue;
                };
                // What a run needs and does not find it has said before.
                let is_there = |name: &&&str| **name != "title" && table.get(name).is_some();
                for name in text_columns(card.task_type, part).iter().filter(is_there) {
                    columns.push(ColumnTexts {
                        unit,
                        part,
                        name,
                        texts: texts(card, part, index, table, name)?,
                    });
                }
            }
        }
        Ok(Self { card, limits: Limits::of(card), units, columns })
    }

    /// Where row `row` (from 0) of a part was read from.
    pub fn place(&self, unit: &Unit, part: Part, row: usize) -> RowPlace {
        RowPlace::of(self.part_name(unit, part), unit.get(part), row)
    }

    /// The split for rows, else the name of the part.
    pub fn part_name(&self, unit: &Unit, part: Part) -> String {
        match part {
            Part::Rows => unit.split.clone(),
            Part::Train => self.card.dataset.training_split().to_owned(),
            other => other.as_str().to_owned(),
        }
    }

    /// A fault of `unit`.
    pub fn fault(
        &self,
        unit: &Unit,
        check: &'static str,
        rows: Vec<RowPlace>,
        message: String,
        advice: &'static str,
    ) -> DataFault {
        let (task, split, subset) = (self.card.name.clone(), unit.split.clone(), unit.subset.clone());
        DataFault { task, split, subset, check, rows, message, advice }
    }
}

impl ColumnTexts<'_> {
    /// How messages call the column: with its part, unless rows have only that column.
    pub fn title(&self, data: &SubsetData) -> String {
        let part = data.part_name(self.unit, self.part);
        if matches!(self.part, Part::Rows | Part::Train) { format!("{part}.{}", self.name) } else { part }
    }

    /// A text as a model gets it: that of a document behind its title (protocol 3.1).
    pub fn encoded<'t>(&self, at: &'t TextAt) -> Cow<'t, str> {
        let titles = self
            .unit
            .get(self.part)
            .filter(|_| self.part == Part::Corpus)
            .and_then(|table| table.get("title"));
        match titles.map(|titles| titles.value(at.row)).as_ref().and_then(Value::as_str) {
            Some(title) if !title.is_empty() => Cow::Owned(format!("{title} {}", at.text)),
            _ => Cow::Borrowed(&at.text),
        }
    }

    /// The texts that are there, each once.
    pub fn distinct(&self) -> Vec<&str> {
        let mut seen = std::collections::HashSet::new();
        let texts = self.texts.iter().map(|at| at.text.as_str());
        texts.filter(|text| !is_blank(text) && seen.insert(*text)).collect()
    }
}

fn texts(
    card: &TaskCard,
    part: Part,
    unit: usize,
    table: &Table,
    name: &str,
) -> Result<Vec<TextAt>, DataError> {
    let column = table.column(name)?;
    let topics = topics(card.task_type, part, table)?;
    let mut texts = Vec::new();
    for row in 0..table.rows() {
        let group = match topics.get(row) {
            Some(topic) => number((unit, topic)),
            None => number((unit, part, row)),
        };
        for_each_of_row(column, row, |text| {
            let is_text = text.is_some();
            texts.push(TextAt { text: text.unwrap_or_default().to_owned(), is_text, row, group });
        });
        if is_empty_list(column, row) {
            texts.push(TextAt { text: String::new(), is_text: true, row, group });
        }
    }
    Ok(texts)
}

fn is_empty_list(column: &Column, row: usize) -> bool {
    column.value(row).as_array().is_some_and(Vec::is_empty)
}

/// The topic of each query or instruction, of tasks that ask each topic twice: its id without `-og` and `-changed`.
fn topics(task_type: TaskType, part: Part, table: &Table) -> Result<Vec<String>, DataError> {
    if !facts(task_type).has_topics || !matches!(part, Part::Queries | Part::Instruction) {
        return Ok(Vec::new());
    }
    let column = if part == Part::Queries { id_column(table) } else { "query-id" };
    Ok(ids(table, column)?.iter().map(|id| topic(id).to_owned()).collect())
}

/// The topic of a query id.
pub fn topic(id: &str) -> &str {
    id.strip_suffix("-og").or_else(|| id.strip_suffix("-changed")).unwrap_or(id)
}

fn number(of: impl Hash) -> u64 {
    hash(of)
}
