//! The scores of a run: the usual measures, those that single tasks add, and p-MRR; the table of
//! per-query results, and the scores that follow from it.

use mteb_base::counted::count;
use mteb_card::CardMeasure;
use mteb_measures::numeric::mean;
use mteb_measures::ranking::{
    self, Confidence, Confidences, Evaluation, ExtraMeasure, ExtraValue, Found, MEASURES, ON_REQUEST,
    Outcome, PerQuery, QueryColumns, RankingError, Topic, evaluate, extra_measure, p_mrr_of_topics,
};

use super::pack_measures;
use super::plan::{PlannedMeasure, SearchPlan};
use super::results::{FoundIds, Results};
use crate::{EvaluateError, ItemColumn, Items, Protocol, Score, Scores, Session};

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
    let mut evaluation = evaluate(&run.outcomes, run.ids, &plan.cuts);
    if !plan.behind.is_empty() {
        let sure = |(place, found): (usize, &Vec<Found>)| Confidence::new(&plan.behind.before(place, found));
        evaluation.confidences = results.found.iter().enumerate().map(sure).collect();
    }
    warn_of_ties(&evaluation, &results.found, session);
    let mut scores = Scores(named(&evaluation).collect());
    let mut more = Columns::new();
    for extra in run.extra(&evaluation)? {
        scores.0.extend(extra.scores.into_iter().map(|(name, value)| {
            let score = score(&name, value);
            (name, score)
        }));
        more.extend(extra.queries);
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

    /// What the measures come to that single tasks add, then those that the user asks for.
    fn extra(&self, evaluation: &Evaluation) -> Result<Vec<ranking::ExtraScores>, EvaluateError> {
        let run = ranking::JudgedRun {
            query_ids: &self.query_ids,
            outcomes: &self.outcomes,
            ids: self.ids,
            evaluation,
        };
        let unit = self.plan.names.each_ref().map(String::as_str);
        let of_host = |extra: &dyn ranking::ExtraMeasure| extra.measure(&run).map_err(unscorable);
        let of_card = self.plan.extra_measures.iter().filter_map(|measure| match measure {
            PlannedMeasure::Host(measure) => extra_measure(measure.as_str()).map(of_host),
            PlannedMeasure::Pack(measure) => Some(measure.measure(&run, unit, self.plan.own_depth)),
        });
        let on_request = ON_REQUEST.into_iter().filter(|_| self.plan.extra);
        of_card.chain(on_request.map(of_host)).collect()
    }

    /// A column with `values` at `rows`, and nothing at all others.
    fn at_rows(&self, rows: &[usize], values: &[f64]) -> Vec<f64> {
        let mut column = vec![f64::NAN; self.query_ids.len()];
        for (&row, &value) in rows.iter().zip(values) {
            column[row] = value;
        }
        column
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
                // The result of a topic stands in the row of its changed query.
                let changed = format!("{id}-changed");
                Some((self.query_ids.iter().position(|query| *query == changed)?, *value))
            })
            .unzip();
        more.push((P_MRR.to_owned(), self.at_rows(&rows, &values)));
        Ok(vec![
            (P_MRR.to_owned(), Score::Numpy(mean(&values))),
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
        Ok(Scores(named(&evaluate(&outcomes, self.ids, &self.plan.cuts)).collect()))
    }
}

/// The usual measures by name; an undefined one is null.
pub(super) fn named(evaluation: &Evaluation) -> impl Iterator<Item = (String, Score)> {
    evaluation.summary().into_iter().map(|(name, value)| (name.clone(), of_number(&name, value)))
}

/// A measure as a score: nAUC is a number of numpy's, the others are Python's.
fn of_number(name: &str, value: f64) -> Score {
    match value {
        undefined if undefined.is_nan() => Score::Null,
        area if name.contains("nauc_") => Score::Numpy(area),
        number => Score::Number(number),
    }
}

/// A value of an extra measure as a score.
fn score(name: &str, value: ExtraValue) -> Score {
    match value {
        ExtraValue::Number(number) => of_number(name, number),
        ExtraValue::Undefined => Score::Null,
        ExtraValue::Numbers(numbers) => {
            Scores(numbers.into_iter().map(|(name, number)| (name, number.into())).collect()).into()
        }
    }
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
            "all documents of {tied} of {} have the same score: only their ids decide the ranking",
            count(found.len(), "query")
        ));
    }
}

/// Columns of the signals that nAUC judges.
pub(super) const CONFIDENCES: [&str; 3] = ["confidence_max", "confidence_std", "confidence_diff1"];

/// Column and score of p-MRR.
pub(super) const P_MRR: &str = "p-MRR";

/// A row a query: `query`, then `ndcg_at_1`, … in the order of the scores, the signals of confidence, and `more`.
pub(super) fn items(query_ids: &[String], evaluation: &Evaluation, more: Vec<(String, Vec<f64>)>) -> Items {
    let mut items = Items::default();
    items.push("query", ItemColumn::Text(query_ids.iter().collect()));
    for (name, values) in evaluation.columns() {
        items.push(name, ItemColumn::Float(values.to_vec()));
    }
    let signals = &evaluation.confidences;
    for (name, values) in CONFIDENCES.into_iter().zip([&signals.max, &signals.std, &signals.diff1]) {
        items.push(name, ItemColumn::Float(values.clone()));
    }
    for (name, values) in more {
        items.push(name, ItemColumn::Float(values));
    }
    items
}

/// The usual measures and nAUC, and what single tasks and the user add, as far as it is one number.
///
/// # Errors
/// If a column is absent.
pub(super) fn aggregate(items: &Items, options: &Protocol) -> Result<Scores, EvaluateError> {
    let query_ids: Vec<&str> = items.texts("query")?.iter().collect();
    let mut scores = Scores(named(&evaluation(items)?).collect());
    let columns: Vec<(&str, &[f64])> = items.columns.iter().filter_map(numbers).collect();
    let queries = QueryColumns { ids: &query_ids, columns: &columns };
    let of_host = |measure: &dyn ExtraMeasure| measure.aggregate(&queries).map_err(unscorable);
    for measure in &options.extra_measures {
        let found = match measure {
            CardMeasure::Host(measure) => extra_measure(measure.as_str()).map_or(Ok(Vec::new()), of_host)?,
            CardMeasure::Pack(measure) => pack_measures::aggregate(measure, &columns),
        };
        found.into_iter().for_each(|(name, score)| scores.insert(name, score));
    }
    for measure in ON_REQUEST {
        of_host(measure)?.into_iter().for_each(|(name, score)| scores.insert(name, score));
    }
    if items.get(P_MRR).is_some() {
        scores.insert(P_MRR, mean(&drop_undefined(items.floats(P_MRR)?)));
    }
    Ok(scores)
}

/// The measures of each query as they were before they were written down.
fn evaluation(items: &Items) -> Result<Evaluation, EvaluateError> {
    let cut = |name: &str| name.strip_prefix("ndcg_at_")?.parse::<usize>().ok();
    let cuts: Vec<usize> = items.columns.iter().filter_map(|(name, _)| cut(name)).collect();
    let measure = |name: &str| -> Result<PerQuery, EvaluateError> {
        cuts.iter().map(|cut| Ok(items.floats(&format!("{name}_at_{cut}"))?.to_vec())).collect()
    };
    let [ndcg, average_precision, recall, precision, reciprocal_rank, hit_rate] = MEASURES.map(measure);
    let [max, std, diff1] = CONFIDENCES.map(|name| items.floats(name).map(<[f64]>::to_vec));
    Ok(Evaluation {
        queries: items.rows(),
        ndcg: ndcg?,
        average_precision: average_precision?,
        recall: recall?,
        precision: precision?,
        hit_rate: hit_rate?,
        reciprocal_rank: reciprocal_rank?,
        confidences: Confidences { max: max?, std: std?, diff1: diff1? },
        cuts: cuts.clone(),
    })
}

/// The name and the cells of a column of numbers.
fn numbers((name, cells): &(String, ItemColumn)) -> Option<(&str, &[f64])> {
    match cells {
        ItemColumn::Float(cells) => Some((name, cells)),
        _ => None,
    }
}

fn drop_undefined(values: &[f64]) -> Vec<f64> {
    values.iter().copied().filter(|value| !value.is_nan()).collect()
}

#[cfg(test)]
mod tests {
    use mteb_card::ExtraMeasure;

    use super::*;

    #[test]
    fn every_measure_that_a_card_can_name_is_there() {
        assert!(ExtraMeasure::ALL.iter().all(|measure| extra_measure(measure.as_str()).is_some()));
    }
}
