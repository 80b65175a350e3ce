//! Finds what the shards of a plan have made of a unit, and why it is not there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mteb_json::Json;
use mteb_results::identity::{DataFacts, UnitFacts, model_differences};
use mteb_results::{ResultFile, ResultStore, UnitName, check_unit};
use mteb_shards::{PlannedTask, PlannedUnit};

use super::joined::FoundByShard;
use super::merge::{Merge, MissingUnit};
use super::pins::from_value;
use super::units::ranges_of;
use crate::run::ranges_file::RangesFile;

impl Merge<'_> {
    /// The result of a unit in the first folder of its shard that has one: the number of its file, and the folder.
    pub(super) fn find(
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
            let file = &files[number];
            if let Err(fault) = check_unit(file, &unit.split, &unit.subset) {
                why = Some(format!("its result cannot be right: {fault}"));
                continue;
            }
            let model = file.model(&unit.split, &unit.subset).cloned().unwrap_or(Json::Null);
            let facts = file.facts(&unit.split, &unit.subset).and_then(UnitFacts::from_json);
            match self.fault((&model, facts), unit, whose) {
                None => return Ok((number, folder)),
                Some(fault) => why = Some(fault),
            }
        }
        Err(why.unwrap_or_else(|| self.why_missing((task, unit), unit.shard)))
    }

    /// What all shards have found in their ranges of a unit; those that have not come back as missing.
    pub(super) fn find_ranges(
        &self,
        (model, task, unit): (&Path, &PlannedTask, &PlannedUnit),
        whose: Option<&Json>,
    ) -> Result<Vec<FoundByShard>, Vec<MissingUnit>> {
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        let mut whose = whose.cloned();
        for shard in unit.shards() {
            match self.find_ranges_of((model, task, unit), shard, whose.as_ref()) {
                Ok(of_shard) => {
                    whose = whose.or_else(|| of_shard.file.head.get("host").cloned());
                    found.push(of_shard);
                }
                Err(why) => missing.push(MissingUnit::new((task, unit), shard, why)),
            }
        }
        if missing.is_empty() { Ok(found) } else { Err(missing) }
    }

    /// What one shard has found in its ranges, in the first of its folders that has them.
    fn find_ranges_of(
        &self,
        (model, task, unit): (&Path, &PlannedTask, &PlannedUnit),
        shard: usize,
        whose: Option<&Json>,
    ) -> Result<FoundByShard, String> {
        let name = UnitName { task: &task.task, split: &unit.split, subset: &unit.subset };
        let mut why = None;
        for (folder, _) in self.shards.iter().filter(|(_, state)| state.shard == shard) {
            let folder = folder.join(model);
            let file = match RangesFile::read(&RangesFile::path(&folder, name)) {
                Ok(Some(file)) => file,
                Ok(None) => continue,
                Err(fault) => {
                    why = Some(fault.to_string());
                    continue;
                }
            };
            let model = file.head.get("host").and_then(|host| host.get("model")).cloned();
            let facts = file.head.get("unit").and_then(UnitFacts::from_json);
            why = self.fault((&model.unwrap_or(Json::Null), facts), unit, whose);
            if file.ranges() != Some(ranges_of(unit, shard)) {
                why = Some("its ranges are other ones than the plan says".to_owned());
            }
            if why.is_none() {
                return Ok(FoundByShard { folder, file });
            }
        }
        Err(why.unwrap_or_else(|| self.why_missing((task, unit), shard)))
    }

    /// Why the result of a unit is none of the plan, of this model and made from this.
    fn fault(
        &self,
        (model, facts): (&Json, Option<UnitFacts>),
        unit: &PlannedUnit,
        whose: Option<&Json>,
    ) -> Option<String> {
        let mut planned = from_value(&self.plan.model);
        // Several sizes of embeddings are made of one model.
        for key in ["dimension", "similarity", "compression"] {
            if let Some(made) = model.get(key).filter(|_| model.get("compression").is_some()) {
                planned.set(key, made.clone());
            }
        }
        if let Some(other) = model_differences(&planned, model).first() {
            return Some(format!("its result is of another model: {other}"));
        }
        let known = whose.and_then(|host| host.get("model"));
        if let Some(other) = known.and_then(|known| model_differences(known, model).into_iter().next()) {
            return Some(format!("its result is of another model than those before it: {other}"));
        }
        let Some(facts) = facts else { return Some("nothing says what its result was made from".to_owned()) };
        if unit.first_stage.is_some() && unit.first_stage != facts.first_stage {
            return Some("its result is of other rankings of the first stage".to_owned());
        }
        let planned = DataFacts::from_json(&from_value(&unit.data))?;
        planned.difference(&facts.data).map(|change| format!("its result is of other data: {change}"))
    }

    /// Why a shard has nothing of a unit.
    pub(super) fn why_missing(&self, (task, unit): (&PlannedTask, &PlannedUnit), shard: usize) -> String {
        let states = self.shards.iter().filter(|(_, state)| state.shard == shard);
        let failed = states.flat_map(|(_, state)| &state.failures).find(|failed| {
            (&failed.task, &failed.split, &failed.subset) == (&task.task, &unit.split, &unit.subset)
        });
        let not_yet =
            if unit.ranges.is_empty() { "not scored yet" } else { "its part of the unit is not done yet" };
        failed.map_or_else(|| not_yet.to_owned(), |failed| failed.reason.clone())
    }
}
