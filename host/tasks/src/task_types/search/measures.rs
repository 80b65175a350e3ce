//! The scores of a run: the usual measures, those that single tasks add, and p-MRR.

use mteb_card::ExtraMeasure;
use mteb_measures::numeric::{mean, sequential_mean};
use mteb_measures::ranking::{
    Evaluation, Found, Outcome, PerQuery, RankingError, Topic, best_first, capped_recall, evaluate,
    exponential_ndcg, first_subqueries, judged_share, level_scores, max_over_subqueries, mean_capped_recall,
    p_mrr_of_topics, paired_accuracy, robustness,
};
use rayon::prelude::*;

use super::documents::FoundIds;
use super::items::{P_MRR, columns};
use super::plan::SearchPlan;
use super::results::Results;
use crate::{EvaluateError, Score, Scores, Session};

/// What was measured of a unit.
pub(super) struct Measured {
    /// All scores, in the reference's order.
    pub scores: Scores,
    /// The usual measures of each query.
    pub evaluation: Evaluation,
    /// Further measures of each query by name; NaN where there is none.
    pub more: Columns,
}

/// Named values, one a query; NaN where there is none.
type Columns = Vec<(String, Vec<f64>)>;

/// All scores of what was `found`, and the measures of each query.
pub(super) fn measure(
    plan: &SearchPlan,
    results: &Results<'_>,
    session: &mut dyn Session,
) -> Result<Measured, EvaluateError> {
    let run = Run::new(plan, results);
    let evaluation = evaluate(&run.outcomes, run.ids, &plan.cuts);
    warn_of_ties(&evaluation, &results.found, session);
    let mut scores = Scores(named(&evaluation, "").collect());
    let mut more = Columns::new();
    for &measure in &plan.extra_measures {
        scores.0.extend(run.extra(measure, &evaluation, &mut more)?);
    }
    if plan.extra {
        scores.0.extend(run.exponential_ndcg(&mut more));
    }
    if let Some(changed) = &plan.changed {
        scores.0.extend(run.changed_instructions(changed, &mut more)?);
    }
    Ok(Measured { scores, evaluation, more })
}

/// Queries with their ids and outcomes.
struct Run<'a> {
    plan: &'a SearchPlan,
    ids: &'a FoundIds<'a>,
    query_ids: Vec<&'a str>,
    outcomes: Vec<Outcome<'a>>,
}

impl<'a> Run<'a> {
    fn new(plan: &'a SearchPlan, results: &'a Results<'a>) -> Self {
        let outcomes = results.found.iter().zip(&plan.judgements);
        Self {
            plan,
            ids: &results.ids,
            query_ids: plan.query_ids.iter().map(String::as_str).collect(),
            outcomes: outcomes.map(|(found, judgements)| Outcome { found, judgements }).collect(),
        }
    }

    fn extra(
        &self,
        measure: ExtraMeasure,
        evaluation: &Evaluation,
        more: &mut Columns,
    ) -> Result<Vec<(String, Score)>, EvaluateError> {
        let one = |name: &str, score: Score| vec![(name.to_owned(), score)];
        Ok(match measure {
            ExtraMeasure::MaxOverSubqueries => {
                let merged = max_over_subqueries(&self.query_ids, &self.outcomes, self.ids, &self.plan.cuts);
                // What a query came to stands in the row of its first subquery.
                let rows = first_subqueries(&self.query_ids);
                more.extend(columns(&merged).map(|(name, values)| {
                    (format!("max_over_subqueries_{name}"), self.at_rows(&rows, values))
                }));
                named(&merged, "max_over_subqueries_").collect()
            }
            ExtraMeasure::PairedAccuracy => {
                let recall = values_at(evaluation, &evaluation.recall, 1)?;
                one("paired_accuracy", paired_accuracy(&self.query_ids, recall).map_err(unscorable)?.into())
            }
            ExtraMeasure::Robustness => {
                let ndcg = values_at(evaluation, &evaluation.ndcg, 10)?;
                one("robustness_at_10", robustness(&self.query_ids, ndcg).into())
            }
            ExtraMeasure::LevelScores => {
                let ndcg = values_at(evaluation, &evaluation.ndcg, 20)?;
                let levels = level_scores(&self.query_ids, ndcg).map_err(unscorable)?;
                let levels = (1..).zip(levels).map(|(level, score)| (format!("level_{level}"), score.into()));
                one("level_scores", Scores(levels.collect()).into())
            }
            ExtraMeasure::CappedRecall => self.capped_recall(more),
            ExtraMeasure::Judged => self.judged(more),
        })
    }

    /// nDCG with exponential gain (protocol 7.6).
    fn exponential_ndcg(&self, more: &mut Columns) -> Vec<(String, Score)> {
        self.means("ndcg_exp", exponential_ndcg(&self.outcomes, self.ids, &self.plan.cuts), more)
    }

    fn judged(&self, more: &mut Columns) -> Vec<(String, Score)> {
        self.means("judged", judged_share(&self.outcomes, self.ids, &self.plan.cuts), more)
    }

    /// The means over queries of a measure that has `values` at each cut.
    fn means(&self, measure: &str, values: PerQuery, more: &mut Columns) -> Vec<(String, Score)> {
        let named = self.plan.cuts.iter().zip(values);
        let named: Columns = named.map(|(cut, values)| (format!("{measure}_at_{cut}"), values)).collect();
        let scores = named.iter().map(|(name, values)| (name.clone(), sequential_mean(values).into()));
        let scores = scores.collect();
        more.extend(named);
        scores
    }

    /// A column with `values` at `rows`, and nothing at all others.
    fn at_rows(&self, rows: &[usize], values: &[f64]) -> Vec<f64> {
        let mut column = vec![f64::NAN; self.query_ids.len()];
        for (&row, &value) in rows.iter().zip(values) {
            column[row] = value;
        }
        column
    }

    fn capped_recall(&self, more: &mut Columns) -> Vec<(String, Score)> {
        let (plan, mut cuts) = (self.plan, self.plan.cuts.clone());
        cuts.sort_unstable();
        let values: Vec<Vec<Option<f64>>> = self
            .outcomes
            .par_iter()
            .map(|query| {
                let ranked = best_first(self.ids, query.found, plan.depth()).into_iter();
                let grades: Vec<f64> = ranked.map(|document| query.judgements.grade(document)).collect();
                let judgements = query.judgements;
                capped_recall(&judgements.relevance(&grades), judgements.relevant(), &cuts)
            })
            .collect();
        plan.cuts
            .iter()
            .map(|&cut| {
                let place = cuts.partition_point(|&other| other < cut);
                let name = format!("R_cap_at_{cut}");
                let column = values.iter().map(|query| query[place].unwrap_or(f64::NAN)).collect();
                more.push((name.clone(), column));
                let mean = mean_capped_recall(values.iter().map(|query| query[place]));
                (name, mean.into())
            })
            .collect()
    }

    /// p-MRR and the measures of each half (protocol 7.5).
    fn changed_instructions(
        &self,
        changed: &[(String, Vec<u32>)],
        more: &mut Columns,
    ) -> Result<Vec<(String, Score)>, EvaluateError> {
        let found = |id: String| {
            let place = self.query_ids.iter().position(|&query| query == id)?;
            Some(self.outcomes[place].found)
        };
        let topics: Vec<Topic<'_>> = changed
            .iter()
            .filter_map(|(id, documents)| {
                let (original, changed) = (found(format!("{id}-og"))?, found(format!("{id}-changed"))?);
                Some(Topic { id, original, changed, documents })
            })
            .collect();
        let topics = p_mrr_of_topics(&topics, self.ids).map_err(unscorable)?;
        let (rows, values): (Vec<usize>, Vec<f64>) = topics
            .iter()
            .filter_map(|(id, value)| {
                // What a topic came to stands in the row of its changed query.
                let changed = format!("{id}-changed");
                Some((self.query_ids.iter().position(|query| *query == changed)?, *value))
            })
            .unzip();
        more.push((P_MRR.to_owned(), self.at_rows(&rows, &values)));
        Ok(vec![
            (P_MRR.to_owned(), mean(&values).into()),
            ("og".to_owned(), self.half("-og", true)?.into()),
            ("changed".to_owned(), self.half("-og", false)?.into()),
        ])
    }

    /// The measures of the queries whose id ends in `suffix`, or of all others.
    fn half(&self, suffix: &str, with: bool) -> Result<Scores, EvaluateError> {
        let queries = self.query_ids.iter().zip(&self.outcomes);
        let outcomes: Vec<Outcome<'_>> =
            queries.filter(|(id, _)| id.ends_with(suffix) == with).map(|(_, &outcome)| outcome).collect();
        if outcomes.is_empty() {
            let expected = if with { "a query" } else { "a query besides those" };
            let message = format!("expected {expected} whose id ends in `{suffix}`, found none");
            return Err(EvaluateError::Unscorable(message));
        }
        Ok(Scores(named(&evaluate(&outcomes, self.ids, &self.plan.cuts), "").collect()))
    }
}

/// The usual measures by name; an undefined one is null.
pub(super) fn named(evaluation: &Evaluation, prefix: &str) -> impl Iterator<Item = (String, Score)> {
    evaluation.summary().into_iter().map(move |(name, value)| {
        let score = if value.is_nan() { Score::Null } else { Score::Number(value) };
        (format!("{prefix}{name}"), score)
    })
}

fn values_at<'a>(
    evaluation: &Evaluation,
    measure: &'a [Vec<f64>],
    cut: usize,
) -> Result<&'a [f64], EvaluateError> {
    let place = evaluation.cuts.iter().position(|&other| other == cut);
    place.map(|place| measure[place].as_slice()).ok_or_else(|| {
        let message = format!("option `k_values`: expected {cut} among them, which an extra measure needs");
        EvaluateError::Unscorable(message)
    })
}

pub(super) fn unscorable(error: RankingError) -> EvaluateError {
    EvaluateError::Unscorable(error.to_string())
}

/// Where every score of a query ties, ids alone decide its ranking.
fn warn_of_ties(evaluation: &Evaluation, found: &[Vec<Found>], session: &mut dyn Session) {
    let spreads = found.iter().zip(&evaluation.confidences.std);
    let tied = spreads.filter(|(found, spread)| found.len() > 1 && **spread == 0.0).count();
    if tied > 0 {
        session.warn(&format!(
            "all documents of {tied} of {} queries have the same score: their ids alone decide the ranking",
            found.len()
        ));
    }
}
