//! Two columns of texts whose rows belong together, the scores by which their embeddings are
//! compared, and the range of gold scores.

use mteb_card::defaults;
use mteb_data::{DataError, Table, Texts};
use mteb_search::pairs;

use crate::{EvaluateError, Matrix, Protocol, Session, TextColumn};

/// Row i of `left` belongs to row i of `right`.
pub(super) struct SentencePairs {
    left: TextColumn,
    right: TextColumn,
}

impl SentencePairs {
    /// Pairs of texts with the roles that `options` names, none by default.
    pub fn new(left: Texts, right: Texts, options: &Protocol) -> Self {
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

    /// 1 minus scikit-learn's paired cosine distance, which is not the inner product of the unit
    /// vectors (protocol 5).
    pub fn cosine(&self) -> Vec<f64> {
        self.measure(|left, right, dimension| {
            let mut scores = pairs::paired_cosine_distance(left, right, dimension);
            scores.iter_mut().for_each(|score| *score = 1.0 - *score);
            scores
        })
    }

    /// Minus the Manhattan distance.
    pub fn manhattan(&self) -> Vec<f64> {
        negate(self.measure(pairs::manhattan))
    }

    /// Minus the Euclidean distance.
    pub fn euclidean(&self) -> Vec<f64> {
        negate(self.measure(pairs::euclidean))
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

fn negate(mut scores: Vec<f64>) -> Vec<f64> {
    scores.iter_mut().for_each(|score| *score = -*score);
    scores
}

/// Lowest and highest gold score that the annotators could give.
pub(super) struct GoldRange {
    low: f64,
    high: f64,
}

impl GoldRange {
    /// The range that `options` names, 0 to 5 by default.
    pub fn new(options: &Protocol) -> Result<Self, EvaluateError> {
        let low = options.min_score.unwrap_or(defaults::MIN_SCORE);
        let high = options.max_score.unwrap_or(defaults::MAX_SCORE);
        if low < high {
            return Ok(Self { low, high });
        }
        Err(EvaluateError::Unscorable(format!(
            "options `min_score` and `max_score`: expected the first below the second, found: {low} and {high}"
        )))
    }

    /// What to say of `scores`, those of the rows of `table`, that lie outside of the range; `None`
    /// if none does.
    pub fn outside(&self, scores: &[f64], table: &Table) -> Option<String> {
        let Self { low, high } = self;
        let is_outside = |score: &f64| !(low..=high).contains(&score);
        let row = scores.iter().position(is_outside)?;
        let (count, first) = (scores.iter().filter(|score| is_outside(score)).count(), scores[row]);
        Some(format!(
            "expected gold scores from {low} to {high}, found {count} outside, the first: {first} in {}; correct them, or \
             `min_score` and `max_score` in the card's `[protocol]`",
            table.location(row)
        ))
    }

    /// `score` as a share of the range.
    pub fn share(&self, score: f64) -> f64 {
        (score - self.low) / (self.high - self.low)
    }
}
