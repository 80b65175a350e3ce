//! A result file of today's form, read for tables alone: without copies, and without what they do not need.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use super::number::Number;
use super::other_main::OtherMain;
use super::raw_entry::RawEntry;
use super::summary::{Entry, Summary};
use crate::fault::ResultFault;

/// A file of today's form, as far as it is needed.
#[derive(Deserialize)]
pub struct RawFile<'a> {
    #[serde(borrow)]
    task_name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    dataset_revision: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "present")]
    mteb_version: Option<Option<Cow<'a, str>>>,
    #[serde(borrow)]
    scores: Option<Splits<'a>>,
    date: Option<Date>,
    evaluation_time: Option<Number>,
    mteb_host: Option<IgnoredAny>,
}

/// A key that must be there, though its value may be `null`.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Cow<'de, str>>>, D::Error> {
    Option::<Cow<'de, str>>::deserialize(deserializer).map(Some)
}

/// Splits in the order of the file.
struct Splits<'a>(Vec<(Cow<'a, str>, Vec<RawEntry<'a>>)>);

/// The reference writes seconds, earlier versions text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Date {
    Seconds(f64),
    Other(IgnoredAny),
}

impl<'de: 'a, 'a> Deserialize<'de> for Splits<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SplitsVisitor;
        impl<'de> Visitor<'de> for SplitsVisitor {
            type Value = Splits<'de>;

            fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
                formatter.write_str("scores by split")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut splits = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    splits.push(entry);
                }
                Ok(Splits(splits))
            }
        }
        deserializer.deserialize_map(SplitsVisitor)
    }
}

impl RawFile<'_> {
    /// What tables need of it, without the origins of scores; `main` is the main score of the task, where that is known.
    ///
    /// # Errors
    /// What is missing, and a split that is there twice.
    pub fn into_summary(self, main: Option<&str>) -> Result<Summary, ResultFault> {
        let missing = |key| ResultFault::Missing(key);
        let task = self.task_name.ok_or_else(|| missing("task_name"))?;
        let dataset_revision = self.dataset_revision.ok_or_else(|| missing("dataset_revision"))?;
        let splits = self.scores.ok_or_else(|| missing("scores"))?.0;
        check_splits(&splits)?;
        let entries = splits.into_iter().flat_map(|(split, entries)| {
            let twice = twice(&entries);
            entries.into_iter().map(move |entry| {
                let other_main = main.and_then(|main| other_main(&entry, main));
                let counted = other_main.as_ref().and_then(|other| other.score).or(entry.main_score);
                Entry {
                    fault: fault(&entry, counted, &twice).map(|fault| fault.to_string()),
                    doubt: counted.and_then(|score| entry.doubt(score)),
                    other_main,
                    split: split.clone().into_owned(),
                    subset: entry.subset,
                    languages: entry.languages,
                    main_score: entry.main_score.filter(|score| score.is_finite()),
                    ..Entry::default()
                }
            })
        });
        Ok(Summary {
            task: task.into_owned(),
            dataset_revision: dataset_revision.into_owned(),
            version: self.mteb_version.flatten().map(Cow::into_owned),
            date: match self.date {
                Some(Date::Seconds(seconds)) => Some(seconds),
                Some(Date::Other(_)) | None => None,
            },
            evaluation_time: self.evaluation_time.and_then(|time| time.0),
            is_ours: self.mteb_host.is_some(),
            entries: entries.collect(),
            ..Summary::default()
        })
    }
}

/// Checks that each split is there once.
fn check_splits(splits: &[(Cow<str>, Vec<RawEntry<'_>>)]) -> Result<(), ResultFault> {
    let mut names = HashSet::new();
    match splits.iter().find(|(split, _)| !names.insert(split)) {
        Some((split, _)) => Err(ResultFault::SplitTwice.of_split(split)),
        None => Ok(()),
    }
}

/// Subsets that are there twice.
fn twice(entries: &[RawEntry<'_>]) -> HashSet<String> {
    let mut seen = HashSet::new();
    entries.iter().filter(|entry| !seen.insert(&entry.subset)).map(|entry| entry.subset.clone()).collect()
}

/// What the main score of an entry is, where it is another measure than `own`.
fn other_main(entry: &RawEntry<'_>, own: &str) -> Option<Box<OtherMain>> {
    let named = entry.named.iter().map(|(name, score)| (&**name, *score));
    OtherMain::of(own, entry.main_score?, named).map(Box::new)
}

/// Why a score of others cannot be right: a subset is there twice, its main score is none of its scores, or the score that is `counted` does
/// not follow from its experiments.
fn fault(entry: &RawEntry<'_>, counted: Option<f64>, twice: &HashSet<String>) -> Option<ResultFault> {
    if twice.contains(&entry.subset) {
        return Some(ResultFault::TwoEntries);
    }
    if !entry.is_among_scores {
        return entry.main_score.map(ResultFault::not_among);
    }
    counted.filter(|score| !entry.is_mean_over_experiments(*score)).map(ResultFault::not_a_mean)
}
