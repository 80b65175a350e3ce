//! Folds of a cross-validation, as scikit-learn's `KFold(shuffle=True, random_state=42)` makes them (protocol 6.2).

use crate::random::RandomState;

/// One fold: training rows and evaluation rows, each ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Rows to train on.
    pub train: Vec<usize>,
    /// Rows to evaluate on.
    pub test: Vec<usize>,
}

/// The folds of `rows` rows; the first `rows % folds` of them are one row larger.
pub fn folds(rows: usize, folds: usize) -> Vec<Fold> {
    let order = RandomState::new(42).permutation(rows);
    let mut fold_of = vec![0; rows];
    let mut start = 0;
    for fold in 0..folds {
        let size = rows / folds + usize::from(fold < rows % folds);
        for &row in &order[start..start + size] {
            fold_of[row] = fold;
        }
        start += size;
    }
    (0..folds)
        .map(|fold| {
            let (test, train) = (0..rows).partition(|&row| fold_of[row] == fold);
            Fold { train, test }
        })
        .collect()
}
