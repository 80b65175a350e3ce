//! Classification: few-shot sampling, logistic regression and the scores of predictions.

mod folds;
mod logistic;
pub mod multilabel;
mod scores;
mod undersample;

pub use folds::{Fold, folds};
pub use logistic::{FitError, LogisticRegression};
pub use scores::{ClassificationScores, classification_scores};
pub use undersample::undersample;
