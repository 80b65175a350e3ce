//! The curves of all systems on a pool, by all judges.

use mteb_graded::evaluate::{
    Board, Evaluated, Grades, JudgeFacts, Ranks, SystemCurves, SystemName, ThresholdRule, Unjudged, curves,
};
use mteb_graded::pool::Pool;

use super::JudgeStore;

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
