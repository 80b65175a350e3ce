//! The scores of one unit, in the order in which the result file writes them, per-item results
//! beside them, and why a unit could not be scored.

use mteb_data::DataError;
use mteb_items::outcomes::OutcomesError;
use mteb_items::rankings::Rankings;

use crate::Items;

/// One value of a result entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Score {
    /// A number; NaN is written as the token `NaN`.
    Number(f64),
    /// A number that is one of numpy's in the reference, which rounds in another way than Python's.
    Numpy(f64),
    /// A whole number, written without a decimal point.
    Int(i64),
    /// Absent, written as `null`.
    Null,
    /// A list.
    List(Vec<Score>),
    /// A nested entry.
    Map(Scores),
}

/// Named scores in insertion order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores(pub Vec<(String, Score)>);

impl Scores {
    /// No scores.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `name` at the end; a name that is there already keeps its place and takes the new value.
    pub fn insert(&mut self, name: impl Into<String>, score: impl Into<Score>) {
        let (name, score) = (name.into(), score.into());
        match self.0.iter_mut().find(|(found, _)| *found == name) {
            Some((_, old)) => *old = score,
            None => self.0.push((name, score)),
        }
    }

    /// The score called `name`.
    pub fn get(&self, name: &str) -> Option<&Score> {
        self.0.iter().find(|(found, _)| found == name).map(|(_, score)| score)
    }

    /// The number called `name`; a null counts as NaN.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.number()
    }
}

impl Score {
    /// The number that it is; a null counts as NaN.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) | Self::Numpy(number) => Some(*number),
            Self::Int(number) => Some(*number as f64),
            Self::Null => Some(f64::NAN),
            Self::List(_) | Self::Map(_) => None,
        }
    }
}

impl From<f64> for Score {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<Option<f64>> for Score {
    fn from(number: Option<f64>) -> Self {
        number.map_or(Self::Null, Self::Number)
    }
}

impl From<Scores> for Score {
    fn from(scores: Scores) -> Self {
        Self::Map(scores)
    }
}

impl From<Vec<f64>> for Score {
    fn from(numbers: Vec<f64>) -> Self {
        Self::List(numbers.into_iter().map(Self::Number).collect())
    }
}

impl From<Vec<Score>> for Score {
    fn from(scores: Vec<Score>) -> Self {
        Self::List(scores)
    }
}

/// What is wanted of a unit besides its scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// Per-item results: [`Evaluated::items`].
    pub items: bool,
    /// How many documents of each query, best first: [`Evaluated::rankings`].
    pub rankings: Option<usize>,
}

/// The results of a unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluated {
    /// The scores, in the reference's order.
    pub scores: Scores,
    /// Per-item results, where that was asked for and the type of task has it.
    pub items: Option<Items>,
    /// What was found for each query, of tasks that rank, where that was asked for.
    pub rankings: Option<Rankings>,
}

impl From<Scores> for Evaluated {
    fn from(scores: Scores) -> Self {
        Self { scores, ..Self::default() }
    }
}

/// A unit that could not be scored: bad data, a failed model, or options that do not fit.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// The data is not what the task type needs.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The model could not encode, or gave something unusable; the message is the model side's own.
    #[error("{0}")]
    Model(String),
    /// The data is well-formed but cannot be scored, for example fewer than two classes.
    #[error("{0}")]
    Unscorable(String),
}

impl From<OutcomesError> for EvaluateError {
    fn from(error: OutcomesError) -> Self {
        Self::Unscorable(error.to_string())
    }
}
