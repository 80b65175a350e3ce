//! Scores of others that stand under another name than their task has for them: another measure as main score, and what is known of old
//! files.
//!
//! The reference reads none of these so; its table (`--like-reference`) is made without this file.

use mteb_card::TaskType;
use mteb_results::reading::{self, old_split};

use crate::benchmark::Task;
use crate::reading::{ByUnit, Entry, Summary};

/// The entry of a unit under the old name of its split; `None` where there is none.
pub(super) fn under_old_split<'a>(
    task: &Task,
    file: &Summary,
    entries: &ByUnit<'a>,
    (split, subset): (&str, &str),
) -> Option<&'a Entry> {
    let old = old_split(&task.name, split)?;
    let entry = *entries.get(&(old, subset))?;
    (!file.is_ours && !task.splits.iter().any(|split| split == old)).then_some(entry)
}

/// A score of others that is not simply the main score of its entry.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadOtherwise {
    /// The score that counts in place of the main score; `None` where this counts although it is another measure.
    pub score: Option<f64>,
    /// Why.
    pub why: String,
}

/// How an entry of others is read whose main score is another measure than that of the task, or which has none; `None` where its main
/// score is that of the task, or nothing is known to stand for it.
pub(super) fn read_otherwise(task: &Task, file: &Summary, entry: &Entry) -> Option<ReadOtherwise> {
    if file.is_ours && entry.of_others.is_none() {
        return None;
    }
    if let Some(other) = entry.other_main(&task.main_score) {
        return Some(ReadOtherwise { score: other.score, why: other.mark() });
    }
    if !file.is_historic {
        return None;
    }
    let old = reading::old_score(TaskType::named(&task.task_type), &task.main_score, entry);
    old.map(|(score, why)| ReadOtherwise { score: Some(score), why })
}

/// Why an entry stands for a unit of another split.
pub(super) fn split_mark(entry: &Entry, split: &str) -> Option<String> {
    (entry.split != split).then(|| format!("its split `{}` stands for `{split}`", entry.split))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(name: &str, task_type: &str, main_score: &str, split: &str) -> Task {
        Task {
            name: name.to_owned(),
            task_type: task_type.to_owned(),
            main_score: main_score.to_owned(),
            splits: vec![split.to_owned()],
            ..Task::default()
        }
    }

    fn file(is_historic: bool, split: &str, main_score: Option<f64>, scores: &[(&str, f64)]) -> Summary {
        let scores = scores.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect();
        let entry = Entry {
            split: split.to_owned(),
            subset: "default".to_owned(),
            main_score,
            scores,
            ..Entry::default()
        };
        Summary { is_historic, entries: vec![entry], ..Summary::default() }
    }

    #[test]
    fn old_reranking_has_its_map_and_no_other_measure_stands_for_it() {
        let task = task("AskUbuntuDupQuestions", "Reranking", "map_at_1000", "test");
        let read = |file: &Summary| read_otherwise(&task, file, &file.entries[0])?.score;
        assert_eq!(read(&file(true, "test", None, &[("map", 0.6), ("mrr", 0.7)])), Some(0.6));
        assert_eq!(read(&file(true, "test", None, &[("mrr", 0.7)])), None);
        assert_eq!(read(&file(true, "test", None, &[("map", f64::NAN)])), None);
        assert_eq!(read(&file(true, "test", None, &[("map", 0.6), ("map_at_1000", 0.5)])), None);
        assert_eq!(read(&file(false, "test", None, &[("map", 0.6)])), None);
        let other = self::task("SciFact", "Retrieval", "ndcg_at_10", "test");
        let file = file(true, "test", None, &[("map", 0.6)]);
        assert_eq!(read_otherwise(&other, &file, &file.entries[0]), None);
    }

    #[test]
    fn a_main_score_that_is_another_measure_gives_way_to_that_of_the_task() {
        let task = task("ToxicConversationsClassification", "Classification", "accuracy", "test");
        let scores = [("accuracy", 0.666), ("ap", 0.126), ("f1", 0.5)];
        for is_historic in [true, false] {
            let read = |main: f64| {
                let file = file(is_historic, "test", Some(main), &scores);
                read_otherwise(&task, &file, &file.entries[0])
            };
            let ReadOtherwise { score, why } = read(0.126).unwrap();
            assert_eq!((score, why.contains("`ap`")), (Some(0.666), true));
            assert_eq!(read(0.666), None);
            // One that is none of the scores is a fault, and stays one.
            assert_eq!(read(0.9), None);
        }
        // Of this host's own such a main score is a fault, too.
        let own = Summary { is_ours: true, ..file(false, "test", Some(0.126), &scores) };
        assert_eq!(read_otherwise(&task, &own, &own.entries[0]), None);
    }

    #[test]
    fn a_main_score_whose_entry_lacks_that_of_the_task_counts_and_is_marked() {
        let task = task("ToxicConversationsClassification", "Classification", "accuracy", "test");
        let file = file(false, "test", Some(0.5), &[("ap", 0.126), ("f1", 0.5)]);
        let ReadOtherwise { score, why } = read_otherwise(&task, &file, &file.entries[0]).unwrap();
        assert_eq!((score, why.contains("it lacks `accuracy`")), (None, true));
    }

    #[test]
    fn the_dev_split_of_msmarco_may_be_called_validation_by_others() {
        let task = task("MSMARCO", "Retrieval", "ndcg_at_10", "dev");
        let mut file = file(true, "validation", None, &[("ndcg_at_10", 0.4)]);
        let found = |task: &Task, file: &Summary| {
            under_old_split(task, file, &file.by_unit(), ("dev", "default")).map(|entry| entry.split.clone())
        };
        assert_eq!(found(&task, &file).as_deref(), Some("validation"));
        assert_eq!(found(&Task { name: "NQ".to_owned(), ..task.clone() }, &file), None);
        file.is_ours = true;
        assert_eq!(found(&task, &file), None);
    }
}
