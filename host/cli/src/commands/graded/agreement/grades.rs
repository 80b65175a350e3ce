//! Judges beside the grades that tasks bring.

use mteb_graded::agreement::{GradeAgreement, with_grades};
use mteb_graded::pool::Pool;
use mteb_graded::store::Judgement;
use mteb_graded_run::{JudgeStore, unit_of};
use mteb_source::DataSources;
use mteb_workers::settings::Settings;

use super::super::tasks::tasks_called;
use crate::commands::discover::discover;

/// Unit, judge, and how far they agree, for every pool and judge.
pub(super) fn with_own(
    pools: &[Pool],
    judges: &[JudgeStore],
    settings: &Settings,
) -> Result<Vec<(String, String, GradeAgreement)>, String> {
    let catalog = discover(settings);
    let mut sources = DataSources::new(settings.clone(), &catalog);
    let mut found = Vec::new();
    for pool in pools {
        let tasks = tasks_called(&catalog, unit_of(pool).task);
        let own = mteb_graded_run::own_grades(pool, &tasks, &mut sources);
        let own = own.map_err(|error| error.to_string())?;
        for judge in judges {
            let known = &judge.judgements.judgements;
            let score = |pair| known.get(&pair).and_then(Judgement::score).unwrap_or(f64::NAN);
            let scores: Vec<f64> = pool.pairs.iter().map(|pair| score(pair.pair)).collect();
            found.push((unit_of(pool).to_string(), judge.card.name.clone(), with_grades(&scores, &own)));
        }
    }
    Ok(found)
}
