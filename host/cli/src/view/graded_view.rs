//! What a folder of graded relevance holds, as the page shows it.

use std::path::{Path, PathBuf};

use mteb_graded::GradedError;
use mteb_graded::aggregate::{AggregateError, Measure, Pools, Standings, standings};
use mteb_graded::agreement::{agreement, distribution};
use mteb_graded::evaluate::{Board, DEPTH, Evaluated, Grades, SystemName};
use mteb_graded_run::{
    GradedFolder, JudgeError, JudgeStore, PoolingError, changed_since, evaluations, judge_stores, load_pools,
};
use mteb_report::page::{Graded, GradedPart, GradedSystem, JudgePair};

/// The evaluations and judgements of a folder, of these tasks or of all, and what is odd about them.
///
/// # Errors
/// If there is no evaluation, one cannot be read, or they rest on different pools or rules.
pub fn graded_view(folder: &Path, tasks: &[String]) -> Result<(Graded, Vec<String>), GradedViewError> {
    let folder = GradedFolder::new(folder);
    let (mut evaluated, faults) = evaluations(&folder)?;
    if evaluated.is_empty() && !faults.is_empty() {
        return Err(GradedViewError::Faults(faults));
    }
    // The page may be of tasks that nobody judged, too: then all that were judged are shown.
    if evaluated.iter().any(|file| tasks.contains(&file.task)) {
        evaluated.retain(|file| tasks.contains(&file.task));
    }
    if evaluated.is_empty() {
        return Err(GradedViewError::NoEvaluations(folder.path().to_owned()));
    }
    let mut warnings = faults;
    warnings.extend(changed_since(&folder, &evaluated));
    let (judges, faults) = judge_stores(&folder, &[])?;
    warnings.extend(faults);
    let (names, tasks, whole) = part(&folder, &evaluated, &judges, &mut warnings)?;
    let mut parts = vec![whole];
    if tasks.len() > 1 {
        for task in &tasks {
            let of_task: Vec<Evaluated> =
                evaluated.iter().filter(|file| file.task == *task).cloned().collect();
            let (own, _, mut part) = self::part(&folder, &of_task, &judges, &mut warnings)?;
            part.systems.iter_mut().for_each(|system| in_order(system, &own, &names));
            parts.push(part);
        }
    }
    Ok((Graded { tasks, judges: names, parts }, warnings))
}

/// Why a page cannot show a folder of graded relevance.
#[derive(Debug, thiserror::Error)]
pub enum GradedViewError {
    /// The evaluations cannot be read.
    #[error(transparent)]
    Evaluations(#[from] GradedError),
    /// There are some, and each of them is left out.
    #[error("{}", .0.join("; "))]
    Faults(Vec<String>),
    /// There is none.
    #[error("{}: expected evaluations, found none; run `mteb-host graded evaluate` first", .0.display())]
    NoEvaluations(PathBuf),
    /// The judgements cannot be read.
    #[error(transparent)]
    Judges(#[from] JudgeError),
    /// The evaluations do not belong into one table.
    #[error(transparent)]
    Standings(#[from] AggregateError),
    /// The evaluations have no curves.
    #[error("expected curves, found none")]
    NoCurves,
}

/// What is shown of some evaluations, with the names of their judges and tasks.
fn part(
    folder: &GradedFolder,
    evaluated: &[Evaluated],
    judges: &[JudgeStore],
    warnings: &mut Vec<String>,
) -> Result<(Vec<String>, Vec<String>, GradedPart), GradedViewError> {
    let ndcg = at_all_ranks(evaluated, Measure::Ndcg)?;
    let recall = at_all_ranks(evaluated, Measure::Recall).unwrap_or_else(|error| {
        warnings.push(format!("recall is left out of the page: {error}"));
        Vec::new()
    });
    let last = ndcg.last().ok_or(GradedViewError::NoCurves)?;
    let systems = last.systems.iter().map(|row| system(&row.system, &ndcg, &recall)).collect();
    let tasks: Vec<String> = last.datasets.keys().cloned().collect();
    let scores = scores(folder, &tasks, judges).unwrap_or_else(|fault| {
        warnings.push(format!("scores of judges are left out of the page: {fault}"));
        Vec::new()
    });
    let bins = |(name, scores): &(String, Vec<f64>)| Some((name.clone(), distribution(scores)?.bins));
    let distributions = scores.iter().filter_map(bins).collect();
    let part = GradedPart { systems, distributions, agreement: pairs(&scores) };
    Ok((last.judges.clone(), tasks, part))
}

/// Puts the curves of a system, which are those of the judges `own` and their average, at the places of all judges.
fn in_order(system: &mut GradedSystem, own: &[String], all: &[String]) {
    let ordered = |curves: &Vec<Vec<Option<f64>>>| -> Vec<Vec<Option<f64>>> {
        let of =
            |name: &String| own.iter().position(|judge| judge == name).and_then(|place| curves.get(place));
        if curves.is_empty() {
            return Vec::new();
        }
        all.iter().map(|name| of(name).cloned().unwrap_or_default()).chain(curves.last().cloned()).collect()
    };
    (system.ndcg, system.recall) = (ordered(&system.ndcg), ordered(&system.recall));
}

/// The table at each rank that every curve has, from 1 on.
fn at_all_ranks(evaluated: &[Evaluated], measure: Measure) -> Result<Vec<Standings>, AggregateError> {
    let curves = evaluated.iter().flat_map(|file| &file.systems).flat_map(|system| &system.curves);
    let ranks = curves.map(|curves| curves.ndcg.len()).min().unwrap_or(0).min(DEPTH);
    (1..=ranks).map(|k| standings(evaluated, measure, k, Pools::Same)).collect()
}

fn system(name: &SystemName, ndcg: &[Standings], recall: &[Standings]) -> GradedSystem {
    GradedSystem {
        name: name.to_string(),
        is_reranked: name.reranker.is_some(),
        ndcg: curves(name, ndcg),
        recall: curves(name, recall),
        judged: ndcg
            .iter()
            .map(|table| table.systems.iter().find(|row| row.system == *name).and_then(|row| row.judged))
            .collect(),
    }
}

/// The curve of each judge, at last of their average; none where there is no table.
fn curves(name: &SystemName, tables: &[Standings]) -> Vec<Vec<Option<f64>>> {
    let Some(first) = tables.first() else { return Vec::new() };
    let rows = || tables.iter().map(|table| table.systems.iter().find(|row| row.system == *name));
    let mut curves: Vec<Vec<Option<f64>>> = (0..first.judges.len())
        .map(|judge| rows().map(|row| row.and_then(|row| row.judges[judge])).collect())
        .collect();
    curves.push(rows().map(|row| row.and_then(|row| row.average)).collect());
    curves
}

/// The scores that each judge gave to the pairs of the pools of these tasks; not a number for what was not judged.
fn scores(
    folder: &GradedFolder,
    tasks: &[String],
    judges: &[JudgeStore],
) -> Result<Vec<(String, Vec<f64>)>, PoolingError> {
    let pools = load_pools(folder, &[], tasks)?;
    let boards: Vec<Board> = pools.iter().map(Board::new).collect();
    let of_judge = |judge: &JudgeStore| {
        let grades = boards.iter().map(|board| Grades::of(board, &judge.judgements));
        (judge.card.name.clone(), grades.flat_map(|grades| grades.values().to_vec()).collect())
    };
    Ok(judges.iter().map(of_judge).collect())
}

/// How far each two judges agree who scored the same pairs.
fn pairs(scores: &[(String, Vec<f64>)]) -> Vec<JudgePair> {
    let values: Vec<Vec<f64>> = scores.iter().map(|(_, scores)| scores.clone()).collect();
    let pairs = agreement(&values).pairs.into_iter().filter(|pair| pair.common > 0);
    let pair = |pair: mteb_graded::agreement::PairAgreement| JudgePair {
        judges: [pair.judges.0, pair.judges.1].map(|number| scores[number].0.clone()),
        common: pair.common,
        pearson: pair.pearson,
        spearman: pair.spearman,
    };
    pairs.map(pair).collect()
}
