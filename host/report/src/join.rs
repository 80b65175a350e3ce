//! Joins the revisions of a model, as the reference does.
//!
//! Of each task the result of the main revision counts, else that of the newest version of the
//! reference; results without a version or without a revision come last. Source: mteb 2.26.24,
//! `BenchmarkResults.join_revisions`.
//!
//! Results of one model that this host wrote into several folders, as where two people share the
//! tasks, are joined by `join_own`.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use mteb_results::folder_layout::NO_REVISION;
use mteb_results::reading::Version;

use crate::facts::KnownModels;
use crate::reading::{Before, Checks, Entry, Meta, ResultsFolder, ScoreOrigin, Summary, newest_state};

/// A model with one result a task.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// Revisions that results are of, as their folders or `model_meta.json` say.
    pub revisions: Vec<String>,
    /// Name of the experiment.
    pub experiment: Option<String>,
    /// What `model_meta.json` says.
    pub meta: Option<Meta>,
    /// The result of each task.
    pub files: BTreeMap<String, Arc<Summary>>,
    /// The same results as they were before scores were replaced.
    pub before: Before,
    /// The folders with the results.
    pub places: Vec<PathBuf>,
    /// The model as the newest result of this host has it, as JSON; `None` where no file says it.
    pub state: Option<String>,
}

impl Model {
    /// The result of a task, then what it was before scores were replaced.
    pub fn files_of(&self, task: &str) -> impl Iterator<Item = &Arc<Summary>> {
        self.files.get(task).into_iter().chain(self.before.get(task).into_iter().flatten())
    }

    /// The path of a result of the model.
    pub fn path_of(&self, result: &Summary) -> PathBuf {
        let paths = self.places.iter().map(|place| place.join(format!("{}.json", result.stem)));
        let found = paths.clone().find(|path| path.is_file()).or_else(|| paths.clone().next());
        found.unwrap_or_default()
    }
}

/// One result a task and model of the folders; of experiments on their own.
pub fn join<'a>(folders: impl IntoIterator<Item = &'a ResultsFolder>, facts: &KnownModels) -> Vec<Model> {
    let mut models: BTreeMap<(&str, Option<&str>), Vec<&ResultsFolder>> = BTreeMap::new();
    for folder in folders {
        models.entry((&folder.model, folder.experiment.as_deref())).or_default().push(folder);
    }
    models.into_iter().map(|((name, experiment), folders)| model(name, experiment, &folders, facts)).collect()
}

fn model(name: &str, experiment: Option<&str>, folders: &[&ResultsFolder], facts: &KnownModels) -> Model {
    let main = facts.revision(name);
    let mut best: BTreeMap<&str, (Rank, &ResultsFolder, &Arc<Summary>)> = BTreeMap::new();
    for folder in folders {
        for file in &folder.files {
            let rank = Rank::new(folder.revision.as_deref(), main, file);
            // Of equals the first counts.
            if best.get(file.task.as_str()).is_none_or(|(found, _, _)| rank < *found) {
                best.insert(&file.task, (rank, folder, file));
            }
        }
    }
    let mut revisions: Vec<String> =
        best.values().filter_map(|(_, folder, _)| folder.revision.clone()).collect();
    revisions.sort();
    revisions.dedup();
    let before = best
        .iter()
        .filter_map(|(task, (_, folder, _))| Some(((*task).to_owned(), folder.before.get(*task)?.clone())));
    let before = before.collect();
    let is_main = |folder: &&&ResultsFolder| main.is_some() && folder.revision.as_deref() == main;
    let meta =
        folders.iter().find(is_main).or_else(|| folders.iter().rev().find(|folder| folder.meta.is_some()));
    Model {
        name: name.to_owned(),
        revisions,
        experiment: experiment.map(str::to_owned),
        meta: meta.and_then(|folder| folder.meta.clone()),
        files: best.into_iter().map(|(task, (_, _, file))| (task.to_owned(), file.clone())).collect(),
        before,
        places: folders.iter().map(|folder| folder.path.clone()).collect(),
        state: newest_state(folders.iter().flat_map(|folder| &folder.files)).map(str::to_owned),
    }
}

/// What makes a result count before another; smaller is better.
type Order = (Reverse<u32>, Reverse<Option<Version>>);

#[derive(PartialEq, PartialOrd)]
struct Rank(Order);

impl Rank {
    fn new(revision: Option<&str>, main: Option<&str>, file: &Summary) -> Self {
        let version = file.version.as_deref().and_then(Version::parse);
        let is_main = revision.is_some() && revision == main;
        let is_known = !matches!(revision, None | Some("external" | NO_REVISION));
        let points =
            1000 * u32::from(is_main) + 100 * u32::from(version.is_some()) + 10 * u32::from(is_known);
        Self((Reverse(points), Reverse(version)))
    }
}

/// A model for each state that its results are of. Folders of one model are joined where they do not contradict each other; a
/// result that is there twice counts once.
pub fn join_own<'a>(
    folders: impl IntoIterator<Item = &'a ResultsFolder>,
    facts: &KnownModels,
    checks: Checks,
) -> Vec<Model> {
    let mut joined: Vec<Model> = Vec::new();
    for model in folders.into_iter().flat_map(|folder| join([folder], facts)) {
        match joined.iter_mut().find(|other| is_same(other, &model, checks)) {
            Some(other) => add(other, model),
            None => joined.push(model),
        }
    }
    joined
}

/// True if both are the same model in the same state, and no unit that they share has two scores.
fn is_same(left: &Model, right: &Model, checks: Checks) -> bool {
    let key = |model: &Model| (model.name.clone(), model.revisions.clone(), model.experiment.clone());
    let agree = |(task, file): (&String, &Arc<Summary>)| {
        left.files.get(task).is_none_or(|other| has_same_scores(other, file, checks))
    };
    key(left) == key(right)
        && is_same_state(left.state.as_deref(), right.state.as_deref(), checks)
        && right.files.iter().all(agree)
}

/// True if the units that two files share have the same scores, made from the same.
fn has_same_scores(left: &Summary, right: &Summary, checks: Checks) -> bool {
    let units = left.by_unit();
    left.dataset_revision == right.dataset_revision
        && right.entries.iter().all(|entry| {
            units.get(&(entry.split.as_str(), entry.subset.as_str())).is_none_or(|other| {
                (other.main_score, &other.scores) == (entry.main_score, &entry.scores)
                    && other.made_from() == entry.made_from()
                    && is_same_state(left.state_of(other), right.state_of(entry), checks)
            })
        })
}

fn is_same_state(left: Option<&str>, right: Option<&str>, checks: Checks) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => checks.state_change(left, right).is_none(),
        (None, None) => true,
        _ => false,
    }
}

fn add(joined: &mut Model, model: Model) {
    for (task, file) in model.files {
        let file = match joined.files.get(&task) {
            Some(other) => Arc::new(merge_summaries(other, &file)),
            None => file,
        };
        joined.files.insert(task, file);
    }
    for (task, files) in model.before {
        joined.before.entry(task).or_default().extend(files);
    }
    joined.places.extend(model.places);
    joined.state = newest_state(joined.files.values()).map(str::to_owned);
}

/// The newer of two files with what the other one has beside it.
fn merge_summaries(left: &Summary, right: &Summary) -> Summary {
    let (older, newer) = if left.date <= right.date { (left, right) } else { (right, left) };
    let mut file = newer.clone();
    let units = newer.by_unit();
    for entry in &older.entries {
        if !units.contains_key(&(entry.split.as_str(), entry.subset.as_str())) {
            file.entries.push(add_state(entry, older));
        }
    }
    file
}

/// An entry that says of which state of the model it is, as it leaves its file.
fn add_state(entry: &Entry, file: &Summary) -> Entry {
    let mut entry = entry.clone();
    let state = file.state_of(&entry).map(str::to_owned);
    if file.is_ours {
        entry.origin.get_or_insert_with(ScoreOrigin::default).state = state;
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::ModelFacts;

    fn folder(revision: &str, version: Option<&str>, time: f64) -> ResultsFolder {
        let file = Summary {
            task: "T".to_owned(),
            version: version.map(str::to_owned),
            evaluation_time: Some(time),
            ..Summary::default()
        };
        ResultsFolder {
            model: "m".to_owned(),
            revision: Some(revision.to_owned()),
            files: vec![Arc::new(file)],
            ..ResultsFolder::default()
        }
    }

    fn winner(folders: &[ResultsFolder], main: Option<&str>) -> f64 {
        let mut facts = KnownModels::default();
        let own = ModelFacts { revision: main.map(str::to_owned), ..ModelFacts::default() };
        facts.models.insert("m".to_owned(), own);
        join(folders, &facts)[0].files["T"].evaluation_time.unwrap()
    }

    #[test]
    fn the_main_revision_counts_then_the_newest_version_then_one_with_a_revision() {
        let folders = [
            folder("no_revision_available", Some("2.0.0"), 1.0),
            folder("a", Some("1.2.0"), 2.0),
            folder("b", Some("1.12.0"), 3.0),
            folder("c", None, 4.0),
        ];
        assert_eq!(winner(&folders, Some("c")), 4.0);
        assert_eq!(winner(&folders, None), 3.0);
        assert_eq!(winner(&[folders[0].clone(), folders[3].clone()], None), 1.0);
    }
}
