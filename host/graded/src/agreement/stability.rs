//! How much of the ranking of systems stays where thresholds, judges or queries are others: Kendall's τ to the full ranking.

use mteb_measures::correlation::kendall;
use mteb_measures::random::Generator;

use crate::evaluate::{Curves, Grades, Ranks, ThresholdRule, Unjudged, curves, ndcg_of_queries, percentile};

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
