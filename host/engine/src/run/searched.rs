//! A unit of which this machine searches a part, of its corpus or of its pairs: what it finds goes
//! into a file, which `merge` joins with those of others.

use mteb_base::calendar;
use mteb_json::Json;
use mteb_models::encode::lock;
use mteb_results::footprint::{Counters, Energy, Footprint, Gpus};
use mteb_results::{KeepFiles, UnitName};
use mteb_tasks::{FoundInRanges, Keep, Ranges};

use super::error::UnitError;
use super::group::{MadeFrom, PlannedUnit};
use super::ranges_file::{RangesFile, ranges_json};
use super::score_unit::{Scoring, WithNotes, facts_json, with_session};
use super::task_scorer::{TaskScorer, report};
use super::{UnitOutcome, UnitReport};

/// How many documents of each query are kept beside the scores, as the file says it.
pub fn kept_json(keep: KeepFiles) -> Json {
    keep.depth().map_or(Json::Null, |depth| Json::Int(i64::try_from(depth).unwrap_or(i64::MAX)))
}

impl TaskScorer<'_> {
    /// Searches these `ranges` of a unit. `ahead` is what the unit has cost already.
    pub fn search(
        &mut self,
        unit: PlannedUnit,
        ranges: &Ranges,
        ahead: Counters,
        scoring: &Scoring,
    ) -> UnitReport {
        let PlannedUnit { split, subset, plan, of_folder, made_from, phases, seconds, works, .. } = unit;
        let (before, _) = self.log.take();
        let workers = self.context.setting.workers.iter().map(String::as_str);
        let (energy, gpus) = (Energy::from_now(), Gpus::from_now(workers));
        let card = &self.selected.entry.card;
        let keep = Keep { items: false, rankings: self.context.options.keep.depth() };
        let (found, asked) = match plan {
            Ok(plan) => {
                with_session(plan.as_ref(), card, (split, subset), &mut self.log, scoring, |session| {
                    Ok(plan.search_ranges(session, ranges, keep)?)
                })
            }
            Err(reason) => (Err(reason), Counters::default()),
        };
        let (own, searching_seconds) = self.log.take();
        let seconds = seconds + ahead.busy.as_secs_f64() + searching_seconds;
        let counters = ahead + asked;
        let counters = if found.is_ok() { counters } else { counters.of_failed() };
        self.report.counters = self.report.counters + counters;
        self.searched = self.searched + counters;
        self.report.seconds += seconds;
        let mut footprint = Footprint { works, counters, ..Footprint::default() };
        footprint.works += self.log.take_works();
        let processes = {
            let mut encoder = lock(scoring.encoder);
            footprint.worker_memory = encoder.worker_memory();
            encoder.worker_processes()
        };
        footprint.joules = energy.joules();
        footprint.gpu_memory = gpus.memory(&processes);
        footprint.gpu_joules = gpus.joules();
        // Of all shards that search it, one counts the unit.
        footprint.units = usize::from(ranges.has(0));
        let phases: Vec<Json> = [before, phases, own].iter().flatten().map(|phase| phase.to_json()).collect();
        let cost = [
            ("footprint", footprint.to_json(&self.context.setting)),
            ("seconds", Json::Float(seconds)),
            ("date", Json::Float(calendar::seconds())),
            ("phases", Json::List(phases)),
        ];
        let (outcome, mut warnings) = match self.keep_found(found, (split, subset), ranges, made_from, cost) {
            Ok(warnings) => (UnitOutcome::Searched, warnings),
            Err(error) => (UnitOutcome::Failed(error.reason()), Vec::new()),
        };
        warnings.splice(0..0, of_folder);
        report(split, subset, outcome, warnings)
    }

    /// Writes what was found; gives what there is to say of it.
    fn keep_found(
        &self,
        found: Result<WithNotes<FoundInRanges>, UnitError>,
        (split, subset): (&str, &str),
        ranges: &Ranges,
        made_from: Option<Box<MadeFrom>>,
        cost: [(&'static str, Json); 4],
    ) -> Result<Vec<String>, UnitError> {
        let WithNotes { result: found, warnings, notes, prompts } = found?;
        let made_from = made_from.ok_or(UnitError::NoFacts)?;
        made_from.check()?;
        let facts = facts_json(made_from.facts, prompts, (&notes, &notes));
        let head = Json::object(
            [
                ("host", self.context.host.clone()),
                ("unit", facts),
                ("ranges", ranges_json(ranges)),
                ("kept", kept_json(self.context.options.keep)),
            ]
            .into_iter()
            .chain(cost),
        );
        let name = UnitName { task: &self.selected.entry.card.name, split, subset };
        let path = RangesFile::path(self.context.store.folder(), name);
        let written = RangesFile { head, found }.write(&path);
        written.map_err(|error| UnitError::cannot_write(&path, "what was found", error))?;
        Ok(warnings)
    }
}
