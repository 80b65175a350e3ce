//! Brings the results of shards together: the files that one run on one machine writes, whatever the number of shards.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use mteb_json::Json;
use mteb_models::model::Silent;
use mteb_plugin_api::Identity;
use mteb_registry::Selected;
use mteb_results::footprint::Counters;
use mteb_results::identity::{DataFacts, UnitFacts, model_differences};
use mteb_results::{CompanionFiles, KeepFiles, META, ResultFile, ResultStore, UnitName, read_json};
use mteb_shards::{PlannedTask, PlannedUnit, ShardPlan, ShardState};

use super::jobs::tasks_in_order;
use super::merged_file::{ScoredTask, ScoredUnit};
use super::pins::from_value;
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
    /// Number of sizes of embeddings, each scored as a model of its own.
    pub sizes: usize,
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
    pub said: Vec<String>,
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

impl Merge<'_> {
    /// Merges what is there; what is not comes back by name.
    ///
    /// # Errors
    /// If the results cannot be written.
    pub fn merge(&self) -> io::Result<Merged> {
        let models = self.models();
        let mut merged = Merged { sizes: self.sizes.max(models.len()), ..Merged::default() };
        for model in &models {
            self.merge_model(model, &mut merged)?;
        }
        // Where nobody has begun with a size, all of its units are missing.
        for _ in models.len()..self.sizes {
            for (task, unit) in self.plan.units() {
                merged.missing.push(missing(task, unit, self.why_missing(task, unit)));
            }
        }
        Ok(merged)
    }

    /// The folders of models below those of the shards, from there on.
    fn models(&self) -> Vec<PathBuf> {
        let mut models: Vec<PathBuf> = Vec::new();
        for (folder, _) in self.shards {
            for name in folders(folder).into_iter().flat_map(|name| folders(&name)) {
                let experiments = folders(&name.join("experiments"));
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

    fn merge_model(&self, model: &Path, merged: &mut Merged) -> io::Result<()> {
        let store = ResultStore::at(&self.output.join(model));
        let with_data = tasks_in_order(self.tasks);
        let mut whose: Option<Json> = None;
        let mut reports: BTreeMap<&str, TaskReport> = BTreeMap::new();
        for task in &self.plan.tasks {
            let selected = with_data.iter().find(|selected| selected.entry.card.name == task.task);
            let Some(selected) = selected else {
                merged.faults.push(format!("task {}: was chosen for the plan, is not here", task.task));
                continue;
            };
            let report = self.merge_task((model, &store), (task, selected), &mut whose, merged)?;
            reports.insert(&task.task, report);
        }
        let Some(host) = whose else { return Ok(()) };
        for selected in self.tasks.iter().filter(|selected| !selected.entry.members.is_empty()) {
            let members = selected.with_data().into_iter().map(|member| narrowed(&member, &reports));
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
        whose: &mut Option<Json>,
        merged: &mut Merged,
    ) -> io::Result<TaskReport> {
        let card = &selected.entry.card;
        let kept = CompanionFiles::new(store.folder());
        let (mut files, mut numbers) = (Vec::new(), BTreeMap::new());
        let mut units = Vec::new();
        for unit in &task.units {
            let found = self.find((model, task, unit), (&mut files, &mut numbers), whose.as_ref());
            let (file, folder) = match found {
                Ok(found) => found,
                Err(why) => {
                    merged.missing.push(missing(task, unit, why));
                    continue;
                }
            };
            if whose.is_none() {
                let host = host_of(&files[file], unit);
                let meta = read_json(&folder.join(META)).unwrap_or(Json::Null);
                merged.said.extend(store.write_meta(&meta)?);
                *whose = Some(host);
            }
            let identity = identity(&self.plan.model);
            let name = UnitName { task: &task.task, split: &unit.split, subset: &unit.subset };
            let brought = kept.bring(
                &CompanionFiles::new(&folder),
                name,
                (&identity, self.keep, card.task_type.is_ranking()),
            )?;
            match brought {
                Ok(said) => merged.said.extend(said),
                Err(what) => {
                    merged.missing.push(missing(task, unit, format!("its {what} are not there")));
                    continue;
                }
            }
            units.push(ScoredUnit { split: &unit.split, subset: &unit.subset, file });
        }
        if let Some(host) = whose.as_ref().filter(|_| !units.is_empty()) {
            let scored = ScoredTask { card, files: &files, units: &units, host };
            merged.said.extend(store.update(&card.name, true, |found| scored.file(found))?.said);
            merged.units += units.len();
        }
        Ok(report(selected, &files, &units))
    }

    /// The result of a unit in the first folder of its shard that has one: the number of its file, and the folder.
    fn find(
        &self,
        (model, task, unit): (&Path, &PlannedTask, &PlannedUnit),
        (files, numbers): (&mut Vec<ResultFile>, &mut BTreeMap<PathBuf, Option<usize>>),
        whose: Option<&Json>,
    ) -> Result<(usize, PathBuf), String> {
        let mut why = None;
        for (folder, _) in self.shards.iter().filter(|(_, state)| state.shard == unit.shard) {
            let folder = folder.join(model);
            let number = match numbers.get(&folder) {
                Some(known) => *known,
                None => {
                    let read =
                        ResultStore::at(&folder).read(&task.task).map_err(|fault| fault.to_string())?;
                    let number = read.map(|file| {
                        files.push(file);
                        files.len() - 1
                    });
                    numbers.insert(folder.clone(), number);
                    number
                }
            };
            let Some(number) =
                number.filter(|&number| files[number].entry(&unit.split, &unit.subset).is_some())
            else {
                continue;
            };
            match self.fault(&files[number], unit, whose) {
                None => return Ok((number, folder)),
                Some(fault) => why = Some(fault),
            }
        }
        Err(why.unwrap_or_else(|| self.why_missing(task, unit)))
    }

    /// Why the result of a unit is none of the plan.
    fn fault(&self, file: &ResultFile, unit: &PlannedUnit, whose: Option<&Json>) -> Option<String> {
        let model = file.model(&unit.split, &unit.subset).cloned().unwrap_or(Json::Null);
        let mut planned = from_value(&self.plan.model);
        // Several sizes of embeddings are made of one model.
        for key in ["dimension", "similarity", "compression"] {
            if let Some(made) = model.get(key).filter(|_| model.get("compression").is_some()) {
                planned.set(key, made.clone());
            }
        }
        if let Some(other) = model_differences(&planned, &model).first() {
            return Some(format!("its result is of another model: {other}"));
        }
        let known = whose.and_then(|host| host.get("model"));
        if let Some(other) = known.and_then(|known| model_differences(known, &model).into_iter().next()) {
            return Some(format!("its result is of another model than those before it: {other}"));
        }
        let facts = file.facts(&unit.split, &unit.subset).and_then(UnitFacts::from_json);
        let Some(facts) = facts else { return Some("nothing says what its result was made from".to_owned()) };
        let planned = DataFacts::from_json(&from_value(&unit.data))?;
        planned.difference(&facts.data).map(|change| format!("its result is of other data: {change}"))
    }

    fn why_missing(&self, task: &PlannedTask, unit: &PlannedUnit) -> String {
        let states = self.shards.iter().filter(|(_, state)| state.shard == unit.shard);
        let failed = states.flat_map(|(_, state)| &state.failures).find(|failed| {
            (&failed.task, &failed.split, &failed.subset) == (&task.task, &unit.split, &unit.subset)
        });
        failed.map_or_else(|| "not scored yet".to_owned(), |failed| failed.reason.clone())
    }
}

fn missing(task: &PlannedTask, unit: &PlannedUnit, why: String) -> MissingUnit {
    let (split, subset) = (unit.split.clone(), unit.subset.clone());
    MissingUnit { shard: unit.shard, task: task.task.clone(), split, subset, why }
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
fn narrowed(member: &Selected, reports: &BTreeMap<&str, TaskReport>) -> Option<TaskReport> {
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
