//! Measures every query of a run, in parallel.

use rayon::prelude::*;

use super::per_query::{average_precision, hit_rate, hits_at, precision, recall, reciprocal_rank};
use super::{Confidence, Confidences, Discounts, DocumentIds, Found, Judgements, best_first, ndcg};

/// One query: what was found for it, and what is relevant.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// Found documents, each once, in any order.
    pub found: &'a [Found],
    /// The query's judgements.
    pub judgements: &'a Judgements,
}

/// Values of one measure: `values[cut][query]`.
pub type PerQuery = Vec<Vec<f64>>;

/// The measures of an [`Evaluation`], as scores and columns are called.
pub const MEASURES: [&str; 6] = ["ndcg", "map", "recall", "precision", "mrr", "hit_rate"];

/// Every measure of every query.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The cuts, as asked for.
    pub cuts: Vec<usize>,
    /// Number of queries.
    pub queries: usize,
    /// nDCG.
    pub ndcg: PerQuery,
    /// Average precision.
    pub average_precision: PerQuery,
    /// Recall.
    pub recall: PerQuery,
    /// Precision.
    pub precision: PerQuery,
    /// Hit rate.
    pub hit_rate: PerQuery,
    /// Reciprocal rank.
    pub reciprocal_rank: PerQuery,
    /// Confidence of each query.
    pub confidences: Confidences,
}

/// Measures `queries` at `cuts` (each 1 or more, in any order).
pub fn evaluate<I: DocumentIds + ?Sized>(queries: &[Outcome<'_>], ids: &I, cuts: &[usize]) -> Evaluation {
    let mut ascending = cuts.to_vec();
    ascending.sort_unstable();
    let discounts = Discounts::new(ascending.last().copied().unwrap_or(0));
    let measured: Vec<Measured> =
        queries.par_iter().map(|query| Measured::new(query, ids, &ascending, &discounts)).collect();
    let column = |values: fn(&Measured) -> &[f64]| -> PerQuery {
        let place = |cut: &usize| ascending.partition_point(|other| other < cut);
        cuts.iter()
            .map(place)
            .map(|index| measured.iter().map(|query| values(query)[index]).collect())
            .collect()
    };
    Evaluation {
        cuts: cuts.to_vec(),
        queries: queries.len(),
        ndcg: column(|query| &query.ndcg),
        average_precision: column(|query| &query.average_precision),
        recall: column(|query| &query.recall),
        precision: column(|query| &query.precision),
        hit_rate: column(|query| &query.hit_rate),
        reciprocal_rank: column(|query| &query.reciprocal_rank),
        confidences: measured.iter().map(|query| query.confidence).collect(),
    }
}

impl Evaluation {
    /// The values of `measure` at `cut`, one a query; `None` if `cut` is none of the cuts.
    pub fn at<'a>(&self, measure: &'a PerQuery, cut: usize) -> Option<&'a [f64]> {
        self.cuts.iter().position(|&other| other == cut).map(|index| measure[index].as_slice())
    }

    /// Every measure at every cut by its name, as `ndcg_at_1`: one value a query.
    pub fn columns(&self) -> impl Iterator<Item = (String, &[f64])> {
        let measures: [&PerQuery; 6] = [
            &self.ndcg,
            &self.average_precision,
            &self.recall,
            &self.precision,
            &self.reciprocal_rank,
            &self.hit_rate,
        ];
        MEASURES.into_iter().zip(measures).flat_map(|(name, measure)| {
            let cuts = self.cuts.iter().zip(measure);
            cuts.map(move |(cut, values)| (format!("{name}_at_{cut}"), values.as_slice()))
        })
    }
}

/// The measures of one query, one value for each cut-off.
struct Measured {
    ndcg: Vec<f64>,
    average_precision: Vec<f64>,
    recall: Vec<f64>,
    precision: Vec<f64>,
    hit_rate: Vec<f64>,
    reciprocal_rank: Vec<f64>,
    confidence: Confidence,
}

impl Measured {
    fn new<I: DocumentIds + ?Sized>(
        query: &Outcome<'_>,
        ids: &I,
        cuts: &[usize],
        discounts: &Discounts,
    ) -> Self {
        let depth = cuts.last().copied().unwrap_or(0);
        let (cut, lossless) = cut_to_f32(query.found);
        let judgements = query.judgements;
        let grades = grades(ids, &cut, judgements, depth);
        let is_relevant = judgements.relevance(&grades);
        let relevant = judgements.relevant();
        let hits = hits_at(&is_relevant, cuts);
        let reciprocal_rank = if lossless {
            reciprocal_rank(&is_relevant, cuts)
        } else {
            let unrounded = self::grades(ids, query.found, judgements, depth);
            reciprocal_rank(&judgements.relevance(&unrounded), cuts)
        };
        Self {
            ndcg: ndcg(&grades, &judgements.ideal(), cuts, discounts),
            average_precision: average_precision(&is_relevant, relevant, cuts),
            recall: recall(&hits, relevant),
            precision: precision(&hits, cuts),
            hit_rate: hit_rate(&hits),
            reciprocal_rank,
            confidence: Confidence::new(query.found),
        }
    }
}

/// The grades of the found documents in rank order, down to `depth`.
pub(super) fn grades<I: DocumentIds + ?Sized>(
    ids: &I,
    found: &[Found],
    judgements: &Judgements,
    depth: usize,
) -> Vec<f64> {
    best_first(ids, found, depth).into_iter().map(|document| judgements.grade(document)).collect()
}

/// trec_eval keeps scores as `f32`; true if that loses nothing.
fn cut_to_f32(found: &[Found]) -> (Vec<Found>, bool) {
    let cut: Vec<Found> =
        found.iter().map(|&(document, score)| (document, f64::from(score as f32))).collect();
    let lossless = cut.iter().zip(found).all(|(cut, found)| cut.1 == found.1);
    (cut, lossless)
}
