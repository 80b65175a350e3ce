//! `mteb-host graded agreement`: how far judges agree, and how much of the ranking of systems hangs on choices that could have been
//! others.

use std::collections::BTreeSet;

use clap::Args;
use mteb_engine::graded::{GradedFolder, JudgeStore, embedders, judge_stores, kept_rerankers, systems};
use mteb_graded::agreement::{
    Agreement, Distribution, Stability, StabilityOptions, Unit, agreement, distribution, stability,
};
use mteb_graded::evaluate::{Board, DEPTH, Grades, Ranks, SystemName, Unjudged};
use mteb_graded::pool::Pool;
use mteb_report::output::rows_grid;
use serde_json::{Value, json};

use super::super::format_args::FormatArgs;
use super::folder_args::{FolderArgs, PoolChoiceArgs, RankingArgs};
use crate::exit::Exit;
use crate::output;
use crate::report::{right, table, text};

/// Arguments of `graded agreement`.
#[derive(Args, Debug)]
pub struct AgreementArgs {
    #[command(flatten)]
    pools: PoolChoiceArgs,
    #[command(flatten)]
    rankings: RankingArgs,
    /// Take this judge alone; may be given several times [default: all that have judged].
    #[arg(long, value_name = "NAME")]
    judge: Vec<String>,
    /// Rank at which systems are compared.
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=DEPTH as i64))]
    at: u32,
    /// Samples of queries, drawn with replacement.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    samples: u32,
    /// Seed of the samples.
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// The systems of a unit and what they found.
type Systems = Vec<(SystemName, Ranks)>;

/// What is said of judges and systems.
struct Report {
    judges: Vec<String>,
    agreement: Agreement,
    /// Of each task and judge.
    distributions: Vec<(String, String, Distribution)>,
    systems: Vec<SystemName>,
    stability: Vec<Stability>,
}

impl AgreementArgs {
    /// Runs the step.
    pub fn run(self) -> Exit {
        match self.report() {
            Ok(report) => {
                let printed =
                    self.format.print(|| as_json(&report), |answer| rows_grid(&[], &answer["stability"]));
                printed.unwrap_or_else(|| print(&report))
            }
            Err(message) => {
                output::error(message);
                Exit::Usage
            }
        }
    }

    fn report(&self) -> Result<Report, String> {
        let folder = self.folder.folder();
        let pools = self.pools.load(&folder)?;
        let (judges, faults) = judge_stores(&folder, &self.judge)?;
        faults.iter().for_each(output::warn);
        let names: Vec<String> = judges.iter().map(|judge| judge.card.name.clone()).collect();
        let mut scores = vec![Vec::new(); judges.len()];
        let (mut distributions, mut units) = (Vec::new(), Vec::new());
        for pool in &pools {
            let board = Board::new(pool);
            let grades: Vec<Grades> =
                judges.iter().map(|judge| Grades::of(&board, &judge.judgements)).collect();
            for ((grades, all), name) in grades.iter().zip(&mut scores).zip(&names) {
                all.extend(grades.values());
                let of_unit = distribution(grades.values());
                distributions.extend(of_unit.map(|found| (unit_name(pool), name.clone(), found)));
            }
            units.push((self.systems(&folder, pool, &board)?, grades));
        }
        let (systems, units) = common(units);
        let options = StabilityOptions {
            own: judges.iter().map(|judge: &JudgeStore| judge.card.threshold).collect(),
            k: self.at as usize,
            unjudged: Unjudged::Zero,
            draws: self.samples as usize,
            seed: self.seed,
        };
        let stability = if systems.len() < 2 { Vec::new() } else { stability(&units, &names, &options) };
        Ok(Report { judges: names, agreement: agreement(&scores), distributions, systems, stability })
    }

    /// The systems of a unit: embedders, and these with the rerankers that have scored their pairs.
    fn systems(&self, folder: &GradedFolder, pool: &Pool, board: &Board) -> Result<Systems, String> {
        let RankingArgs { results, model } = &self.rankings;
        let embedders = embedders(pool, results, model, &[])?;
        let depth = DEPTH.min(pool.provenance.depth);
        let mut found = systems(board, &embedders, &[], depth)?;
        for reranker in kept_rerankers(folder, pool)? {
            for embedder in &embedders {
                // One that lacks pairs of this embedder says nothing of it.
                if let Ok(of_both) =
                    systems(board, std::slice::from_ref(embedder), std::slice::from_ref(&reranker), depth)
                {
                    found.extend(of_both.into_iter().skip(1));
                }
            }
        }
        Ok(found)
    }
}

/// The systems that all units have, in one order.
fn common(units: Vec<(Systems, Vec<Grades>)>) -> (Vec<SystemName>, Vec<Unit>) {
    let names = |systems: &[(SystemName, Ranks)]| -> BTreeSet<SystemName> {
        systems.iter().map(|(name, _)| name.clone()).collect()
    };
    let mut of_all = units.iter().map(|(systems, _)| names(systems));
    let first = of_all.next().unwrap_or_default();
    let shared = of_all.fold(first, |shared, of_unit| shared.intersection(&of_unit).cloned().collect());
    let units = units.into_iter().map(|(mut systems, judges)| {
        systems.retain(|(name, _)| shared.contains(name));
        systems.sort_by(|a, b| a.0.cmp(&b.0));
        Unit { systems: systems.into_iter().map(|(_, ranks)| ranks).collect(), judges }
    });
    let units = units.collect();
    (shared.into_iter().collect(), units)
}

fn unit_name(pool: &Pool) -> String {
    let from = &pool.provenance;
    format!("{}, split {}, subset {}", from.task, from.split, from.subset)
}

fn print(report: &Report) -> Exit {
    let mut parts = vec![distributions(report)];
    if report.judges.len() > 1 {
        parts.push(judges(report));
        parts.push(format!("Krippendorff's alpha (interval): {}", number(report.agreement.alpha)));
    }
    parts.push(match report.stability.as_slice() {
        [] => "Ranking of systems: expected two systems or more".to_owned(),
        stability => systems_table(report.systems.len(), stability),
    });
    output::print_table(&parts.join("\n"))
}

fn distributions(report: &Report) -> String {
    let mut rows = table(["Unit", "Judge", "Scores", "Mean", "Quartiles", "0, 1, … 10"]);
    for (unit, judge, found) in &report.distributions {
        let quartiles: Vec<String> = found.quartiles.iter().map(|value| format!("{value:.1}")).collect();
        let bins: Vec<String> = found.bins.iter().map(usize::to_string).collect();
        rows.add_row([
            unit.as_str().into(),
            judge.as_str().into(),
            right(found.count),
            right(format!("{:.2}", found.mean)),
            right(quartiles.join(" ")),
            right(bins.join(" ")),
        ]);
    }
    text(rows)
}

fn judges(report: &Report) -> String {
    let mut rows = table(["Judge", "Judge", "Pairs of both", "Pearson", "Spearman"]);
    for pair in &report.agreement.pairs {
        let (left, right_) = pair.judges;
        rows.add_row([
            report.judges[left].as_str().into(),
            report.judges[right_].as_str().into(),
            right(pair.common),
            right(number(pair.pearson)),
            right(number(pair.spearman)),
        ]);
    }
    text(rows)
}

fn systems_table(systems: usize, stability: &[Stability]) -> String {
    let title = format!("Kendall's tau to the full ranking of {systems} systems");
    let mut rows = table(["What is varied", &title, "97.5 % of samples reach"]);
    for found in stability {
        let low = found.low.map_or_else(|| "–".to_owned(), number);
        rows.add_row([found.variant.as_str().into(), right(number(found.tau)), right(low)]);
    }
    text(rows)
}

/// Three digits; a dash for what is no number.
fn number(value: f64) -> String {
    if value.is_nan() { "–".to_owned() } else { format!("{value:.3}") }
}

fn as_json(report: &Report) -> Value {
    let name = |judge: usize| report.judges[judge].as_str();
    let pairs: Vec<Value> = report
        .agreement
        .pairs
        .iter()
        .map(|pair| {
            json!({
                "judges": [name(pair.judges.0), name(pair.judges.1)], "common": pair.common, "pearson": pair.pearson,
                "spearman": pair.spearman,
            })
        })
        .collect();
    let distributions: Vec<Value> = report
        .distributions
        .iter()
        .map(|(unit, judge, found)| {
            json!({
                "unit": unit, "judge": judge, "scores": found.count, "mean": found.mean, "quartiles": found.quartiles,
                "bins": found.bins,
            })
        })
        .collect();
    let stability: Vec<Value> = report
        .stability
        .iter()
        .map(|found| json!({"variant": found.variant, "tau": found.tau, "low": found.low}))
        .collect();
    let systems: Vec<String> = report.systems.iter().map(ToString::to_string).collect();
    json!({
        "judges": report.judges, "alpha": report.agreement.alpha, "pairs": pairs, "distributions": distributions,
        "systems": systems, "stability": stability,
    })
}
