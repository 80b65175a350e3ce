//! What a folder of graded relevance holds, as the page shows it.

use std::path::Path;

use mteb_graded::aggregate::{Measure, Pools, Standings, standings};
use mteb_graded::agreement::distribution;
use mteb_graded::evaluate::{Board, DEPTH, Evaluated, Grades, SystemName};
use mteb_graded_run::{GradedFolder, changed_since, evaluations, judge_stores, load_pools};
use mteb_report::page::{Graded, GradedSystem};

/// The evaluations and judgements of a folder, and what is odd about them.
///
/// # Errors
/// One line: there is no evaluation, one cannot be read, or they rest on different pools or rules.
pub fn graded_view(folder: &Path) -> Result<(Graded, Vec<String>), String> {
    let folder = GradedFolder::new(folder);
    let (evaluated, faults) = evaluations(&folder)?;
    if evaluated.is_empty() && !faults.is_empty() {
        return Err(faults.join("; "));
    }
    if evaluated.is_empty() {
        return Err(format!(
            "{}: expected evaluations, found none; `mteb-host graded evaluate` makes them",
            folder.path().display()
        ));
    }
    let mut warnings = faults;
    warnings.extend(changed_since(&folder, &evaluated));
    let ndcg = at_all_ranks(&evaluated, Measure::Ndcg)?;
    let recall = at_all_ranks(&evaluated, Measure::Recall).unwrap_or_else(|error| {
        warnings.push(format!("recall is left out of the page: {error}"));
        Vec::new()
    });
    let Some(last) = ndcg.last() else { return Err("expected curves, found none".to_owned()) };
    let systems = last.systems.iter().map(|row| system(&row.system, &ndcg, &recall)).collect();
    let (distributions, faults) = distributions(&folder)?;
    warnings.extend(faults);
    let graded = Graded {
        tasks: last.datasets.keys().cloned().collect(),
        judges: last.judges.clone(),
        systems,
        distributions,
    };
    Ok((graded, warnings))
}

/// The table at each rank that every curve has, from 1 on.
fn at_all_ranks(evaluated: &[Evaluated], measure: Measure) -> Result<Vec<Standings>, String> {
    let curves = evaluated.iter().flat_map(|file| &file.systems).flat_map(|system| &system.curves);
    let ranks = curves.map(|curves| curves.ndcg.len()).min().unwrap_or(0).min(DEPTH);
    let at = |k| standings(evaluated, measure, k, Pools::Same).map_err(|error| error.to_string());
    (1..=ranks).map(at).collect()
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

/// Scores of a judge from 0 to below 1, from 1 to below 2, …, and at last those that are 10.
type Bins = (String, [usize; 11]);

/// The scores that judges gave to the pairs of the pools, and what cannot be read.
fn distributions(folder: &GradedFolder) -> Result<(Vec<Bins>, Vec<String>), String> {
    let pools = load_pools(folder, &[], &[])?;
    let (judges, faults) = judge_stores(folder, &[])?;
    let boards: Vec<Board> = pools.iter().map(Board::new).collect();
    let of_judge = |judge: &mteb_graded_run::JudgeStore| {
        let grades = boards.iter().map(|board| Grades::of(board, &judge.judgements));
        let scores: Vec<f64> = grades.flat_map(|grades| grades.values().to_vec()).collect();
        Some((judge.card.name.clone(), distribution(&scores)?.bins))
    };
    Ok((judges.iter().filter_map(of_judge).collect(), faults))
}
