//! Makes a plan: what it is for, what units are estimated to take, and which shard scores which.

use std::collections::{BTreeMap, BTreeSet};

use mteb_json::Json;
use mteb_registry::{Selected, options_of_unit};
use mteb_results::identity::DataFacts;
use mteb_results::{FirstStage, UnitName};
use mteb_shards::{Cost, PlannedRange, PlannedShard, PlannedTask, PlannedUnit, ShardPlan, pack, pack_within};
use mteb_source::{DataSources, SourceError};
use mteb_workers::plugins::Catalog;

use super::bundles::{UnitEstimate, bundles};
use super::pins::{pinned_model, plugins_of, to_value};

/// How many shards are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// So many.
    Shards(usize),
    /// As few as take no more than these seconds each.
    Seconds(f64),
}

/// What a plan is made of.
pub struct Planner<'a> {
    /// Version of the host.
    pub version: &'a str,
    /// Words of the command line that choose tasks, model and scoring, and those that say where things are.
    pub words: (Vec<String>, Vec<String>),
    /// What the model says of itself, and whether the device was named.
    pub model: (Json, bool),
    /// Whose rankings the model orders anew, if anybody's.
    pub first_stage: Option<FirstStage>,
    /// The tasks with data, in the order of a run.
    pub tasks: &'a [Selected],
    /// The plugins.
    pub catalog: &'a Catalog,
    /// By what times are estimated.
    pub cost: Cost,
    /// Estimates of all units, in order.
    pub estimates: Vec<UnitEstimate>,
}

impl Planner<'_> {
    /// The plan for this `target`; gives lines about data that could not be pinned, too.
    pub fn plan(self, target: Target, sources: &mut DataSources) -> (ShardPlan, Vec<String>) {
        let pieces: usize = self.estimates.iter().map(|estimate| estimate.ranges).sum();
        let bundles = bundles(self.tasks, &self.estimates);
        let (assigned, count) = match target {
            Target::Shards(count) => (pack(&bundles, pieces, count), count),
            Target::Seconds(budget) => pack_within(&bundles, pieces, budget),
        };
        let mut left = assigned.as_slice();
        let parts: Vec<(UnitEstimate, Vec<usize>)> = self
            .estimates
            .iter()
            .map(|estimate| {
                let (own, others) = left.split_at(estimate.ranges.min(left.len()));
                left = others;
                (*estimate, own.to_vec())
            })
            .collect();
        let mut shards = vec![PlannedShard { units: 0, seconds: 0.0 }; count];
        for (estimate, own) in &parts {
            let seconds = estimate.seconds / estimate.ranges as f64;
            own.iter().for_each(|&shard| shards[shard].seconds += seconds);
            let distinct: BTreeSet<usize> = own.iter().copied().collect();
            distinct.into_iter().for_each(|shard| shards[shard].units += 1);
        }
        shards.iter_mut().for_each(|shard| shard.seconds = round_seconds(shard.seconds));
        let mut notes = Vec::new();
        let mut numbered = parts.into_iter();
        let mut tasks = Vec::with_capacity(self.tasks.len());
        for selected in self.tasks {
            let first_stage = self.first_stage.as_ref();
            tasks.push(planned_task((selected, first_stage), &mut numbered, sources, &mut notes));
        }
        let is_cut = tasks.iter().flat_map(|task| &task.units).any(|unit| !unit.ranges.is_empty());
        let (arguments, places) = self.words;
        let plan = ShardPlan {
            schema: 1,
            mteb_host: self.version.to_owned(),
            arguments,
            places,
            model: pinned_model((&self.model.0, self.first_stage.as_ref()), self.model.1),
            plugins: plugins_of(self.tasks, self.catalog),
            cost: self.cost,
            smallest_piece: if is_cut { "range" } else { "unit" }.to_owned(),
            shards,
            tasks,
        };
        (plan, notes)
    }
}

fn planned_task(
    (selected, first_stage): (&Selected, Option<&FirstStage>),
    numbered: &mut impl Iterator<Item = (UnitEstimate, Vec<usize>)>,
    sources: &mut DataSources,
    notes: &mut Vec<String>,
) -> PlannedTask {
    let card = &selected.entry.card;
    let mut options = Vec::new();
    let mut units = Vec::new();
    for (split, subset) in selected.units() {
        let Some((estimate, shards)) = numbered.next() else { break };
        let shard = shards.first().copied().unwrap_or_default();
        let seconds = round_seconds(estimate.seconds / shards.len().max(1) as f64);
        // A shard that has all of a corpus scores the unit as one machine does.
        let is_cut = shards.iter().any(|other| *other != shard);
        let ranges = shards.into_iter().filter(|_| is_cut).map(|shard| PlannedRange { shard, seconds });
        let of_unit = to_value(&options_of_unit(card, subset));
        let place = options.iter().rposition(|known| *known == of_unit).unwrap_or_else(|| {
            options.push(of_unit);
            options.len() - 1
        });
        let data = data_of(selected, (split, subset), sources).unwrap_or_else(|reason| {
            notes.push(format!(
                "{}, split {split}, subset {subset}: its data is not pinned: {reason}",
                card.name
            ));
            Json::Null
        });
        let name = UnitName { task: &card.name, split, subset };
        let first_stage = first_stage.and_then(|first| {
            let hash = first.hash(name);
            hash.map_err(|reason| notes.push(format!("{name}: its first stage is not pinned: {reason}"))).ok()
        });
        units.push(PlannedUnit {
            split: split.to_owned(),
            subset: subset.to_owned(),
            shard,
            ranges: ranges.collect(),
            options: place,
            data: to_value(&data),
            first_stage,
            texts: estimate.texts,
            characters: estimate.characters,
            counted: estimate.counted,
            seconds: round_seconds(estimate.seconds),
        });
    }
    PlannedTask { task: card.name.clone(), revision: card.revision().to_owned(), options, units }
}

/// What the rows of a unit are read from; of a dataset that all can fetch at least its revision.
fn data_of(
    selected: &Selected,
    (split, subset): (&str, &str),
    sources: &mut DataSources,
) -> Result<Json, SourceError> {
    let card = &selected.entry.card;
    match sources.facts(&selected.entry, split, subset, None) {
        Ok(facts) => Ok(facts.to_json()),
        Err(error) => match card.dataset.fetched() {
            Some(dataset) if !card.revision().is_empty() => {
                let (dataset, revision) = (dataset.to_owned(), card.revision().to_owned());
                Ok(DataFacts::Fetched { dataset, revision, files: BTreeMap::new() }.to_json())
            }
            _ => Err(error),
        },
    }
}

/// Seconds with three decimals.
fn round_seconds(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
