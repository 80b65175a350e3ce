//! The result file of a task whose units several shards have scored: what one run on one machine writes.

use mteb_card::TaskCard;
use mteb_json::Json;
use mteb_results::ResultFile;
use mteb_results::footprint::summed;

use crate::run::unknown_results::{leave_out_other_revisions, leave_out_other_types};

/// A unit of a task, and the file of the shard that scored it.
pub struct ScoredUnit<'a> {
    /// Its split.
    pub split: &'a str,
    /// Its subset.
    pub subset: &'a str,
    /// Number of its file.
    pub file: usize,
}

/// The units of one task, with the files of all shards that have scored some.
pub struct ScoredTask<'a> {
    /// The card of the task.
    pub card: &'a TaskCard,
    /// The files, by shard.
    pub files: &'a [ResultFile],
    /// Number of shards that have scored some, or searched a part of a corpus.
    pub shards: usize,
    /// Its units in the order of the card.
    pub units: &'a [ScoredUnit<'a>],
    /// Who the model is and who scored it.
    pub host: &'a Json,
}

impl ScoredTask<'_> {
    /// The file with all units, in place of what was `found`; other units that are there stay. A file that has them all stays as it is, so
    /// that to merge again changes nothing.
    pub fn file(&self, found: Option<ResultFile>) -> ResultFile {
        let mut next = ResultFile::of_card(found, self.card);
        if self.is_in(&next) {
            return next;
        }
        leave_out_other_types(&mut next, self.card);
        leave_out_other_revisions(&mut next, self.card);
        for unit in self.units {
            next.remove(unit.split, unit.subset);
        }
        let sum: f64 = self.files.iter().map(|file| file.evaluation_time).sum();
        next.evaluation_time = if next.splits.is_empty() { sum } else { next.evaluation_time + sum };
        let subsets = self.card.subset_names();
        for unit in self.units {
            let entry = self.files[unit.file].entry(unit.split, unit.subset);
            entry.into_iter().for_each(|entry| {
                next.insert(unit.split, entry.clone(), &self.card.eval_splits, &subsets);
            });
        }
        next.set_host(self.host);
        for unit in self.units {
            next.set_facts(unit.split, unit.subset, self.facts(unit));
        }
        next.order_facts();
        let footprints: Vec<&Json> =
            self.files.iter().filter_map(|file| file.host.get("footprint")).collect();
        let mut footprint = summed(&footprints);
        if footprints.len() > 1 {
            footprint.set("shards", Json::Int(self.shards as i64));
        }
        next.host.set("footprint", footprint);
        self.card.revision().clone_into(&mut next.dataset_revision);
        next.date = self.files.iter().map(|file| file.date).fold(0.0, f64::max);
        next.phases = self.files.iter().flat_map(|file| file.phases.iter().cloned()).collect();
        next
    }

    /// What a unit was made from, as the file of all says it.
    fn facts(&self, unit: &ScoredUnit) -> Json {
        let mut facts = self.files[unit.file].facts(unit.split, unit.subset).cloned().unwrap_or(Json::Null);
        facts.remove("model");
        facts
    }

    /// True if `file` has all units as the shards have them.
    fn is_in(&self, file: &ResultFile) -> bool {
        let model = self.host.get("model");
        self.units.iter().all(|unit| {
            let here = file.entry(unit.split, unit.subset).map(|entry| entry.json.to_python(0));
            let there =
                self.files[unit.file].entry(unit.split, unit.subset).map(|entry| entry.json.to_python(0));
            let mut facts = file.facts(unit.split, unit.subset).cloned().unwrap_or(Json::Null);
            facts.remove("model");
            here == there
                && facts.to_python(0) == self.facts(unit).to_python(0)
                && file.model(unit.split, unit.subset) == model
        })
    }
}
