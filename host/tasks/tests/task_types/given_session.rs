//! A model whose embeddings are given: a function from texts to numbers, with a record of what was
//! asked of it.

use std::collections::BTreeMap;
use std::ops::Range;

use mteb_data::{Column, Table, Texts};
use mteb_tasks::{
    EvaluateError, Matrix, Part, Protocol, Role, Scores, Session, Similarity, TaskState, Unit, task_types,
};
use serde_json::Value;

/// Encodes every text with the same function.
pub struct GivenSession<'a> {
    embed: &'a dyn Fn(&str) -> Vec<f32>,
    similarity: Similarity,
    /// Names of the phases in the order in which they began.
    pub phases: Vec<String>,
    /// Warnings so far.
    pub warnings: Vec<String>,
}

impl<'a> GivenSession<'a> {
    /// A model that embeds with `embed` and compares by `similarity`.
    pub fn new(embed: &'a dyn Fn(&str) -> Vec<f32>, similarity: Similarity) -> Self {
        Self { embed, similarity, phases: Vec::new(), warnings: Vec::new() }
    }
}

impl Session for GivenSession<'_> {
    fn encode_texts(
        &mut self,
        texts: &Texts,
        rows: Range<usize>,
        _: Option<Role>,
    ) -> Result<Matrix, EvaluateError> {
        let rows: Vec<Vec<f32>> = texts.range(rows).map(|text| (self.embed)(text)).collect();
        let dimension = rows.first().map_or(0, Vec::len);
        Ok(Matrix::new(rows.concat(), dimension))
    }

    fn predict(&mut self, _queries: &Texts, _documents: &Texts) -> Result<Option<Vec<f32>>, EvaluateError> {
        Ok(None)
    }

    fn similarity(&self) -> Similarity {
        self.similarity
    }

    fn phase(&mut self, name: &str) {
        self.phases.push(name.to_owned());
    }

    fn warn(&mut self, message: &str) {
        self.warnings.push(message.to_owned());
    }
}

/// Plans and scores one table of rows as the task type called `task_type`.
#[allow(dead_code, reason = "tests of task types that learn give two tables")]
pub fn score(
    task_type: &str,
    options: &Protocol,
    rows: Table,
    session: &mut GivenSession<'_>,
) -> Result<Scores, EvaluateError> {
    score_parts(task_type, options, BTreeMap::from([(Part::Rows, rows)]), session)
}

/// Plans and scores the tables of one unit as the task type called `task_type`.
pub fn score_parts(
    task_type: &str,
    options: &Protocol,
    parts: BTreeMap<Part, Table>,
    session: &mut GivenSession<'_>,
) -> Result<Scores, EvaluateError> {
    let unit = Unit::new(["Task", "test", "default"], parts);
    let task_type = task_types::find(task_type).expect("the task type is registered");
    task_type.plan(unit, options, &mut TaskState::new())?.score(session)
}

/// A table of the file `file` from its columns, a list of cells each.
pub fn table(file: &str, columns: &Value) -> Table {
    let columns = columns.as_object().expect("an object").iter().map(|(name, cells)| {
        let cells = cells.as_array().expect("a list");
        let column = if cells.iter().all(Value::is_string) {
            Column::Text(cells.iter().filter_map(Value::as_str).collect())
        } else if cells.iter().all(Value::is_i64) {
            Column::Int(cells.iter().filter_map(Value::as_i64).collect())
        } else if cells.iter().all(Value::is_number) {
            Column::Float(cells.iter().filter_map(Value::as_f64).collect())
        } else {
            Column::Any(cells.clone())
        };
        (name.clone(), column)
    });
    Table::new(file, columns.collect()).expect("columns are equally long")
}
