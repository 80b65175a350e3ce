//! `mteb-host graded agreement`: how far judges agree, and how much of the ranking of systems hangs on choices that could have been
//! others.

mod long;
mod show;

use std::collections::BTreeSet;
use std::error::Error;

use clap::Args;
use mteb_graded::agreement::{
    GradeAgreement, StabilityOptions, Unit, agreement, distribution, stability, with_grades,
};
use mteb_graded::evaluate::{Board, DEPTH, Grades, Ranks, SystemName, Unjudged};
use mteb_graded::pool::Pool;
use mteb_graded::store::Judgement;
use mteb_graded_run::{
    GradedFolder, JudgeStore, PoolingError, embedders, judge_stores, kept_rerankers, systems, unit_of,
    unjudged,
};
use mteb_source::DataSources;
use mteb_workers::settings::Settings;
use show::Report;

use super::folder_args::{FolderArgs, PoolChoiceArgs, RankingArgs};
use super::tasks::tasks_called;
use crate::commands::arguments::{Format, FormatArgs, PlaceArgs, print_grid, whole};
use crate::commands::discover::discover;
use crate::exit::Exit;
use crate::output;

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
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = whole::<u32>(1, Some(DEPTH as u64)))]
    at: u32,
    /// Number of bootstrap samples of the queries.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u32>(1, Some(100_000)))]
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
                Format::Table => show::print(&report),
                Format::Json => output::print_json(&show::as_json(&report)),
                format => print_grid(&long::grid(&report), format),
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
        let grades =
            if self.own_grades { with_own(&pools, &judges, &self.place.settings())? } else { Vec::new() };
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
fn with_own(
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
