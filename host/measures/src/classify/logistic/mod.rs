//! Logistic regression as scikit-learn 1.9.1 fits it: L2 penalty, `C` = 1, at most 100 iterations of L-BFGS.
//!
//! On unit-length embeddings scikit-learn stops after 3 to 14 iterations, well before the minimum, and a solver that
//! goes on to the minimum predicts other classes for up to 0.6 % of the rows (protocol 6.2). So step rules and
//! stopping rules are part of the measure.
//!
//! # Why not linfa-logistic
//!
//! linfa-logistic 0.8.1 minimises the same function with L-BFGS too, but with argmin's line search and stopping rule, and
//! goes on to the minimum. On unit-length embeddings of clustered classes, with `alpha` = 1 and 100 iterations, it gave
//! scikit-learn's predictions for 2 and 3 classes (1000 rows each), and others for 3 of 1000 rows of 20 classes and 13
//! of 2000 rows of 77 classes; the limit is 1 in 10,000.

mod curvature;
mod lbfgs;
mod line_search;
mod objectives;
mod regression;

pub use regression::{FitError, LogisticRegression};

#[cfg(test)]
mod tests;
