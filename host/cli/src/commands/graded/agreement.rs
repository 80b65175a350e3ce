//! `mteb-host graded agreement`: how far judges agree, and how much of the ranking of systems hangs on choices that could have been
//! others.

use std::collections::BTreeSet;
use std::error::Error;

use clap::Args;
use mteb_graded::agreement::{
    Agreement, Distribution, GradeAgreement, Stability, StabilityOptions, Unit, agreement, distribution,
    stability, with_grades,
};
use mteb_graded::evaluate::{Board, DEPTH, Grades, Ranks, SystemName, Unjudged};
use mteb_graded::pool::Pool;
use mteb_graded::store::Judgement;
use mteb_graded_run::{
    GradedFolder, JudgeStore, PoolingError, embedders, judge_stores, kept_rerankers, systems, unit_of,
    unjudged,
};
use mteb_report::grid::{Grid, Value as GridValue};
use mteb_source::DataSources;
use mteb_workers::settings::Settings;
use serde_json::{Value, json};

use super::inputs::{FolderArgs, PoolChoiceArgs, RankingArgs, tasks_called};
use crate::commands::arguments::{Format, FormatArgs, PlaceArgs, parse_whole, print_grid};
use crate::commands::discover::discover;
use crate::exit::Exit;
use crate::output;
use crate::view::{cell, right, table, text};

/// Arguments of `graded agreement`.
#[derive(Args, Debug)]
pub struct AgreementArgs {
    #[command(flatten)]
    pools: PoolChoiceArgs,
    #[command(flatten)]
    rankings: RankingArgs,
    /// Only this judge; may be repeated [default: all judges with scores].
    #[arg(long, value_name = "NAME")]
    judge: Vec<String>,
    /// Cut-off at which systems are compared.
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = parse_whole::<u32>(1, Some(DEPTH as u64)))]
    at: u32,
    /// Number of bootstrap samples of the queries.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = parse_whole::<u32>(1, Some(100_000)))]
    samples: u32,
    /// Random seed of the samples.
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// Also compare each judge with the tasks' own graded qrels.
    #[arg(long)]
    own_grades: bool,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// The systems of a unit and what they found.
type Systems = Vec<(SystemName, Ranks)>;

impl AgreementArgs {
    /// Runs the step.
    pub fn run(self) -> Exit {
        match self.report() {
            Ok(report) => match self.format.or(Format::Table) {
                Format::Table => print(&report),
                Format::Json => output::print_json(&as_json(&report)),
                format => print_grid(&grid(&report), format),
            },
            Err(message) => output::usage(message),
        }
    }

    fn report(&self) -> Result<Report, Box<dyn Error>> {
        let folder = self.folder.folder();
        let pools = self.pools.load(&folder)?;
        let (judges, faults) = judge_stores(&folder, &self.judge)?;
        faults.iter().for_each(output::warn);
        let names: Vec<String> = judges.iter().map(|judge| judge.card.name.clone()).collect();
        let mut scores = vec![Vec::new(); judges.len()];
        let (mut distributions, mut units) = (Vec::new(), Vec::new());
        for pool in &pools {
            let board = Board::new(pool);
            unjudged(pool, &judges).iter().for_each(output::warn);
            let grades: Vec<Grades> =
                judges.iter().map(|judge| Grades::of(&board, &judge.judgements)).collect();
            for ((grades, all), name) in grades.iter().zip(&mut scores).zip(&names) {
                all.extend(grades.values());
                let of_unit = distribution(grades.values());
                distributions.extend(of_unit.map(|found| (unit_of(pool).to_string(), name.clone(), found)));
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
        let grades = if self.own_grades {
            compare_with_own(&pools, &judges, &self.place.settings())?
        } else {
            Vec::new()
        };
        let stability = if systems.len() < 2 { Vec::new() } else { stability(&units, &names, &options) };
        Ok(Report { judges: names, agreement: agreement(&scores), distributions, systems, stability, grades })
    }

    /// The systems of a unit: embedders, and these with the rerankers that have scored their pairs.
    fn systems(&self, folder: &GradedFolder, pool: &Pool, board: &Board) -> Result<Systems, Box<dyn Error>> {
        let RankingArgs { results, model } = &self.rankings;
        if !results.iter().any(|folder| folder.is_dir()) {
            return Ok(Vec::new());
        }
        let embedders = embedders(pool, results, model, &[])?;
        let depth = DEPTH.min(pool.provenance.depth);
        let mut found = systems(board, &embedders, &[], depth)?;
        let (rerankers, faults) = kept_rerankers(folder, pool)?;
        faults.iter().for_each(output::warn);
        for reranker in rerankers {
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

/// Unit, judge, and how far they agree, for every pool and judge.
fn compare_with_own(
    pools: &[Pool],
    judges: &[JudgeStore],
    settings: &Settings,
) -> Result<Vec<(String, String, GradeAgreement)>, PoolingError> {
    let catalog = discover(settings);
    let mut sources = DataSources::new(settings.clone(), &catalog);
    let mut found = Vec::new();
    for pool in pools {
        let tasks = tasks_called(&catalog, unit_of(pool).task);
        let own = mteb_graded_run::own_grades(pool, &tasks, &mut sources)?;
        for judge in judges {
            let known = &judge.judgements.judgements;
            let score = |pair| known.get(&pair).and_then(Judgement::score).unwrap_or(f64::NAN);
            let scores: Vec<f64> = pool.pairs.iter().map(|pair| score(pair.pair)).collect();
            found.push((unit_of(pool).to_string(), judge.card.name.clone(), with_grades(&scores, &own)));
        }
    }
    Ok(found)
}

/// Prints the tables.
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
    if !report.grades.is_empty() {
        parts.push(grades(report));
    }
    output::print_table(&parts.join("\n"))
}

fn distributions(report: &Report) -> String {
    let mut rows = table(["Unit", "Judge", "Scores", "Mean", "Quartiles", "0, 1, … 10"]);
    for (unit, judge, found) in &report.distributions {
        let quartiles: Vec<String> = found.quartiles.iter().map(|value| format!("{value:.1}")).collect();
        let bins: Vec<String> = found.bins.iter().map(usize::to_string).collect();
        rows.add_row([
            cell(unit),
            cell(judge),
            right(found.count),
            right(format!("{:.2}", found.mean)),
            right(quartiles.join(" ")),
            right(bins.join(" ")),
        ]);
    }
    text(rows)
}

fn judges(report: &Report) -> String {
    let mut rows = table(["Judge", "Judge", "Shared pairs", "Pearson", "Spearman"]);
    for pair in &report.agreement.pairs {
        let (left, right_) = pair.judges;
        rows.add_row([
            cell(&report.judges[left]),
            cell(&report.judges[right_]),
            right(pair.common),
            right(number(pair.pearson)),
            right(number(pair.spearman)),
        ]);
    }
    text(rows)
}

fn grades(report: &Report) -> String {
    let mut rows = table(["Unit", "Judge", "Pairs with a grade", "Pearson", "Spearman", "Grade: mean score"]);
    for (unit, judge, found) in &report.grades {
        let of_grade = found.grades.iter().map(|of| format!("{}: {:.2}", of.grade, of.mean));
        rows.add_row([
            cell(unit),
            cell(judge),
            right(found.common),
            right(number(found.pearson)),
            right(number(found.spearman)),
            right(of_grade.collect::<Vec<_>>().join("  ")),
        ]);
    }
    text(rows)
}

fn systems_table(systems: usize, stability: &[Stability]) -> String {
    let title = format!("Kendall's tau with the full ranking of {systems} systems");
    let mut rows = table(["Varied", &title, "97.5 % of samples reach"]);
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

/// The answer as JSON.
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
    let grades: Vec<Value> = report
        .grades
        .iter()
        .map(|(unit, judge, found)| {
            let of_grade = found.grades.iter();
            let of_grade = of_grade.map(|of| json!({"grade": of.grade, "pairs": of.count, "mean": of.mean}));
            json!({
                "unit": unit, "judge": judge, "common": found.common, "pearson": found.pearson, "spearman": found.spearman,
                "grades": of_grade.collect::<Vec<_>>(),
            })
        })
        .collect();
    let systems: Vec<String> = report.systems.iter().map(ToString::to_string).collect();
    json!({
        "judges": report.judges, "alpha": report.agreement.alpha, "pairs": pairs, "distributions": distributions,
        "systems": systems, "stability": stability, "own_grades": grades,
    })
}

/// What is said of judges and systems.
struct Report {
    pub judges: Vec<String>,
    pub agreement: Agreement,
    /// Of each task and judge.
    pub distributions: Vec<(String, String, Distribution)>,
    pub systems: Vec<SystemName>,
    pub stability: Vec<Stability>,
    /// Of each task and judge, beside the task's own grades.
    pub grades: Vec<(String, String, GradeAgreement)>,
}

/// All figures.
fn grid(report: &Report) -> Grid {
    let mut rows = Rows(Grid::new(["Part", "Unit", "Judge", "Of", "Measure", "Value"]));
    for (unit, judge, found) in &report.distributions {
        let mut add = |measure: &str, value| rows.add(["distribution", unit, judge, "", measure], value);
        add("scores", found.count as f64);
        add("mean", found.mean);
        for (name, value) in ["first quartile", "median", "third quartile"].into_iter().zip(found.quartiles) {
            add(name, value);
        }
        for (score, count) in found.bins.iter().enumerate() {
            add(&format!("scores from {score}"), *count as f64);
        }
    }
    for pair in &report.agreement.pairs {
        let (left, right) = (&report.judges[pair.judges.0], &report.judges[pair.judges.1]);
        let mut add = |measure: &str, value| rows.add(["judges", "", left, right, measure], value);
        add("pairs of both", pair.common as f64);
        add("pearson", pair.pearson);
        add("spearman", pair.spearman);
    }
    if report.judges.len() > 1 {
        rows.add(["judges", "", "", "", "alpha"], report.agreement.alpha);
    }
    for found in &report.stability {
        rows.add(["systems", "", "", &found.variant, "tau"], found.tau);
        if let Some(low) = found.low {
            rows.add(["systems", "", "", &found.variant, "tau of 97.5 % of samples"], low);
        }
    }
    for (unit, judge, found) in &report.grades {
        let mut add =
            |of: &str, measure: &str, value| rows.add(["own grades", unit, judge, of, measure], value);
        add("", "pairs with a grade", found.common as f64);
        add("", "pearson", found.pearson);
        add("", "spearman", found.spearman);
        for of in &found.grades {
            let grade = format!("grade {}", of.grade);
            add(&grade, "pairs", of.count as f64);
            add(&grade, "mean", of.mean);
        }
    }
    rows.0
}

struct Rows(Grid);

impl Rows {
    fn add(&mut self, names: [&str; 5], value: f64) {
        let mut cells: Vec<GridValue> = names.map(GridValue::from).into();
        cells.push(GridValue::number(Some(value).filter(|value| value.is_finite())));
        self.0.rows.push(cells);
    }
}
