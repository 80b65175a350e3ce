//! How far judges agree, and how much of a ranking of systems hangs on choices that could have been others.

use mteb_measures::correlation::{kendall, krippendorff_interval, pearson, spearman};
use mteb_measures::random::Generator;

use crate::evaluate::{Curves, Grades, Ranks, ThresholdRule, Unjudged, curves, ndcg_of_queries, percentile};

/// Agreement of all judges.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Every two judges, by their numbers.
    pub pairs: Vec<PairAgreement>,
    /// Krippendorff's α of all of them on an interval scale; NaN if there is nothing to agree on.
    pub alpha: f64,
}

/// Agreement of two judges.
#[derive(Clone, Debug, PartialEq)]
pub struct PairAgreement {
    /// The judges.
    pub judges: (usize, usize),
    /// Pairs of query and document that both have judged.
    pub common: usize,
    /// Pearson's correlation; NaN if one of them always gives the same score.
    pub pearson: f64,
    /// Spearman's correlation; NaN likewise.
    pub spearman: f64,
}

/// Agreement of judges: one list of scores a judge, of the same pairs in the same order; NaN where a judge gave none.
pub fn agreement(judges: &[Vec<f64>]) -> Agreement {
    let mut pairs = Vec::new();
    for (left, a) in judges.iter().enumerate() {
        for (right, b) in judges.iter().enumerate().skip(left + 1) {
            let both = a.iter().zip(b).filter(|(a, b)| !a.is_nan() && !b.is_nan());
            let (a, b): (Vec<f64>, Vec<f64>) = both.unzip();
            let (pearson, spearman) = (pearson(&a, &b), spearman(&a, &b));
            pairs.push(PairAgreement { judges: (left, right), common: a.len(), pearson, spearman });
        }
    }
    let count = judges.first().map_or(0, Vec::len);
    let unit = |place: usize| -> Vec<f64> {
        judges.iter().map(|scores| scores[place]).filter(|score| !score.is_nan()).collect()
    };
    let units: Vec<Vec<f64>> = (0..count).map(unit).collect();
    Agreement { pairs, alpha: krippendorff_interval(units.iter().map(Vec::as_slice)) }
}

/// The scores of a judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// Number of scores.
    pub count: usize,
    /// Scores from 0 to below 1, from 1 to below 2, …, and at last those that are 10.
    pub bins: [usize; 11],
    /// Their mean.
    pub mean: f64,
    /// The quartiles.
    pub quartiles: [f64; 3],
}

/// The distribution of `scores` from 0 to 10; NaN counts as none.
pub fn distribution(scores: &[f64]) -> Option<Distribution> {
    let scores: Vec<f64> = scores.iter().copied().filter(|score| !score.is_nan()).collect();
    if scores.is_empty() {
        return None;
    }
    let mut bins = [0; 11];
    scores.iter().for_each(|score| bins[(score.max(0.0) as usize).min(10)] += 1);
    let mean = mteb_measures::numeric::mean(&scores);
    let quartiles = [25.0, 50.0, 75.0].map(|share| percentile(&scores, share));
    Some(Distribution { count: scores.len(), bins, mean, quartiles })
}

/// A judge beside the grades of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct GradeAgreement {
    /// Pairs that have both a score and a grade.
    pub common: usize,
    /// Pearson's correlation; NaN if one of them is always the same.
    pub pearson: f64,
    /// Spearman's correlation; NaN likewise.
    pub spearman: f64,
    /// What the judge says of each grade, the lowest first.
    pub grades: Vec<OfGrade>,
}

/// The scores of the pairs of one grade.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfGrade {
    /// The grade.
    pub grade: f64,
    /// Its pairs.
    pub count: usize,
    /// The mean of their scores.
    pub mean: f64,
}

/// Agreement of `scores` with `grades`, of the same pairs in the same order; NaN where there is none.
pub fn with_grades(scores: &[f64], grades: &[f64]) -> GradeAgreement {
    let both = scores.iter().zip(grades).filter(|(score, grade)| !score.is_nan() && !grade.is_nan());
    let (scores, grades): (Vec<f64>, Vec<f64>) = both.unzip();
    let mut levels = grades.clone();
    levels.sort_unstable_by(f64::total_cmp);
    levels.dedup();
    let of_grade = |grade: f64| {
        let of = scores.iter().zip(&grades).filter(|(_, other)| **other == grade).map(|(score, _)| *score);
        let of: Vec<f64> = of.collect();
        OfGrade { grade, count: of.len(), mean: mteb_measures::numeric::mean(&of) }
    };
    GradeAgreement {
        common: scores.len(),
        pearson: pearson(&scores, &grades),
        spearman: spearman(&scores, &grades),
        grades: levels.into_iter().map(of_grade).collect(),
    }
}

/// One dataset: what all systems found, and what all judges said.
#[derive(Clone, Debug)]
pub struct Unit {
    /// One a system.
    pub systems: Vec<Ranks>,
    /// One a judge.
    pub judges: Vec<Grades>,
}

/// What is varied.
#[derive(Clone, Debug)]
pub struct StabilityOptions {
    /// The judges' own thresholds.
    pub own: Vec<f64>,
    /// The rank at which systems are compared.
    pub k: usize,
    /// What unjudged documents count.
    pub unjudged: Unjudged,
    /// Samples of queries.
    pub draws: usize,
    /// Seed of the samples.
    pub seed: u64,
}

/// A ranking beside the full one.
#[derive(Clone, Debug, PartialEq)]
pub struct Stability {
    /// What was varied, as `recall@10, threshold 4`.
    pub variant: String,
    /// Kendall's τ to the full ranking; of samples the mean. NaN if there is no order.
    pub tau: f64,
    /// Of samples, the τ that 97.5 % of them reach.
    pub low: Option<f64>,
}

/// Rankings under thresholds 4 to 9 and percentiles (by recall), without each judge, and of drawn queries (by nDCG).
pub fn stability(units: &[Unit], judges: &[String], options: &StabilityOptions) -> Vec<Stability> {
    let mut found = thresholds(units, options);
    let scores = ndcg(units, judges.len(), options);
    let full = average(&scores, |_| true);
    if judges.len() > 1 {
        for (left_out, name) in judges.iter().enumerate() {
            let rest = average(&scores, |judge| judge != left_out);
            let variant = format!("nDCG@{}, without {name}", options.k);
            found.push(Stability { variant, tau: kendall(&full, &rest), low: None });
        }
    }
    found.extend(bootstrap(&scores, &full, options));
    found
}

fn thresholds(units: &[Unit], options: &StabilityOptions) -> Vec<Stability> {
    let count = options.own.len();
    let scores: Vec<Vec<f64>> = (0..count)
        .map(|judge| {
            let values = units.iter().flat_map(|unit| unit.judges[judge].values());
            values.copied().filter(|value| !value.is_nan()).collect()
        })
        .collect();
    let full = recall(units, &options.own, options);
    let flat = (4..=9).map(|score| (format!("threshold {score}"), ThresholdRule::Flat(f64::from(score))));
    let shares = [50.0, 60.0, 70.0, 80.0, 90.0];
    let percentiles = shares.map(|share| (format!("percentile {share}"), ThresholdRule::Percentile(share)));
    let rules = flat.chain(percentiles);
    rules
        .map(|(name, rule)| {
            let thresholds = match rule {
                ThresholdRule::Percentile(share) => {
                    scores.iter().map(|scores| percentile(scores, share)).collect()
                }
                rule => rule.thresholds(&options.own, &scores),
            };
            let tau = kendall(&full, &recall(units, &thresholds, options));
            Stability { variant: format!("recall@{}, {name}", options.k), tau, low: None }
        })
        .collect()
}

/// Recall of each system: mean over the datasets in which it is defined, then judges; NaN if it is in none.
fn recall(units: &[Unit], thresholds: &[f64], options: &StabilityOptions) -> Vec<f64> {
    let curves: Vec<Vec<Vec<Curves>>> =
        units.iter().map(|unit| curves(&unit.systems, &unit.judges, thresholds, options.unjudged)).collect();
    let systems = curves.first().map_or(0, Vec::len);
    let of_system = |system: usize| {
        let of_judge = |judge: usize| {
            mean(curves.iter().filter_map(|unit: &Vec<Vec<Curves>>| unit[system][judge].recall_at(options.k)))
        };
        mean_of_defined((0..thresholds.len()).map(of_judge))
    };
    (0..systems).map(of_system).collect()
}

/// nDCG by unit, judge, system, query.
type Scores = Vec<Vec<Vec<Vec<f64>>>>;

fn ndcg(units: &[Unit], judges: usize, options: &StabilityOptions) -> Scores {
    let of_judge = |unit: &Unit, judge: usize| {
        ndcg_of_queries(&unit.systems, &unit.judges[judge], options.k.max(1), options.unjudged)
    };
    units.iter().map(|unit| (0..judges).map(|judge| of_judge(unit, judge)).collect()).collect()
}

/// The average of each system over the judges that are wanted.
fn average(scores: &Scores, wanted: impl Fn(usize) -> bool) -> Vec<f64> {
    averages(scores, wanted, |_, values| mean_of_defined(values.iter().copied()))
}

fn averages(
    scores: &Scores,
    wanted: impl Fn(usize) -> bool,
    of_unit: impl Fn(usize, &[f64]) -> f64,
) -> Vec<f64> {
    let systems = scores.first().and_then(|unit| unit.first()).map_or(0, Vec::len);
    let judges = scores.first().map_or(0, Vec::len);
    let of_system = |system: usize| {
        let of_judge = |judge: usize| {
            mean_of_defined(scores.iter().enumerate().map(|(unit, of)| of_unit(unit, &of[judge][system])))
        };
        mean_of_defined((0..judges).filter(|judge| wanted(*judge)).map(of_judge))
    };
    (0..systems).map(of_system).collect()
}

/// Rankings of queries that were drawn with replacement, in each dataset for itself.
fn bootstrap(scores: &Scores, full: &[f64], options: &StabilityOptions) -> Option<Stability> {
    let queries: Vec<usize> =
        scores.iter().map(|unit| unit.first().and_then(|judge| judge.first()).map_or(0, Vec::len)).collect();
    let mut generator = Generator::new(options.seed);
    let mut taus: Vec<f64> = (0..options.draws)
        .map(|_| {
            let drawn: Vec<Vec<usize>> = queries.iter().map(|&count| draw(&mut generator, count)).collect();
            let of_unit =
                |unit: usize, values: &[f64]| mean_of_defined(drawn[unit].iter().map(|&query| values[query]));
            kendall(full, &averages(scores, |_| true, of_unit))
        })
        .filter(|tau| !tau.is_nan())
        .collect();
    taus.sort_unstable_by(f64::total_cmp);
    let low = *taus.get(((taus.len().max(1) - 1) as f64 * 0.025).round() as usize)?;
    let variant = format!("nDCG@{}, {} samples of queries", options.k, options.draws);
    Some(Stability { variant, tau: mean(taus.iter().copied()), low: Some(low) })
}

fn draw(generator: &mut Generator, count: usize) -> Vec<usize> {
    (0..count).map(|_| ((u128::from(generator.next_u64()) * count as u128) >> 64) as usize).collect()
}

/// The mean of what is defined; what is undefined says nothing of any system, for all have the same queries.
fn mean_of_defined(values: impl Iterator<Item = f64>) -> f64 {
    mean(values.filter(|value| !value.is_nan()))
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    sum / count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_that_scores_by_grade_agrees_and_what_is_not_graded_does_not_count() {
        let found = with_grades(&[1.0, 3.0, 6.0, 9.0, 5.0, f64::NAN], &[0.0, 0.0, 1.0, 2.0, f64::NAN, 2.0]);
        assert_eq!(found.common, 4);
        let of = |grade, count, mean| OfGrade { grade, count, mean };
        assert_eq!(found.grades, [of(0.0, 2, 2.0), of(1.0, 1, 6.0), of(2.0, 1, 9.0)]);
        // Known answer: scipy.stats.pearsonr and spearmanr of these four.
        assert!((found.pearson - PEARSON).abs() < 1e-12, "{}", found.pearson);
        assert!((found.spearman - SPEARMAN).abs() < 1e-12, "{}", found.spearman);
    }

    const PEARSON: f64 = 0.969_861_226_038_887_9;
    const SPEARMAN: f64 = 0.948_683_298_050_513_8;
}
