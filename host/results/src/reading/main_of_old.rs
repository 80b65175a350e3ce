//! Which score of an entry of before mteb 1.11 stands for its task, where the entry does not say so.

use std::collections::BTreeMap;

use mteb_card::{TaskCard, TaskType};
use mteb_json::Json;

use super::other_main::MAPS;
use super::summary::Entry;

/// A task, the split that is scored, and what old files call it: the name of the split on the hub it came from.
const SPLITS: [(&str, &str, &str); 1] = [("MSMARCO", "dev", "validation")];

/// What old files call the `split` of a task; `None` where they call it the same.
pub fn old_split(task: &str, split: &str) -> Option<&'static str> {
    SPLITS.iter().find(|(name, new, _)| *name == task && *new == split).map(|(_, _, old)| *old)
}

/// What is called the `split` of old files of a task today; `None` where it is called the same.
pub(crate) fn split_of_today(task: &str, split: &str) -> Option<&'static str> {
    SPLITS.iter().find(|(name, _, old)| *name == task && *old == split).map(|(_, new, _)| *new)
}

/// The score that stands for the main score `own` in an entry of a file of before mteb 1.11 without one, and why it is this one; `None`
/// where nothing is known to stand for it.
pub fn old_score(task_type: Option<TaskType>, own: &str, entry: &Entry) -> Option<(f64, String)> {
    let is_reranking = task_type == Some(TaskType::Reranking);
    let has_own = entry.main_score.is_some() || entry.scores.contains_key(own);
    if !is_reranking || !MAPS.contains(&own) || has_own {
        return None;
    }
    let map = entry.scores.get("map").copied().filter(|score| score.is_finite())?;
    Some((map, format!("its `map` over all candidates stands for `{own}`")))
}

/// The main score of an entry of before mteb 1.11 by the card of its task; `None` where it has none.
pub(crate) fn historic_score(entry: &Json, card: &TaskCard) -> Option<f64> {
    let scores = entry.as_map().unwrap_or_default().iter().filter(|(name, _)| name != "main_score");
    let scores = scores.filter_map(|(name, score)| Some((name.clone(), score.as_number()?)));
    let entry = Entry {
        main_score: entry.get("main_score").and_then(Json::as_number).filter(|score| score.is_finite()),
        scores: scores.collect::<BTreeMap<_, _>>(),
        ..Entry::default()
    };
    let name = card.main_score();
    let other = entry.other_main(name).and_then(|other| other.score);
    let old = || old_score(Some(card.task_type), name, &entry).map(|(score, _)| score);
    other.or_else(old).or_else(|| entry.main(name))
}
