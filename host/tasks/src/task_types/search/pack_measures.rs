//! Measures that packs provide: they get rankings and grades of queries, and what they answer is checked.

use std::ops::Range;

use mteb_base::counted::count;
use mteb_card::{
    Aggregate, DeclaredMeasure, MEASURE, MeasureAnswer, MeasureDeclaration, MeasureQuestion, MeasuredUnit,
    PackMeasure,
};
use mteb_measures::numeric::sequential_mean;
use mteb_measures::ranking::{ExtraScores, ExtraValue, JudgedRun, Outcome};
use serde_json::json;

use crate::EvaluateError;
use crate::own::{RankedBlocks, offsets, runner};

/// About how many found documents a question has.
const BATCH: usize = 1 << 20;

/// Least value that counts in a geometric mean, as in trec_eval.
const LEAST: f64 = 1e-5;

/// Room for rounding beyond a bound.
const ROUNDING: f64 = 1e-9;

/// A measure that a card names, with what is declared of it.
pub(super) struct PreparedMeasure {
    measure: PackMeasure,
    declared: &'static DeclaredMeasure,
}

impl PreparedMeasure {
    /// The measure, whose code may run.
    ///
    /// # Errors
    /// If nobody declares it, it has other parameters, or the user does not trust it.
    pub fn new(measure: &PackMeasure) -> Result<Self, EvaluateError> {
        let declared = measure.declared().ok_or_else(|| {
            EvaluateError::Unscorable(format!(
                "expected a measure that a plugin provides, found: {measure}; `mteb-host doctor` lists the plugins"
            ))
        })?;
        runner(declared)?.check()?;
        Ok(Self { measure: measure.clone(), declared })
    }

    /// What the run of `unit` (task, split, subset) comes to; `own_depth` is the largest cut of the task itself, which counts whatever
    /// cuts the user asks for beside.
    ///
    /// # Errors
    /// If the measure fails, or does not keep to what it declares.
    pub fn measure(
        &self,
        run: &JudgedRun<'_>,
        unit: [&str; 3],
        own_depth: usize,
    ) -> Result<ExtraScores, EvaluateError> {
        let declaration = &self.declared.declaration;
        let cuts = match declaration.at_cuts {
            true => run.evaluation.cuts.clone(),
            false => vec![own_depth],
        };
        let mut values: Vec<Vec<f64>> = vec![Vec::new(); cuts.len()];
        for range in batches(run.outcomes) {
            let found = self.ask(&run.outcomes[range], run, &cuts, unit)?;
            values.iter_mut().zip(found).for_each(|(all, found)| all.extend(found));
        }
        let name = |cut: usize| match declaration.at_cuts {
            true => format!("{}_at_{cut}", self.measure),
            false => self.measure.to_string(),
        };
        let queries: Vec<(String, Vec<f64>)> = cuts.into_iter().map(name).zip(values).collect();
        let scores = queries.iter().map(|(name, values)| {
            (name.clone(), ExtraValue::Number(aggregate_values(declaration.aggregate, values)))
        });
        Ok(ExtraScores { scores: scores.collect(), queries })
    }

    fn ask(
        &self,
        outcomes: &[Outcome<'_>],
        run: &JudgedRun<'_>,
        cuts: &[usize],
        [task, split, subset]: [&str; 3],
    ) -> Result<Vec<Vec<f64>>, EvaluateError> {
        let depth = cuts.iter().copied().max().unwrap_or(0);
        let ranked = RankedBlocks::new(outcomes, run.ids, depth);
        let blocks = ranked.blocks();
        let name = self.declared.name;
        let question = MeasureQuestion {
            unit: MeasuredUnit {
                task: task.to_owned(),
                split: split.to_owned(),
                subset: subset.to_owned(),
                memory: String::new(),
            },
            measure: name.rsplit('/').next().unwrap_or(name).to_owned(),
            parameters: self.declared.declaration.parameters_with(&self.measure.parameters),
            cuts: cuts.to_vec(),
            threshold: outcomes.first().map_or(1.0, |outcome| outcome.judgements.threshold()),
            ranked: ranked.places(&offsets(&blocks).0),
        };
        let answer = runner(self.declared)?.ask(MEASURE, json!(question), &blocks)?;
        checked_values(&answer, (name, &self.declared.declaration), (cuts.len(), outcomes.len()))
    }
}

/// Ranges of queries that are asked about together.
fn batches(outcomes: &[Outcome<'_>]) -> Vec<Range<usize>> {
    let (mut ranges, mut begin, mut found) = (Vec::new(), 0, 0);
    for (place, outcome) in outcomes.iter().enumerate() {
        found += outcome.found.len() + outcome.judgements.all().len();
        if found >= BATCH || place + 1 == outcomes.len() {
            ranges.push(begin..place + 1);
            (begin, found) = (place + 1, 0);
        }
    }
    ranges
}

/// The values of an answer: for each of the cuts one a query, finite and within the range.
fn checked_values(
    answer: &str,
    (name, declaration): (&str, &MeasureDeclaration),
    (cuts, queries): (usize, usize),
) -> Result<Vec<Vec<f64>>, EvaluateError> {
    let fault = |message: String| EvaluateError::Unscorable(format!("the measure {name}: {message}"));
    let MeasureAnswer { values } = serde_json::from_str(answer)
        .map_err(|error| fault(format!("expected values of queries, found something else: {error}")))?;
    if values.len() != cuts {
        return Err(fault(format!("expected values at {cuts} cuts, found {}", values.len())));
    }
    let (low, high) = (declaration.low, declaration.high);
    values
        .into_iter()
        .map(|of_cut| {
            if of_cut.len() != queries {
                let (values, found) = (count(queries, "value"), of_cut.len());
                return Err(fault(format!("expected {values}, one a query, found {found}")));
            }
            of_cut
                .into_iter()
                .enumerate()
                .map(|(query, value)| match value {
                    Some(value) if (low - ROUNDING..=high + ROUNDING).contains(&value) => Ok(value),
                    value => {
                        let found = value.map_or_else(|| "none".to_owned(), |value| value.to_string());
                        Err(fault(format!(
                            "expected a value from {low} to {high}, found {found} for query {query}"
                        )))
                    }
                })
                .collect()
        })
        .collect()
}

/// The scores of a measure from its columns of queries; none of one that nobody declares.
pub(super) fn aggregate(measure: &PackMeasure, columns: &[(&str, &[f64])]) -> Vec<(String, f64)> {
    let Some(declared) = measure.declared() else { return Vec::new() };
    let own = columns.iter().filter(|(name, _)| measure.gives(name));
    own.map(|(name, values)| ((*name).to_owned(), aggregate_values(declared.declaration.aggregate, values)))
        .collect()
}

/// One number of the values of queries.
fn aggregate_values(how: Aggregate, values: &[f64]) -> f64 {
    match how {
        Aggregate::Mean => sequential_mean(values),
        Aggregate::GeometricMean => {
            let logarithms: Vec<f64> = values.iter().map(|value| value.max(LEAST).ln()).collect();
            sequential_mean(&logarithms).exp()
        }
        Aggregate::Lowest => values.iter().copied().fold(f64::INFINITY, f64::min),
        Aggregate::Highest => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        Aggregate::Median => {
            let mut sorted = values.to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            let middle = sorted.len() / 2;
            match sorted.len() {
                0 => f64::NAN,
                even if even.is_multiple_of(2) => f64::midpoint(sorted[middle - 1], sorted[middle]),
                _ => sorted[middle],
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use mteb_measures::ranking::Judgements;

    use super::*;

    #[test]
    fn values_of_queries_become_one_as_the_measure_declares() {
        let values = [0.5, 0.0, 1.0, 0.25];
        let of = |how| aggregate_values(how, &values);
        assert_eq!((of(Aggregate::Mean), of(Aggregate::Median)), (0.4375, 0.375));
        assert_eq!((of(Aggregate::Lowest), of(Aggregate::Highest)), (0.0, 1.0));
        let expected = (0.5_f64 * 1e-5 * 1.0 * 0.25).powf(0.25);
        assert!((of(Aggregate::GeometricMean) - expected).abs() < 1e-12);
        assert_eq!(aggregate_values(Aggregate::Median, &[0.5, 0.1, 0.2]), 0.2);
    }

    #[test]
    fn an_answer_that_is_not_what_was_asked_is_refused_and_said_why() {
        let declaration = MeasureDeclaration::default();
        let checked = |answer: &str| {
            checked_values(answer, ("p/m", &declaration), (1, 2)).map_err(|error| error.to_string())
        };
        assert_eq!(checked(r#"{"values": [[0.5, 1]]}"#), Ok(vec![vec![0.5, 1.0]]));
        for (answer, why) in [
            (r#"{"values": [[0.5, 1], [0, 0]]}"#, "expected values at 1 cuts, found 2"),
            (r#"{"values": [[0.5]]}"#, "expected 2 values, one a query, found 1"),
            (r#"{"values": [[0.5, null]]}"#, "expected a value from 0 to 1, found none for query 1"),
            (r#"{"values": [[0.5, 1.5]]}"#, "expected a value from 0 to 1, found 1.5 for query 1"),
            (r#"{"value": []}"#, "expected values of queries"),
            ("", "expected values of queries"),
        ] {
            let found = checked(answer).unwrap_err();
            assert!(found.contains(why), "{answer}: {found}");
        }
    }

    #[test]
    fn batches_are_as_large_as_memory_allows_and_leave_no_query_out() {
        let judgements = Judgements::new(vec![(0, 1.0)]);
        let found: Vec<(u32, f64)> = (0..BATCH as u32).map(|document| (document, 0.5)).collect();
        let outcome = |count: usize| Outcome { found: &found[..count], judgements: &judgements };
        assert_eq!(batches(&[outcome(3), outcome(0), outcome(BATCH), outcome(1)]), [0..3, 3..4]);
        let one = batches(&[outcome(BATCH)]);
        assert_eq!((one.first(), one.len()), (Some(&(0..1)), 1));
        assert!(batches(&[]).is_empty());
    }
}
