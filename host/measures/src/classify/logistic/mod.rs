//! Logistic regression as scikit-learn 1.9.1 fits it: L2 penalty, `C` = 1, at most 100 iterations of L-BFGS.
//!
//! On unit-length embeddings scikit-learn stops after 3 to 14 iterations, well before the minimum, and a solver that
//! goes on to the minimum predicts other classes for up to 0.6 % of the rows (protocol 6.2). So step rules and
//! stopping rules are part of the measure.

mod binomial;
mod curvature;
mod lbfgs;
mod line_search;
mod penalty;
mod regression;
mod softmax;
mod vector;

pub use regression::{FitError, LogisticRegression};

#[cfg(test)]
mod tests;
