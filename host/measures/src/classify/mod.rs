//! Classification: few-shot sampling, logistic regression and the scores of predictions.

mod logistic;
pub mod multilabel;
mod sampling;
mod scores;

pub use logistic::{FitError, LogisticRegression};
pub use sampling::{Fold, folds, undersample};
pub use scores::{ClassificationScores, classification_scores};
