//! Evaluations whose pool or judgements are others by now.

use mteb_graded::evaluate::{Board, Evaluated, Grades, JudgeFacts};
use mteb_graded::pool::read_pool;
use mteb_results::UnitName;

use super::{GradedFolder, JudgeStore, judge_stores};

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
