//! What the cells of a column are, as far as a guess needs it, and which columns are those of the
//! parts of a search: ids, texts, judgements.

use std::collections::HashSet;

use mteb_data::{Column, Table};
use mteb_tasks::Part;
use serde_json::Value;

/// Characters up to which a text may be the name of a label.
const LONGEST_LABEL: f64 = 40.0;

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Texts.
    Text,
    /// Numbers, also where a file without types writes them.
    Number,
    /// True and false.
    Truth,
    /// Lists of texts or of whole numbers.
    List,
    /// Lists of numbers of which some are not whole.
    Weights,
    /// Anything else, and columns without a cell.
    Other,
}

/// One column of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnFacts {
    /// Its name.
    pub name: String,
    /// What its cells are.
    pub kind: CellKind,
    /// Number of rows.
    pub rows: usize,
    /// Number of different cells.
    pub distinct: usize,
    /// Mean length of a cell in characters.
    pub characters: f64,
    /// Lowest and highest number of a column of numbers.
    pub range: Option<[f64; 2]>,
    /// True if all numbers are whole.
    pub is_whole: bool,
}

impl ColumnFacts {
    /// True if each value may be a label: short, and found in several rows.
    pub fn may_be_label(&self) -> bool {
        let repeats =
            self.distinct >= 2 && self.distinct < self.rows && 2 * self.distinct <= self.rows.max(4);
        match self.kind {
            CellKind::Text => repeats && self.characters <= LONGEST_LABEL,
            CellKind::Number => repeats && self.is_whole,
            CellKind::Truth => true,
            CellKind::List | CellKind::Weights | CellKind::Other => false,
        }
    }

    /// True of numbers of two values that say yes or no.
    pub fn is_binary(&self) -> bool {
        let is_yes_or_no = |range: [f64; 2]| range[1] == 1.0 && (range[0] == 0.0 || range[0] == -1.0);
        self.kind == CellKind::Truth
            || (self.is_whole && self.distinct == 2 && self.range.is_some_and(is_yes_or_no))
    }

    /// True if it numbers the rows, by its name or by what it holds.
    pub fn is_id(&self) -> bool {
        let lower = self.name.to_lowercase();
        let is_called = matches!(
            lower.as_str(),
            "id" | "_id" | "idx" | "index" | "no" | "nomor" | "number" | "guid" | "uuid" | "row" | ""
        ) || lower.ends_with("_id")
            || lower.starts_with("unnamed");
        let counts = self.kind == CellKind::Number
            && self.is_whole
            && self.distinct == self.rows
            && self.range.is_some_and(|[low, high]| {
                self.rows > 3 && (low == 0.0 || low == 1.0) && high - low + 1.0 == self.rows as f64
            });
        is_called || counts
    }

    /// What it holds, in words.
    pub fn shown(&self) -> String {
        let different = format!("{} different", self.distinct);
        match (self.kind, self.range) {
            (CellKind::Text, _) => {
                format!("texts of {:.0} characters on average, {different}", self.characters)
            }
            (CellKind::Number, Some([low, high])) => format!("numbers from {low} to {high}, {different}"),
            (CellKind::Number, None) | (CellKind::Other, _) => "a mix of texts and other values".to_owned(),
            (CellKind::Truth, _) => "true and false".to_owned(),
            (CellKind::List, _) => "lists".to_owned(),
            (CellKind::Weights, _) => "lists of numbers".to_owned(),
        }
    }
}

/// A column of the protocol and the column of the file that is taken for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// What the protocol calls it.
    pub column: &'static str,
    /// What the file calls it.
    pub from: String,
}

/// The facts of each column of `table`, in the order of the file.
pub fn column_facts(table: &Table) -> Vec<ColumnFacts> {
    let columns = table.names().filter_map(|name| Some((name, table.get(name)?)));
    columns.map(|(name, column)| facts(name, column)).collect()
}

fn facts(name: &str, column: &Column) -> ColumnFacts {
    let cells: Vec<Value> =
        (0..column.len()).map(|row| column.value(row)).filter(|cell| !is_empty(cell)).collect();
    let numbers: Option<Vec<f64>> = cells.iter().map(number).collect();
    let numbers = numbers.filter(|numbers| !numbers.is_empty());
    let written: Vec<String> = cells.iter().map(written).collect();
    let characters: usize = written.iter().map(|cell| cell.chars().count()).sum();
    let kind = match &numbers {
        Some(_) => CellKind::Number,
        None => kind(&cells),
    };
    ColumnFacts {
        name: name.to_owned(),
        kind,
        rows: column.len(),
        distinct: written.iter().collect::<HashSet<_>>().len(),
        characters: characters as f64 / written.len().max(1) as f64,
        range: numbers.as_ref().map(|numbers| {
            let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            [low, numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)]
        }),
        is_whole: numbers.is_some_and(|numbers| numbers.iter().all(|number| number.fract() == 0.0)),
    }
}

fn is_empty(cell: &Value) -> bool {
    cell.is_null() || cell.as_str().is_some_and(|text| text.trim().is_empty())
}

fn number(cell: &Value) -> Option<f64> {
    let number = cell.as_f64().or_else(|| cell.as_str()?.trim().parse().ok());
    number.filter(|number| number.is_finite())
}

fn written(cell: &Value) -> String {
    cell.as_str().map_or_else(|| cell.to_string(), str::to_owned)
}

fn kind(cells: &[Value]) -> CellKind {
    let all = |is: fn(&Value) -> bool| !cells.is_empty() && cells.iter().all(is);
    let is_truth = |cell: &Value| {
        cell.is_boolean()
            || cell.as_str().is_some_and(|text| matches!(text, "true" | "false" | "True" | "False"))
    };
    if all(is_truth) {
        CellKind::Truth
    } else if all(Value::is_string) {
        CellKind::Text
    } else if all(|cell| has_only(cell, |value| value.is_string() || value.is_i64())) {
        CellKind::List
    } else if all(|cell| has_only(cell, Value::is_number)) {
        CellKind::Weights
    } else {
        CellKind::Other
    }
}

fn has_only(cell: &Value, is: fn(&Value) -> bool) -> bool {
    cell.as_array().is_some_and(|values| values.iter().all(is))
}

/// What others call a column of a part.
const CALLED: [(&str, &[&str]); 8] = [
    (
        "_id",
        &[
            "id",
            "docid",
            "doc_id",
            "document_id",
            "corpus-id",
            "corpus_id",
            "pid",
            "did",
            "passage_id",
            "qid",
            "query_id",
            "query-id",
        ],
    ),
    (
        "text",
        &[
            "content", "contents", "body", "passage", "document", "abstract", "query", "question",
            "sentence", "teks", "isi",
        ],
    ),
    ("title", &["headline", "judul"]),
    ("query-id", &["query_id", "queryid", "qid", "topic", "topic_id", "query"]),
    (
        "corpus-id",
        &["corpus_id", "corpusid", "docid", "doc_id", "document_id", "did", "pid", "passage_id", "document"],
    ),
    ("score", &["relevance", "grade", "rel", "label", "judgement", "rating"]),
    ("corpus-ids", &["corpus_ids", "docids", "doc_ids", "candidates", "documents"]),
    ("instruction", &["instruct", "narrative"]),
];

/// The columns that `part` needs and `table` calls otherwise; `Err` with the first one for which nothing can be meant.
///
/// # Errors
/// The name of the column that is absent.
pub fn part_columns(part: Part, table: &Table) -> Result<Vec<Taken>, &'static str> {
    let mut taken = Vec::new();
    for &column in needed(part) {
        // Ids may be called `id`, which the host reads too.
        if table.get(column).is_some() || (column == "_id" && table.get("id").is_some()) {
            continue;
        }
        let names =
            CALLED.iter().find(|(name, _)| *name == column).map_or(&[] as &[&str], |(_, names)| names);
        let found =
            names.iter().find_map(|name| table.names().find(|found| found.eq_ignore_ascii_case(name)));
        match found {
            Some(from) => taken.push(Taken { column, from: from.to_owned() }),
            None if column == "title" => {}
            None => return Err(column),
        }
    }
    Ok(taken)
}

fn needed(part: Part) -> &'static [&'static str] {
    match part {
        Part::Corpus => &["_id", "text", "title"],
        Part::Queries => &["_id", "text"],
        Part::Qrels => &["query-id", "corpus-id", "score"],
        Part::TopRanked | Part::Excluded | Part::QrelDiff => &["query-id", "corpus-ids"],
        Part::Instruction => &["query-id", "instruction"],
        Part::Rows | Part::Train => &[],
    }
}
