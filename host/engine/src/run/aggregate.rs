//! A task that is the mean of others: its members are scored, then their mean is written (protocol 8.4).

use mteb_base::calendar;
use mteb_json::Json;
use mteb_measures::aggregate::task_score;
use mteb_registry::{Selected, options_of_unit};
use mteb_results::identity::change_of_mean;
use mteb_results::{ResultFile, ResultStore, SubsetScores};

use super::{Overwrite, TaskReport, UnitOutcome, UnitReport};
use crate::Observer;

/// Makes the report of `selected` from those of its `members`, and writes the result file if no
/// member failed. If an existing mean is computed again, the `observer` is told why.
///
/// The score of a split is the mean of its members' scores there, each the mean over the member's subsets.
pub fn combine(
    selected: &Selected,
    members: &[TaskReport],
    (store, host, overwrite): (&ResultStore, &Json, Overwrite),
    observer: &dyn Observer,
) -> TaskReport {
    let card = &selected.entry.card;
    let mut entries = Vec::new();
    let mut units = Vec::new();
    for (split, subset) in selected.units() {
        let outcome = match mean(members, selected.entry.members.len(), split) {
            Ok(mean) => {
                let rounded = Json::numpy_rounded(mean);
                let scores = Json::Map(vec![(card.main_score().to_owned(), rounded.clone())]);
                entries
                    .push((split, SubsetScores::new(subset, scores, rounded, card.subset_languages(subset))));
                UnitOutcome::Scored(mean)
            }
            Err(error) => UnitOutcome::Failed(error.to_string()),
        };
        let (split, subset) = (split.to_owned(), subset.to_owned());
        units.push(UnitReport { split, subset, outcome, warnings: Vec::new() });
    }
    let is_there = !entries.is_empty();
    let before = store.read(&card.name).ok().flatten();
    let changed = before.as_ref().filter(|_| overwrite != Overwrite::Always);
    let changed = changed.and_then(|before| change(selected, before));
    if let Some(change) = changed.filter(|_| is_there) {
        if overwrite == Overwrite::Never {
            entries.clear();
            let reason = format!(
                "{}: expected the mean of the current tasks, found another ({change}); run with \
                 `--overwrite missing` to compute it again",
                store.file(&card.name).display()
            );
            units.iter_mut().for_each(|unit| unit.outcome = UnitOutcome::Failed(reason.clone()));
        } else {
            observer.say(&format!("{}: will be scored again: {change}", card.name));
        }
    }
    let is_empty = entries.is_empty();
    let with_means = |found: Option<ResultFile>| {
        let mut file = ResultFile::of_card(found, card);
        file.set_host(host);
        for (split, entry) in entries.clone() {
            let subset = entry.subset.clone();
            let facts = facts(members, store, split, options_of_unit(card, &subset));
            file.insert(split, entry, &card.eval_splits, &card.subset_names());
            file.set_facts(split, &subset, facts);
        }
        file.order_facts();
        card.revision().clone_into(&mut file.dataset_revision);
        file.evaluation_time = seconds(members, store);
        file
    };
    let is_as_before = !is_empty && before.is_some() && before == Some(with_means(before.clone()));
    if is_as_before {
        units.iter_mut().for_each(|unit| unit.outcome = unit.outcome.clone().into_found());
    }
    let now = |found| ResultFile { date: calendar::seconds(), ..with_means(found) };
    if !is_empty && !is_as_before {
        match store.update(&card.name, true, now) {
            Ok(updated) => {
                if let Some(unit) = units.first_mut() {
                    unit.warnings.extend(updated.notes);
                }
            }
            Err(error) => {
                let path = store.file(&card.name);
                let reason = format!("{}: cannot write the result file: {error}", path.display());
                units.iter_mut().for_each(|unit| unit.outcome = UnitOutcome::Failed(reason.clone()));
            }
        }
    }
    TaskReport {
        task: card.name.clone(),
        task_type: card.task_type.to_string(),
        main_score: card.main_score().to_owned(),
        units,
        counters: members.iter().map(|member| member.counters).sum(),
        seconds: members.iter().map(|member| member.seconds).sum(),
    }
}

/// Why the mean in the file `before` does not fit the current card; `None` if it does, or if the
/// file does not record it.
fn change(selected: &Selected, before: &ResultFile) -> Option<String> {
    selected.units().find_map(|(split, subset)| {
        let facts = before.facts(split, subset)?;
        change_of_mean(&selected.entry.card, (split, subset), facts.get("members")?, facts.get("options")?)
    })
}

/// The seconds that the members took, as their files say.
fn seconds(members: &[TaskReport], store: &ResultStore) -> f64 {
    let files = members.iter().filter_map(|member| store.read(&member.task).ok().flatten());
    files.map(|file| file.evaluation_time).sum()
}

/// What a mean was made from: of each member a hash of what its own scores were made from. Nothing where a member does not
/// say it.
fn facts(members: &[TaskReport], store: &ResultStore, split: &str, options: Json) -> Json {
    let hash = |member: &TaskReport| {
        let file = store.read(&member.task).ok().flatten()?;
        Some((member.task.clone(), Json::from(file.split_made_from(split)?.as_str())))
    };
    let members: Option<Vec<(String, Json)>> = members.iter().map(hash).collect();
    let members = members.map(|members| ("members", Json::Map(members)));
    Json::object(members.into_iter().chain([("options", options)]))
}

/// Why a task has no mean of its members.
#[derive(Debug, PartialEq, thiserror::Error)]
enum NoMean {
    #[error("expected the scores of {expected} members, found {found}")]
    Members { expected: usize, found: usize },
    #[error("member {task}, subset {subset}: {reason}")]
    Failed { task: String, subset: String, reason: String },
    #[error("member {task}: expected scores of split {split}, found none")]
    Split { task: String, split: String },
}

fn mean(members: &[TaskReport], expected: usize, split: &str) -> Result<f64, NoMean> {
    if members.len() < expected {
        return Err(NoMean::Members { expected, found: members.len() });
    }
    let scores: Vec<f64> =
        members.iter().map(|member| member_score(member, split)).collect::<Result<_, _>>()?;
    Ok(task_score(&scores))
}

fn member_score(member: &TaskReport, split: &str) -> Result<f64, NoMean> {
    let mut scores = Vec::new();
    for unit in member.units.iter().filter(|unit| unit.split == split) {
        match &unit.outcome {
            UnitOutcome::Scored(score) | UnitOutcome::Found(score) => scores.push(*score),
            // No mean is computed while other machines search a part.
            UnitOutcome::Searched => {}
            UnitOutcome::Failed(reason) => {
                let (task, subset) = (member.task.clone(), unit.subset.clone());
                return Err(NoMean::Failed { task, subset, reason: reason.clone() });
            }
        }
    }
    if scores.is_empty() {
        return Err(NoMean::Split { task: member.task.clone(), split: split.to_owned() });
    }
    Ok(task_score(&scores))
}

#[cfg(test)]
mod tests {
    use mteb_results::footprint::Counters;

    use super::*;

    fn report(task: &str, outcomes: &[(&str, UnitOutcome)]) -> TaskReport {
        let unit = |(subset, outcome): &(&str, UnitOutcome)| UnitReport {
            split: "test".to_owned(),
            subset: (*subset).to_owned(),
            outcome: outcome.clone(),
            warnings: Vec::new(),
        };
        TaskReport {
            task: task.to_owned(),
            task_type: "Retrieval".to_owned(),
            main_score: "ndcg_at_10".to_owned(),
            units: outcomes.iter().map(unit).collect(),
            counters: Counters::default(),
            seconds: 0.0,
        }
    }

    #[test]
    fn the_score_is_the_mean_of_the_members_whatever_the_number_of_their_subsets() {
        let scored = UnitOutcome::Scored;
        let one = report("A", &[("default", scored(0.2))]);
        let two = report("B", &[("x", UnitOutcome::Found(0.4)), ("y", scored(1.0))]);
        assert_eq!(mean(&[one, two], 2, "test"), Ok((0.2 + 0.7) / 2.0));
    }

    #[test]
    fn a_member_that_failed_or_is_missing_leaves_no_score() {
        let failed = report("A", &[("default", UnitOutcome::Failed("no data".to_owned()))]);
        let sound = report("B", &[("default", UnitOutcome::Scored(0.5))]);
        let reason = mean(&[sound.clone(), failed], 2, "test").unwrap_err();
        assert_eq!(reason.to_string(), "member A, subset default: no data");
        assert_eq!(
            mean(std::slice::from_ref(&sound), 2, "test").unwrap_err().to_string(),
            "expected the scores of 2 members, found 1"
        );
        assert_eq!(
            mean(&[sound], 1, "dev").unwrap_err().to_string(),
            "member B: expected scores of split dev, found none"
        );
    }
}
