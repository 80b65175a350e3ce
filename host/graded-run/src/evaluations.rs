//! The curves of all systems on a pool, by all judges, and the evaluations on disk: those that
//! cannot be right are named and skipped, as are those whose pool or judgements have changed since.

use std::path::{Path, PathBuf};

use mteb_graded::GradedError;
use mteb_graded::evaluate::{
    Board, Evaluated, Grades, JudgeFacts, Ranks, SystemCurves, SystemName, ThresholdRule, Unjudged, curves,
    read_evaluated,
};
use mteb_graded::pool::{Pool, read_pool};
use mteb_results::UnitName;

use crate::folder::unreadable;
use crate::{GradedFolder, JudgeStore, judge_stores};

/// The evaluations in `folder`, and a line for each that is skipped.
///
/// # Errors
/// If a folder cannot be read.
pub fn evaluations(folder: &GradedFolder) -> Result<(Vec<Evaluated>, Vec<String>), GradedError> {
    let files = folder.evaluations().map_err(unreadable(folder.path()))?;
    let (mut evaluated, mut faults) = (Vec::new(), Vec::new());
    for file in &files {
        match read(folder, file) {
            Ok(read) => evaluated.push(read),
            Err(fault) => faults.push(format!("{fault}; left out, run `mteb-host graded evaluate` again")),
        }
    }
    Ok((evaluated, faults))
}

/// The evaluation in `file`, which is to be that of the unit whose place this is.
fn read(folder: &GradedFolder, file: &Path) -> Result<Evaluated, EvaluationFault> {
    let read = read_evaluated(file)?;
    let Evaluated { task, split, subset, .. } = &read;
    let unit = UnitName { task, split, subset };
    let own = folder.evaluation(unit);
    // One of an earlier version may lie under its earlier name.
    let is_there =
        file == own || (file == folder.earlier_evaluation(unit) && own.symlink_metadata().is_err());
    if is_there {
        return Ok(read);
    }
    Err(EvaluationFault::OtherPlace { file: file.to_owned(), unit: unit.to_string(), own })
}

/// Why an evaluation is left out.
#[derive(Debug, thiserror::Error)]
enum EvaluationFault {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] GradedError),
    /// It is in the place of another one.
    #[error(
        "{}: expected the evaluation of this place, found that of {unit}, which is {}", .file.display(), .own.display()
    )]
    OtherPlace {
        /// Its file.
        file: PathBuf,
        /// The unit that it is of.
        unit: String,
        /// The place of that unit.
        own: PathBuf,
    },
}

/// A line for each evaluation whose pool or judgements have changed since it was made, as far as both are in `folder`.
pub fn changed_since(folder: &GradedFolder, evaluated: &[Evaluated]) -> Vec<String> {
    // What is wrong with judgements is said by whoever measures by them.
    let judges = judge_stores(folder, &[]).map(|(judges, _)| judges).unwrap_or_default();
    evaluated.iter().filter_map(|evaluated| line(folder, evaluated, &judges)).collect()
}

fn line(folder: &GradedFolder, evaluated: &Evaluated, judges: &[JudgeStore]) -> Option<String> {
    let Evaluated { task, split, subset, .. } = evaluated;
    let unit = UnitName { task, split, subset };
    let pool = read_pool(&folder.pool(unit)).ok()?;
    let changed = if pool.version() == evaluated.pool {
        let board = Board::new(&pool);
        let is_changed = |facts: &&JudgeFacts| {
            let now = judges.iter().find(|judge| judge.card.name == facts.name);
            let now = now.map(|judge| Grades::of(&board, &judge.judgements).hash());
            facts.scores.is_some() && now.is_some() && facts.scores != now
        };
        let names: Vec<&str> =
            evaluated.judges.iter().filter(is_changed).map(|facts| facts.name.as_str()).collect();
        if names.is_empty() {
            return None;
        }
        format!("the judgements of {}", names.join(", "))
    } else {
        "its pool".to_owned()
    };
    Some(format!("{unit}: {changed} changed after it was evaluated; run `mteb-host graded evaluate` again"))
}

/// How systems are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CurveSettings {
    /// From which score on a document is relevant.
    pub rule: ThresholdRule,
    /// What unjudged documents count.
    pub unjudged: Unjudged,
}

/// The thresholds of `judges` by `rule`, from what they have judged of the pool whose board this is: what else a judge has done says
/// nothing of it.
fn thresholds(judges: &[&JudgeStore], grades: &[Grades], rule: ThresholdRule) -> Vec<f64> {
    let own: Vec<f64> = judges.iter().map(|judge| judge.card.threshold).collect();
    let scores = |grades: &Grades| grades.values().iter().copied().filter(|score| !score.is_nan()).collect();
    let scores: Vec<Vec<f64>> = grades.iter().map(scores).collect();
    rule.thresholds(&own, &scores)
}

/// The curves of `systems`, which are in the numbers of `board`, the board of `pool`; by those judges that have judged some of it.
pub fn evaluate(
    pool: &Pool,
    board: &Board,
    judges: &[JudgeStore],
    systems: Vec<(SystemName, Ranks)>,
    measuring: CurveSettings,
) -> Evaluated {
    let of_judge = |judge: &JudgeStore| Grades::of(board, &judge.judgements);
    // A judge that has judged nothing here says nothing of the systems, and least of all 0.
    let judged = judges.iter().map(|judge| (judge, of_judge(judge)));
    let (judges, grades): (Vec<&JudgeStore>, Vec<Grades>) =
        judged.filter(|(_, grades)| grades.judged() > 0).unzip();
    let thresholds = thresholds(&judges, &grades, measuring.rule);
    let (names, ranks): (Vec<SystemName>, Vec<Ranks>) = systems.into_iter().unzip();
    let found = curves(&ranks, &grades, &thresholds, measuring.unjudged);
    let facts = judges.iter().zip(&grades).zip(&thresholds).map(|((judge, grades), &threshold)| JudgeFacts {
        name: judge.card.name.clone(),
        model: judge.judgements.head.model.clone(),
        prompt: judge.judgements.head.prompt.clone(),
        threshold: Some(threshold).filter(|threshold| threshold.is_finite()),
        pairs: grades.values().len(),
        judged: grades.judged(),
        scores: Some(grades.hash()),
    });
    let from = &pool.provenance;
    Evaluated {
        graded: Evaluated::SCHEMA,
        task: from.task.clone(),
        split: from.split.clone(),
        subset: from.subset.clone(),
        pool: pool.version(),
        pool_depth: from.depth,
        rerank_depth: None,
        unjudged: measuring.unjudged,
        threshold: measuring.rule.to_string(),
        judges: facts.collect(),
        systems: names
            .into_iter()
            .zip(found)
            .map(|(system, curves)| SystemCurves { system, curves })
            .collect(),
    }
}
