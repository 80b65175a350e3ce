//! Accuracy, and precision, recall and F1 averaged over labels, as scikit-learn computes them (protocol 6.2).

/// The scores of one set of predictions; undefined ratios count as 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassificationScores {
    /// Share of right predictions.
    pub accuracy: f64,
    /// F1, plain mean over labels.
    pub f1: f64,
    /// F1, mean over labels weighted by their true support.
    pub f1_weighted: f64,
    /// Precision, plain mean over labels.
    pub precision: f64,
    /// Precision, weighted mean.
    pub precision_weighted: f64,
    /// Recall, plain mean over labels.
    pub recall: f64,
    /// Recall, weighted mean.
    pub recall_weighted: f64,
}

/// Scores of `predicted` against `truth`, both as label numbers; the labels are those that occur in either.
pub fn classification_scores(truth: &[usize], predicted: &[usize]) -> ClassificationScores {
    let count = truth.iter().chain(predicted).max().map_or(0, |label| label + 1);
    let (mut hits, mut support, mut guesses) = (vec![0_u32; count], vec![0_u32; count], vec![0_u32; count]);
    for (&truth, &predicted) in truth.iter().zip(predicted) {
        support[truth] += 1;
        guesses[predicted] += 1;
        hits[truth] += u32::from(truth == predicted);
    }
    let mut means = Means::default();
    for label in (0..count).filter(|&label| support[label] + guesses[label] > 0) {
        let hits = f64::from(hits[label]);
        let (support, guesses) = (f64::from(support[label]), f64::from(guesses[label]));
        let ratios = [ratio(hits, guesses), ratio(hits, support), ratio(2.0 * hits, support + guesses)];
        means.add(ratios, support);
    }
    let right = truth.iter().zip(predicted).filter(|(truth, predicted)| truth == predicted).count();
    let [precision, recall, f1] = means.plain();
    let [precision_weighted, recall_weighted, f1_weighted] = means.weighted();
    ClassificationScores {
        accuracy: ratio(right as f64, truth.len() as f64),
        f1,
        f1_weighted,
        precision,
        precision_weighted,
        recall,
        recall_weighted,
    }
}

#[derive(Default)]
struct Means {
    labels: f64,
    support: f64,
    plain: [f64; 3],
    weighted: [f64; 3],
}

impl Means {
    fn add(&mut self, ratios: [f64; 3], support: f64) {
        self.labels += 1.0;
        self.support += support;
        for (kind, value) in ratios.into_iter().enumerate() {
            self.plain[kind] += value;
            self.weighted[kind] += value * support;
        }
    }

    fn plain(&self) -> [f64; 3] {
        self.plain.map(|sum| ratio(sum, self.labels))
    }

    fn weighted(&self) -> [f64; 3] {
        self.weighted.map(|sum| ratio(sum, self.support))
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

#[cfg(test)]
mod tests {
    use super::classification_scores;

    #[test]
    fn a_label_that_is_only_predicted_counts_in_the_plain_mean_alone() {
        // sklearn: y_true = [0, 0, 1], y_pred = [0, 2, 1]
        let scores = classification_scores(&[0, 0, 1], &[0, 2, 1]);
        assert_eq!(scores.accuracy, 2.0 / 3.0);
        assert_eq!(scores.precision, 2.0 / 3.0);
        assert_eq!(scores.precision_weighted, 1.0);
        assert_eq!(scores.recall, 0.5);
        assert!((scores.f1 - 5.0 / 9.0).abs() < 1e-15);
    }
}
