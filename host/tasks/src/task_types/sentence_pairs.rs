//! Two columns of texts whose rows belong together, and the scores by which their embeddings are compared.

use mteb_data::{DataError, Table, Texts};
use mteb_search::pairs;

use crate::{EvaluateError, Matrix, Options, Session, TextColumn};

/// Row i of `left` belongs to row i of `right`.
pub(super) struct SentencePairs {
    left: TextColumn,
    right: TextColumn,
}

impl SentencePairs {
    /// Pairs of texts with the roles that `options` names, none by default.
    pub fn new(left: Texts, right: Texts, options: &Options) -> Self {
        let [left_role, right_role] = options.roles.map_or([None; 2], |roles| roles.map(Some));
        Self {
            left: TextColumn { texts: left, role: left_role, phase: "Encoding samples 1" },
            right: TextColumn { texts: right, role: right_role, phase: "Encoding samples 2" },
        }
    }

    pub fn columns(&self) -> Vec<&TextColumn> {
        vec![&self.left, &self.right]
    }

    /// Embeddings of both columns, each encoded on its own.
    pub fn encode(&self, session: &mut dyn Session) -> Result<EmbeddedPairs, EvaluateError> {
        let left = session.encode(&self.left, 0..self.left.texts.len())?;
        let right = session.encode(&self.right, 0..self.right.texts.len())?;
        Ok(EmbeddedPairs { left, right })
    }
}

/// The embeddings of [`SentencePairs`]; every measure gives one number a pair, computed in `f32`.
pub(super) struct EmbeddedPairs {
    left: Matrix,
    right: Matrix,
}

impl EmbeddedPairs {
    /// The model's own similarity.
    pub fn similarity(&self, session: &dyn Session) -> Vec<f64> {
        let kind = session.similarity();
        self.measure(|left, right, dimension| pairs::similarity(kind, left, right, dimension))
    }

    /// 1 minus scikit-learn's paired cosine distance, which is not the inner product of the unit vectors (protocol 5).
    pub fn cosine(&self) -> Vec<f64> {
        self.measure(|left, right, dimension| {
            let mut scores = pairs::paired_cosine_distance(left, right, dimension);
            scores.iter_mut().for_each(|score| *score = 1.0 - *score);
            scores
        })
    }

    /// Minus the Manhattan distance.
    pub fn manhattan(&self) -> Vec<f64> {
        negated(self.measure(pairs::manhattan))
    }

    /// Minus the Euclidean distance.
    pub fn euclidean(&self) -> Vec<f64> {
        negated(self.measure(pairs::euclidean))
    }

    /// Inner product.
    pub fn dot(&self) -> Vec<f64> {
        self.measure(pairs::dot)
    }

    fn measure(&self, measure: impl FnOnce(&[f32], &[f32], usize) -> Vec<f32>) -> Vec<f64> {
        measure(&self.left.values, &self.right.values, self.left.dimension)
            .into_iter()
            .map(f64::from)
            .collect()
    }
}

/// The strings of the list in the only row of `column`.
pub(super) fn list_of_texts(table: &Table, column: &str) -> Result<Texts, DataError> {
    let cells = table.lists(column)?.concat();
    cells
        .iter()
        .map(|cell| cell.as_str().ok_or_else(|| table.fault(column, 0, "a list of strings", cell)))
        .collect()
}

fn negated(mut scores: Vec<f64>) -> Vec<f64> {
    scores.iter_mut().for_each(|score| *score = -*score);
    scores
}
