//! Brings the results of shards together: the files that one run on one machine writes, whatever
//! the number of shards.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use mteb_json::Json;
use mteb_models::model::Silent;
use mteb_plugin_api::Identity;
use mteb_registry::Selected;
use mteb_results::folder_layout::EXPERIMENTS;
use mteb_results::footprint::Counters;
use mteb_results::identity::Measures;
use mteb_results::{
    CompanionFiles, FirstStage, KeepFiles, META, ResultFile, ResultStore, UnitName, read_json,
};
use mteb_shards::{PlannedTask, PlannedUnit, ShardPlan, ShardState};
use mteb_source::DataSources;
use mteb_tasks::Keep;

use super::joined::join;
use super::merged_file::{ScoredTask, ScoredUnit};
use super::units::tasks_in_order;
use crate::run::score_unit::write_companions;
use crate::run::{Overwrite, TaskReport, UnitOutcome, UnitReport, aggregate};

/// What is merged, and where to.
pub struct Merge<'a> {
    /// The plan.
    pub plan: &'a ShardPlan,
    /// The tasks that the plan was made of.
    pub tasks: &'a [Selected],
    /// Folders of shards, each with what it says of itself, in the order of the shards.
    pub shards: &'a [(PathBuf, ShardState)],
    /// Folder of the results.
    pub output: &'a Path,
    /// What is left beside the scores.
    pub keep: KeepFiles,
    /// Measures beside those of the cards.
    pub measures: &'a Measures,
    /// Number of sizes of embeddings, each scored as a model of its own.
    pub sizes: usize,
    /// The rankings that a reranker has ordered anew, if shards have shared the pairs of a unit.
    pub first_stage: Option<FirstStage>,
}

/// What became of it.
#[derive(Debug, Default)]
pub struct Merged {
    /// Units that are merged, over all sizes of embeddings.
    pub units: usize,
    /// Number of sizes of embeddings.
    pub sizes: usize,
    /// Folders of the results, a model each.
    pub folders: Vec<PathBuf>,
    /// Units that are not there.
    pub missing: Vec<MissingUnit>,
    /// What else could not be done.
    pub faults: Vec<String>,
    /// What was moved away.
    pub notes: Vec<String>,
}

/// A unit that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingUnit {
    /// The shard that scores it.
    pub shard: usize,
    /// Its task.
    pub task: String,
    /// Its split.
    pub split: String,
    /// Its subset.
    pub subset: String,
    /// Why it is not there.
    pub why: String,
}

impl MissingUnit {
    /// What `shard` has not made of a unit.
    pub fn new((task, unit): (&PlannedTask, &PlannedUnit), shard: usize, why: String) -> Self {
        let (split, subset) = (unit.split.clone(), unit.subset.clone());
        Self { shard, task: task.task.clone(), split, subset, why }
    }
}

impl Merge<'_> {
    /// Merges what is there; what is not comes back by name. Units that several shards have shared
    /// are scored here, with data from these `sources`.
    ///
    /// # Errors
    /// If the results cannot be written.
    pub fn merge(&self, sources: &mut DataSources) -> io::Result<Merged> {
        let models = self.models();
        let mut merged = Merged { sizes: self.sizes.max(models.len()), ..Merged::default() };
        for model in &models {
            self.merge_model(model, sources, &mut merged)?;
        }
        // Where nobody has begun with a size, all of its units are missing.
        for _ in models.len()..self.sizes {
            for (task, unit) in self.plan.units() {
                let missing =
                    |shard| MissingUnit::new((task, unit), shard, self.why_missing((task, unit), shard));
                merged.missing.extend(unit.shards().into_iter().map(missing));
            }
        }
        Ok(merged)
    }

    /// The folders of models below those of the shards, from there on.
    fn models(&self) -> Vec<PathBuf> {
        let mut models: Vec<PathBuf> = Vec::new();
        for (folder, _) in self.shards {
            for name in folders(folder).into_iter().flat_map(|name| folders(&name)) {
                let experiments = folders(&name.join(EXPERIMENTS));
                for model in [name].into_iter().chain(experiments).filter(|model| model.join(META).is_file())
                {
                    models.extend(model.strip_prefix(folder).map(Path::to_owned));
                }
            }
        }
        models.sort();
        models.dedup();
        models
    }

    fn merge_model(&self, model: &Path, sources: &mut DataSources, merged: &mut Merged) -> io::Result<()> {
        let store = ResultStore::at(&self.output.join(model));
        let with_data = tasks_in_order(self.tasks);
        let mut whose: Option<Json> = None;
        let mut reports: BTreeMap<&str, TaskReport> = BTreeMap::new();
        for task in &self.plan.tasks {
            let selected = with_data.iter().find(|selected| selected.entry.card.name == task.task);
            let Some(selected) = selected else {
                merged.faults.push(format!("task {}: was chosen for the plan, is missing", task.task));
                continue;
            };
            let report =
                self.merge_task((model, &store), (task, selected), (&mut whose, &mut *sources), merged)?;
            reports.insert(&task.task, report);
        }
        let Some(host) = whose else { return Ok(()) };
        for selected in self.tasks.iter().filter(|selected| !selected.entry.members.is_empty()) {
            let members = selected.with_data().into_iter().map(|member| narrow_report(&member, &reports));
            let Some(members) = members.collect::<Option<Vec<TaskReport>>>() else { continue };
            let mean = aggregate::combine(selected, &members, (&store, &host, Overwrite::Missing), &Silent);
            for (unit, why) in mean.failures() {
                merged.faults.push(format!("{}, split {}: {why}", mean.task, unit.split));
            }
        }
        merged.folders.push(store.folder().to_owned());
        Ok(())
    }

    /// Merges a task; gives what is there of it.
    fn merge_task(
        &self,
        (model, store): (&Path, &ResultStore),
        (task, selected): (&PlannedTask, &Selected),
        (whose, sources): (&mut Option<Json>, &mut DataSources),
        merged: &mut Merged,
    ) -> io::Result<TaskReport> {
        let card = &selected.entry.card;
        let kept = CompanionFiles::new(store.folder());
        let (mut files, mut numbers) = (Vec::new(), BTreeMap::new());
        let mut units = Vec::new();
        // Files of shards, and those with the cost of each part of a search.
        let mut shards = BTreeSet::new();
        for unit in &task.units {
            if !unit.ranges.is_empty() {
                let around = ((model, store), (task, selected, unit));
                if let Some(file) = self.join(around, &mut files, (&mut *whose, &mut *sources), merged)? {
                    shards.extend(unit.shards());
                    units.push(ScoredUnit { split: &unit.split, subset: &unit.subset, file });
                }
                continue;
            }
            let found = self.find((model, task, unit), (&mut files, &mut numbers), whose.as_ref());
            let (file, folder) = match found {
                Ok(found) => found,
                Err(why) => {
                    merged.missing.push(MissingUnit::new((task, unit), unit.shard, why));
                    continue;
                }
            };
            if whose.is_none() {
                *whose = Some(note_whose(store, &folder, host_of(&files[file], unit), merged)?);
            }
            shards.insert(unit.shard);
            let identity = identity(&self.plan.model);
            let name = UnitName { task: &task.task, split: &unit.split, subset: &unit.subset };
            let brought =
                kept.copy_from(&CompanionFiles::new(&folder), name, (&identity, self.keep, card.as_ref()))?;
            match brought {
                Ok(notes) => merged.notes.extend(notes),
                Err(what) => {
                    let why = format!("its {what} are not there");
                    merged.missing.push(MissingUnit::new((task, unit), unit.shard, why));
                    continue;
                }
            }
            units.push(ScoredUnit { split: &unit.split, subset: &unit.subset, file });
        }
        if let Some(host) = whose.as_ref().filter(|_| !units.is_empty()) {
            let scored = ScoredTask { card, files: &files, units: &units, shards: shards.len(), host };
            merged.notes.extend(store.update(&card.name, true, |found| scored.file(found))?.notes);
            merged.units += units.len();
        }
        Ok(report(selected, &files, &units))
    }

    /// Scores a unit by what all shards have found in their ranges of it; gives the number of the
    /// file with its entry.
    fn join(
        &self,
        ((model, store), (task, selected, unit)): (
            (&Path, &ResultStore),
            (&PlannedTask, &Selected, &PlannedUnit),
        ),
        files: &mut Vec<ResultFile>,
        (whose, sources): (&mut Option<Json>, &mut DataSources),
        merged: &mut Merged,
    ) -> io::Result<Option<usize>> {
        let found = match self.find_ranges((model, task, unit), whose.as_ref()) {
            Ok(found) => found,
            Err(missing) => {
                merged.missing.extend(missing);
                return Ok(None);
            }
        };
        let name = UnitName { task: &task.task, split: &unit.split, subset: &unit.subset };
        let folder = found.first().map(|found| found.folder.clone()).unwrap_or_default();
        let wanted = (self.measures, Keep { items: self.keep.outcomes, rankings: self.keep.depth() });
        let of_unit = (selected, unit, self.first_stage.as_ref());
        let joined = match join(of_unit, found, wanted, sources) {
            Ok(joined) => joined,
            Err(error) => {
                merged.faults.push(format!("{name}: cannot be scored here: {}", error.reason()));
                return Ok(None);
            }
        };
        let file = files.len();
        files.extend(joined.files);
        if whose.is_none() {
            *whose = Some(note_whose(store, &folder, host_of(&files[file], unit), merged)?);
        }
        let nothing = Json::Null;
        let made_from = (files[file].model(name.split, name.subset).unwrap_or(&nothing), &joined.facts);
        let kept = (&CompanionFiles::new(store.folder()), self.keep, selected.entry.card.as_ref());
        let notes = write_companions(kept, name, &identity(&self.plan.model), made_from, &joined.scored)?;
        merged.notes.extend(notes);
        merged.notes.extend(joined.scored.warnings.iter().map(|line| format!("{name}: {line}")));
        Ok(Some(file))
    }
}

/// Writes whose the results are, once for all; gives who that is and who scored.
fn note_whose(store: &ResultStore, folder: &Path, host: Json, merged: &mut Merged) -> io::Result<Json> {
    let meta = read_json(&folder.join(META)).unwrap_or(Json::Null);
    merged.notes.extend(store.write_meta(&meta)?);
    Ok(host)
}

/// The folders directly in `folder`.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// Who the model is and who scored a unit, as the head of a file says it.
fn host_of(file: &ResultFile, unit: &PlannedUnit) -> Json {
    let version = file.host.get("version").cloned().unwrap_or(Json::Null);
    let model = file.model(&unit.split, &unit.subset).cloned().unwrap_or(Json::Null);
    Json::object([("version", version), ("model", model)])
}

fn identity(model: &serde_json::Value) -> Identity {
    let text = |key: &str| model[key].as_str().unwrap_or_default().to_owned();
    Identity { name: text("name"), revision: text("revision"), ..Identity::default() }
}

/// What became of a task, by what is merged of it.
fn report(selected: &Selected, files: &[ResultFile], units: &[ScoredUnit]) -> TaskReport {
    let card = &selected.entry.card;
    let found = |unit: &ScoredUnit| {
        let entry = files[unit.file].entry(unit.split, unit.subset)?;
        let outcome = UnitOutcome::Found(entry.main_score());
        let (split, subset) = (unit.split.to_owned(), unit.subset.to_owned());
        Some(UnitReport { split, subset, outcome, warnings: Vec::new() })
    };
    TaskReport {
        task: card.name.clone(),
        task_type: card.task_type.to_string(),
        main_score: card.main_score().to_owned(),
        units: units.iter().filter_map(found).collect(),
        counters: Counters::default(),
        seconds: 0.0,
    }
}

/// The report of a member of a mean with the units that count there; `None` if one is missing.
fn narrow_report(member: &Selected, reports: &BTreeMap<&str, TaskReport>) -> Option<TaskReport> {
    let report = reports.get(member.entry.card.name.as_str())?;
    let unit = |(split, subset): (&str, &str)| {
        report
            .units
            .iter()
            .find(|unit| (unit.split.as_str(), unit.subset.as_str()) == (split, subset))
            .cloned()
    };
    let units = member.units().map(unit).collect::<Option<Vec<UnitReport>>>()?;
    Some(TaskReport { units, ..report.clone() })
}
