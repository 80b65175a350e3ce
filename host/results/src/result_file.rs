//! The result file of one task (protocol 9.2).

use std::collections::HashMap;

use mteb_card::{OTHERS, TaskCard, is_scored_by_others};
use mteb_json::Json;

use crate::PROTOCOL_VERSION;
use crate::footprint::{self, Phase};
use crate::reading::{OtherMain, historic_score, split_of_today};

/// All results of one model on one task.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultFile {
    /// Task name.
    pub task_name: String,
    /// Pinned revision of the data.
    pub dataset_revision: String,
    /// Scores by split, in evaluation order.
    pub splits: Vec<SplitScores>,
    /// Seconds of work, data loading included.
    pub evaluation_time: f64,
    /// Unix seconds of the last change.
    pub date: f64,
    /// What the work consisted of.
    pub phases: Vec<Phase>,
    /// What the host adds: the identity of the model, notes. The reference's loader ignores it.
    pub host: Json,
    /// Keys that the host does not know, written by other programs.
    pub others: OthersNotes,
    /// True if the file has the form from before mteb 1.11, in which only the card of the task
    /// determines the main scores.
    pub is_historic: bool,
}

/// Entries of one split.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitScores {
    /// Split name.
    pub split: String,
    /// One entry a subset.
    pub entries: Vec<SubsetScores>,
}

/// Scores of one subset.
#[derive(Clone, Debug, PartialEq)]
pub struct SubsetScores {
    /// Subset name.
    pub subset: String,
    /// The whole entry as the file holds it.
    pub json: Json,
}

impl SubsetScores {
    /// The entry of a unit: its scores, then `main_score`, `hf_subset`, `languages` and `mteb_version`.
    pub fn new(subset: &str, scores: Json, main_score: Json, languages: &[String]) -> Self {
        let mut entries = match scores {
            Json::Map(entries) => entries,
            _ => Vec::new(),
        };
        entries.push(("main_score".to_owned(), main_score));
        entries.push(("hf_subset".to_owned(), Json::from(subset)));
        entries.push(("languages".to_owned(), languages_json(languages)));
        entries.push(("mteb_version".to_owned(), Json::from(PROTOCOL_VERSION)));
        Self { subset: subset.to_owned(), json: Json::Map(entries) }
    }

    /// The languages of its texts, as the card said when it was scored.
    pub fn languages(&self) -> Vec<String> {
        let languages = self.json.get("languages").and_then(Json::as_list).unwrap_or_default();
        languages.iter().filter_map(Json::as_text).map(str::to_owned).collect()
    }

    /// The score that stands for the subset.
    pub fn main_score(&self) -> f64 {
        self.json.get("main_score").and_then(Json::as_number).unwrap_or(f64::NAN)
    }

    /// The score of the subset in a third-party entry, for a task whose main score is `own`: the
    /// entry may have another measure as its main score.
    pub fn main_score_of_others(&self, own: &str) -> f64 {
        let scores = self.json.as_map().unwrap_or_default().iter().filter(|(name, _)| name != "main_score");
        let scores = scores.filter_map(|(name, score)| Some((name.as_str(), score.as_number()?)));
        let other = OtherMain::of(own, self.main_score(), scores);
        other.and_then(|other| other.score).unwrap_or_else(|| self.main_score())
    }
}

impl ResultFile {
    /// A file without scores.
    pub fn new(task_name: &str, dataset_revision: &str, host: Json) -> Self {
        Self {
            task_name: task_name.to_owned(),
            dataset_revision: dataset_revision.to_owned(),
            splits: Vec::new(),
            evaluation_time: 0.0,
            date: 0.0,
            phases: Vec::new(),
            host,
            others: OthersNotes::default(),
            is_historic: false,
        }
    }

    /// The results that were `found` for the task of `card`, or an empty file. Results from before
    /// mteb 1.11 get the main score and the languages of the card, as tables read them.
    pub fn of_card(found: Option<Self>, card: &TaskCard) -> Self {
        let mut file = found.unwrap_or_else(|| Self::new(&card.name, card.revision(), Json::Null));
        if !file.is_historic {
            return file;
        }
        file.is_historic = false;
        for SplitScores { split, entries } in &mut file.splits {
            if let Some(today) =
                split_of_today(&card.name, split).filter(|_| !card.eval_splits.contains(split))
            {
                today.clone_into(split);
            }
            for entry in entries {
                let score = historic_score(&entry.json, card);
                entry.json.set("main_score", score.map_or(Json::Null, Json::Float));
                entry.json.set("languages", languages_json(card.subset_languages(&entry.subset)));
            }
        }
        file
    }

    /// Reads a file's text; `None` if a part that is needed is absent.
    pub fn from_json(json: &Json) -> Option<Self> {
        let text = |key: &str| json.get(key).and_then(Json::as_text).map(str::to_owned);
        let number = |key: &str| json.get(key).and_then(Json::as_number).filter(|number| number.is_finite());
        let host = json.get("mteb_host").cloned().unwrap_or(Json::Null);
        // If a third-party file states its version only once, the version applies to each entry.
        let version =
            json.get("mteb_version").filter(|version| host == Json::Null && version.as_text().is_some());
        let splits = json.get("scores")?.as_map()?.iter().map(|(split, entries)| {
            let entries =
                entries.as_list()?.iter().map(|entry| read_entry(entry, version)).collect::<Option<_>>()?;
            Some(SplitScores { split: split.clone(), entries })
        });
        let phases = json.get("evaluation_phases").and_then(Json::as_list).unwrap_or_default();
        Some(Self {
            task_name: text("task_name")?,
            dataset_revision: text("dataset_revision")?,
            splits: splits.collect::<Option<_>>()?,
            evaluation_time: number("evaluation_time").unwrap_or(0.0),
            date: number("date").unwrap_or(0.0),
            phases: phases.iter().filter_map(Phase::from_json).collect(),
            host,
            others: OthersNotes::of(json),
            is_historic: false,
        })
    }

    /// The file's content.
    pub fn to_json(&self) -> Json {
        let scores = self.splits.iter().map(|split| {
            let entries = split.entries.iter().map(|entry| entry.json.clone()).collect();
            (split.split.clone(), Json::List(entries))
        });
        let phases = self.phases.iter().map(Phase::to_json);
        let mut json = Json::object(vec![
            ("dataset_revision", Json::from(self.dataset_revision.as_str())),
            ("task_name", Json::from(self.task_name.as_str())),
            ("mteb_version", Json::from(PROTOCOL_VERSION)),
            ("scores", Json::Map(scores.collect())),
            ("evaluation_time", Json::Float(self.evaluation_time)),
            ("kg_co2_emissions", Json::Null),
            ("date", Json::Float(self.date)),
            ("evaluation_phases", Json::List(phases.chain(self.others.phases.iter().cloned()).collect())),
        ]);
        if let Some(footprint) = self.host.get("footprint") {
            json.set("footprint", footprint::in_short(footprint));
        }
        json.set("mteb_host", self.host.clone());
        self.others.add_to(&mut json);
        json
    }

    /// True if this host wrote the file.
    pub fn is_ours(&self) -> bool {
        self.host != Json::Null
    }

    /// True if another program scored a unit: it wrote the file, or this host found the entry there
    /// and kept it.
    pub fn is_of_others(&self, split: &str, subset: &str) -> bool {
        if !self.is_ours() {
            return true;
        }
        let Some(facts) = self.facts(split, subset) else { return false };
        let version = self.entry(split, subset).and_then(|entry| entry.json.get("mteb_version")?.as_text());
        is_scored_by_others(facts, version, Some(PROTOCOL_VERSION))
    }

    /// Revision of the data of a unit: that of the entry if another program scored it on another
    /// revision, else that of the file.
    pub fn revision_of(&self, split: &str, subset: &str) -> &str {
        let own =
            self.facts(split, subset).and_then(|facts| facts.get(OTHERS)?.get("dataset_revision")?.as_text());
        own.unwrap_or(&self.dataset_revision)
    }

    /// The entry of a unit.
    pub fn entry(&self, split: &str, subset: &str) -> Option<&SubsetScores> {
        let split = self.splits.iter().find(|found| found.split == split)?;
        split.entries.iter().find(|entry| entry.subset == subset)
    }

    /// Makes `languages` those of a unit; true if they were others.
    pub fn set_languages(&mut self, split: &str, subset: &str, languages: &[String]) -> bool {
        let languages = languages_json(languages);
        let split = self.splits.iter_mut().find(|found| found.split == split);
        let entry = split.and_then(|split| split.entries.iter_mut().find(|entry| entry.subset == subset));
        let Some(entry) = entry.filter(|entry| entry.json.get("languages") != Some(&languages)) else {
            return false;
        };
        entry.json.set("languages", languages);
        true
    }

    /// Removes a unit. The next [`Self::order_facts`] removes its recorded inputs.
    pub fn remove(&mut self, split: &str, subset: &str) {
        for scores in self.splits.iter_mut().filter(|scores| scores.split == split) {
            scores.entries.retain(|entry| entry.subset != subset);
        }
        self.splits.retain(|scores| !scores.entries.is_empty());
    }

    /// Inserts the entry of a unit, and keeps splits and subsets in the order of the card, so that
    /// the file does not depend on the order in which units finished.
    pub fn insert(&mut self, split: &str, entry: SubsetScores, splits: &[String], subsets: &[&str]) {
        let index = match self.splits.iter().position(|found| found.split == split) {
            Some(index) => index,
            None => {
                self.splits.push(SplitScores { split: split.to_owned(), entries: Vec::new() });
                self.splits.len() - 1
            }
        };
        let entries = &mut self.splits[index].entries;
        entries.retain(|found| found.subset != entry.subset);
        entries.push(entry);
        let rank: HashMap<&str, usize> =
            subsets.iter().enumerate().map(|(rank, name)| (*name, rank)).collect();
        entries.sort_by_key(|entry| rank.get(entry.subset.as_str()));
        self.splits.sort_by_key(|scores| splits.iter().position(|name| *name == scores.split));
    }
}

fn languages_json(languages: &[String]) -> Json {
    Json::List(languages.iter().map(|language| Json::from(language.as_str())).collect())
}

fn read_entry(json: &Json, version: Option<&Json>) -> Option<SubsetScores> {
    json.get("main_score")?;
    let subset = json.get("hf_subset")?.as_text()?.to_owned();
    let mut json = json.clone();
    if let Some(version) = version.filter(|_| json.get("mteb_version").is_none()) {
        json.set("mteb_version", version.clone());
    }
    Some(SubsetScores { subset, json })
}

/// A key of the reference that this host never writes: another tool measures its value.
const EMISSIONS: &str = "kg_co2_emissions";

/// The keys at the top of a result file that this host fills; `footprint` only where it has one.
const KEYS: [&str; 8] = [
    "dataset_revision",
    "task_name",
    "mteb_version",
    "scores",
    "evaluation_time",
    "date",
    "evaluation_phases",
    "mteb_host",
];

/// Keys at the top of a result file and phases that this host does not write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OthersNotes {
    entries: Vec<(String, Json)>,
    /// Phases of another form than this host's.
    pub phases: Vec<Json>,
}

impl OthersNotes {
    /// Those of a file.
    pub fn of(json: &Json) -> Self {
        let entries = json.as_map().unwrap_or_default().iter();
        let entries = entries.filter(|(key, value)| {
            !KEYS.contains(&key.as_str()) && (key != EMISSIONS || *value != Json::Null)
        });
        let phases = json.get("evaluation_phases").and_then(Json::as_list).unwrap_or_default();
        let phases = phases.iter().filter(|phase| Phase::from_json(phase).is_none());
        Self { entries: entries.cloned().collect(), phases: phases.cloned().collect() }
    }

    /// Adds them to a file, behind what this host writes; what it fills itself is not touched.
    pub fn add_to(&self, json: &mut Json) {
        for (key, value) in &self.entries {
            if key == EMISSIONS || json.get(key).is_none() {
                json.set(key, value.clone());
            }
        }
    }
}
