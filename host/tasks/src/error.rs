//! Why a unit could not be scored.

use mteb_data::DataError;
use mteb_outcomes::OutcomesError;

/// A unit that could not be scored: bad data, a failed model, or options that do not fit.
#[derive(Debug, thiserror::Error)]
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
