//! A model whose embeddings are given, encoder or cross-encoder, and units made of JSON rows.

use std::collections::BTreeMap;
use std::ops::Range;

use mteb_data::{Texts, read_json_lines};
use mteb_tasks::{
    EvaluateError, Matrix, Part, Protocol, Role, Scores, Session, Similarity, TaskState, Unit, task_types,
};
use serde_json::Value;

/// Encodes every text with the same function; records what was asked of it.
pub struct SearchSession<'a> {
    embed: &'a dyn Fn(&str) -> Vec<f32>,
    similarity: Similarity,
    cross_encoder: bool,
    /// Names of the phases in the order in which they began.
    pub phases: Vec<String>,
    /// Warnings so far.
    pub warnings: Vec<String>,
    /// Every text that was encoded, in order.
    pub encoded: Vec<String>,
}

impl<'a> SearchSession<'a> {
    /// A model that embeds with `embed` and compares by `similarity`.
    pub fn new(embed: &'a dyn Fn(&str) -> Vec<f32>, similarity: Similarity) -> Self {
        let (phases, warnings, encoded) = (Vec::new(), Vec::new(), Vec::new());
        Self { embed, similarity, cross_encoder: false, phases, warnings, encoded }
    }

    /// A model that scores a pair by the inner product of `embed`.
    pub fn cross_encoder(embed: &'a dyn Fn(&str) -> Vec<f32>) -> Self {
        Self { cross_encoder: true, ..Self::new(embed, Similarity::Dot) }
    }
}

impl Session for SearchSession<'_> {
    fn encode_texts(
        &mut self,
        texts: &Texts,
        rows: Range<usize>,
        _: Option<Role>,
    ) -> Result<Matrix, EvaluateError> {
        self.encoded.extend(texts.range(rows.clone()).map(str::to_owned));
        let rows: Vec<Vec<f32>> = texts.range(rows).map(|text| (self.embed)(text)).collect();
        let dimension = rows.first().map_or(0, Vec::len);
        Ok(Matrix::new(rows.concat(), dimension))
    }

    fn predict(&mut self, queries: &Texts, documents: &Texts) -> Result<Option<Vec<f32>>, EvaluateError> {
        let product = |(query, document): (&str, &str)| {
            (self.embed)(query).iter().zip((self.embed)(document)).map(|(x, y)| x * y).sum()
        };
        Ok(self.cross_encoder.then(|| queries.iter().zip(documents.iter()).map(product).collect()))
    }

    fn is_cross_encoder(&self) -> bool {
        self.cross_encoder
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

/// A unit of the given parts, each a list of rows.
pub fn unit(parts: &Value) -> Unit {
    let mut tables = BTreeMap::new();
    for part in Part::of_rankings() {
        if let Some(rows) = parts[part.as_str()].as_array() {
            let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
            let file = format!("{}.jsonl", part.as_str());
            tables
                .insert(part, read_json_lines(&file, lines.join("\n").as_bytes()).expect("rows are objects"));
        }
    }
    Unit::new(["Task", "test", "default"], tables)
}

/// Plans and scores `unit` as the task type called `task_type`.
pub fn score(
    task_type: &str,
    options: &Protocol,
    unit: Unit,
    session: &mut SearchSession<'_>,
) -> Result<Scores, EvaluateError> {
    let task_type = task_types::find(task_type).expect("the task type is registered");
    task_type.plan(unit, options, &mut TaskState::new())?.score(session)
}
