//! Which rows a classifier learns from: a few of each label, or the folds of a cross-validation
//! (protocol 6.2).

use crate::random::RandomState;

/// The next few-shot sample: at most `samples_per_label` rows of each label, in drawn order.
///
/// `labels[row]` is the row's label as a number below the count of labels. `order` holds the rows in the order that
/// the last sample left behind (0, 1, 2 … before the first); it is shuffled in place by a *fresh* generator, as in the
/// reference, where the number of the experiment plays no part.
pub fn undersample(order: &mut [usize], labels: &[usize], samples_per_label: usize) -> Vec<usize> {
    RandomState::new(42).shuffle(order);
    let mut taken = vec![0; labels.iter().max().map_or(0, |label| label + 1)];
    order
        .iter()
        .copied()
        .filter(|&row| {
            let count = &mut taken[labels[row]];
            *count += 1;
            *count <= samples_per_label
        })
        .collect()
}

// Folds of a cross-validation, as scikit-learn's `KFold(shuffle=True, random_state=42)` makes them
// (protocol 6.2).

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

#[cfg(test)]
mod tests {
    use super::undersample;

    #[test]
    fn samples_follow_the_reference_order() {
        // The order of protocol, appendix A, with labels row % 2.
        let labels: Vec<usize> = (0..20).map(|row| row % 2).collect();
        let mut order: Vec<usize> = (0..20).collect();
        assert_eq!(undersample(&mut order, &labels, 2), [0, 17, 15, 8]);
        assert_eq!(undersample(&mut order, &labels, 2), [0, 10, 17, 5]);
    }
}
