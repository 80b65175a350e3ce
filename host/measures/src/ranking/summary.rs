//! The named scores of a run, in the reference's order.

use rayon::prelude::*;

use super::{Abstention, Evaluation, PerQuery};
use crate::numeric::{python_round, sequential_mean};

/// Decimals to which the means of trec_eval's measures are rounded; MRR and nAUC are not.
const DECIMALS: usize = 5;

impl Evaluation {
    /// Every score by its name: nDCG, MAP, recall, accuracy, precision, MRR, nAUC of each, hit rate (protocol 7.4).
    ///
    /// An undefined nAUC is NaN. `accuracy` is recall at 1 and absent without that cut.
    pub fn summary(&self) -> Vec<(String, f64)> {
        let mut scores = Vec::new();
        self.push_means(&mut scores, "ndcg", &self.ndcg);
        self.push_means(&mut scores, "map", &self.average_precision);
        self.push_means(&mut scores, "recall", &self.recall);
        if let Some(recall) = self.at(&self.recall, 1) {
            scores.push(("accuracy".to_owned(), rounded_mean(recall)));
        }
        self.push_means(&mut scores, "precision", &self.precision);
        for (cut, values) in self.cuts.iter().zip(&self.reciprocal_rank) {
            scores.push((format!("mrr_at_{cut}"), sequential_mean(values)));
        }
        scores.extend(self.naucs());
        self.push_means(&mut scores, "hit_rate", &self.hit_rate);
        scores
    }

    fn push_means(&self, scores: &mut Vec<(String, f64)>, name: &str, measure: &PerQuery) {
        for (cut, values) in self.cuts.iter().zip(measure) {
            scores.push((format!("{name}_at_{cut}"), rounded_mean(values)));
        }
    }

    fn naucs(&self) -> Vec<(String, f64)> {
        let measures = [
            ("ndcg", &self.ndcg),
            ("map", &self.average_precision),
            ("recall", &self.recall),
            ("precision", &self.precision),
            ("mrr", &self.reciprocal_rank),
        ];
        let confidences = [&self.confidences.max, &self.confidences.std, &self.confidences.diff1];
        let [max, std, diff1] = confidences.map(|confidences| Abstention::new(confidences));
        let columns: Vec<(&str, usize, &Vec<f64>)> = measures
            .into_iter()
            .flat_map(|(name, measure)| {
                self.cuts.iter().zip(measure).map(move |(&cut, values)| (name, cut, values))
            })
            .collect();
        columns
            .par_iter()
            .flat_map_iter(|&(name, cut, values)| {
                let naucs = Abstention::nauc([&max, &std, &diff1], values);
                ["max", "std", "diff1"]
                    .into_iter()
                    .zip(naucs)
                    .map(move |(confidence, nauc)| (format!("nauc_{name}_at_{cut}_{confidence}"), nauc))
            })
            .collect()
    }
}

fn rounded_mean(values: &[f64]) -> f64 {
    python_round(sequential_mean(values), DECIMALS)
}
