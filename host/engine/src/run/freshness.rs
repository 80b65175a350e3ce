//! Which existing results are still valid for this data, card and model, and what has changed for
//! the others.

use std::collections::{BTreeMap, HashSet};

use mteb_cache::UNPINNED;
use mteb_json::Json;
use mteb_models::encode::{prompt_for, role_name};
use mteb_models::model::Bm25Model;
use mteb_registry::{Selected, option_changes, options_of_unit};
use mteb_results::identity::{Chain, DataFacts, OTHER_EARLIER, UnitFacts, model_changes};
use mteb_results::{ResultFile, UnitName, check_main_score, check_unit, kept_facts};
use mteb_source::DataSources;
use mteb_tasks::{Evaluator, Ranges, Role};

use super::options::RunContext;
use super::part::own_units;
use super::ranges_file::RangesFile;
use super::searched::kept_json;
use super::{Overwrite, UnitOutcome};

/// Why a result is not valid that does not record what it was computed from.
const NOTHING_KNOWN: &str =
    "its result does not record what it was made from (`--keep-unknown` keeps such results)";

/// Why a result is not valid if its model may have changed unnoticed.
const UNPINNED_MODEL: &str = "its model names no `revision`, so it is unknown whether it changed \
                              (`--keep-unknown` keeps such results)";

/// What the run does with a unit.
#[derive(Clone, Debug, PartialEq)]
pub enum Freshness {
    /// It has no result.
    Missing,
    /// Its result is still valid; the main score.
    Stands(f64),
    /// Its part of the corpus was searched, and the result of that is still valid.
    Searched,
    /// It is scored again because something changed.
    Changed(Vec<String>),
    /// Its data cannot be read as before. The error is reported when the data is read next.
    Unread,
    /// It is scored again because it is unknown what its result was computed from; the reason.
    Unknown(&'static str),
    /// It is scored again because the user asked for it.
    Forced,
}

impl Freshness {
    /// The valid result of the unit; `None` if the unit must be scored.
    pub fn standing(&self) -> Option<UnitOutcome> {
        match self {
            Self::Stands(main_score) => Some(UnitOutcome::Found(*main_score)),
            Self::Searched => Some(UnitOutcome::Searched),
            _ => None,
        }
    }
}

/// The selected units, and what the run does with each.
pub type UnitsFreshness<'a> = BTreeMap<(&'a str, &'a str), Freshness>;

/// Compares what `file` records about the inputs of a task's units with the current inputs.
pub fn check_freshness<'a>(
    context: &RunContext,
    selected: &'a Selected,
    evaluator: &dyn Evaluator,
    file: &ResultFile,
    sources: &mut DataSources,
) -> UnitsFreshness<'a> {
    let asked: HashSet<(&str, &str)> =
        own_units(context.options.part.as_deref(), selected).into_iter().collect();
    if context.options.overwrite == Overwrite::Always {
        return asked.into_iter().map(|unit| (unit, Freshness::Forced)).collect();
    }
    let mut check =
        FreshnessCheck { context, selected, file, sources, chain: evaluator.draws().then(Chain::default) };
    let mut freshness = UnitsFreshness::new();
    for unit in context.options.draws.units(selected) {
        let is_asked = asked.contains(&unit);
        if is_asked {
            freshness.insert(unit, check.unit(unit));
        }
        check.go_on(unit);
    }
    freshness
}

struct FreshnessCheck<'a> {
    context: &'a RunContext<'a>,
    selected: &'a Selected,
    file: &'a ResultFile,
    sources: &'a mut DataSources,
    /// The inputs of earlier units, if the draws of later units continue theirs; `None` if that
    /// does not matter or is unknown.
    chain: Option<Chain>,
}

impl FreshnessCheck<'_> {
    fn unit(&mut self, (split, subset): (&str, &str)) -> Freshness {
        let task = &self.selected.entry.card.name;
        let part = self.context.options.part.as_deref();
        if let Some(ranges) = part.and_then(|part| part.ranges(task, (split, subset))) {
            return self.searched((split, subset), ranges);
        }
        let Some(entry) = self.file.entry(split, subset) else { return Freshness::Missing };
        // A result stays valid if only the card's main score has changed.
        let options = self.file.facts(split, subset).and_then(|facts| facts.get("options"));
        let main_score = options.and_then(|options| options.get("main_score")).and_then(Json::as_text);
        let main_score = main_score.unwrap_or_else(|| self.selected.entry.card.main_score());
        let meant = Some((main_score, self.selected.entry.card.task_type));
        let checked = check_unit(self.file, split, subset)
            .and_then(|()| check_main_score(entry, meant, !self.file.is_of_others(split, subset)));
        let fault = checked.err().map(|fault| format!("its result cannot be right: {fault}"));
        let mut changes = Vec::from_iter(fault);
        let nothing = Json::Null;
        let model = self.file.model(split, subset).unwrap_or(&nothing);
        let now = self.context.host.get("model").unwrap_or(&nothing);
        let (change, mut is_known) = match model_changes(model, now) {
            Ok(change) => (change, true),
            Err(change) => (change, false),
        };
        changes.extend(change.map(|change| format!("model changed: {change}")));
        let languages = self.selected.entry.card.subset_languages(subset);
        if self.context.ranks && Bm25Model::tells_apart(&entry.languages(), languages) {
            changes.push(format!("languages changed, by which words are stemmed: {}", languages.join(", ")));
        }
        match self.file.facts(split, subset).and_then(UnitFacts::from_json) {
            Some(facts) => match self.sources.facts(&self.selected.entry, split, subset, Some(&facts.data)) {
                Ok(data) => self.compare(&facts, &data, (split, subset), &mut changes),
                Err(_) => return Freshness::Unread,
            },
            None => {
                is_known = false;
                let revision = self.selected.entry.card.revision();
                if self.file.revision_of(split, subset) != revision {
                    changes.push(format!("data changed: revision {revision}"));
                }
            }
        }
        if changes.is_empty() {
            changes.extend(self.contradiction((split, subset), entry.main_score()));
            changes.extend(self.missing_files((split, subset)));
        }
        let is_unpinned = self.context.info.meta.contains_key(UNPINNED);
        if !changes.is_empty() {
            Freshness::Changed(changes)
        } else if (is_known && !is_unpinned) || self.context.options.keep_unknown {
            let is_of_others = self.file.is_of_others(split, subset);
            Freshness::Stands(if is_of_others {
                entry.main_score_of_others(main_score)
            } else {
                entry.main_score()
            })
        } else {
            Freshness::Unknown(if is_unpinned { UNPINNED_MODEL } else { NOTHING_KNOWN })
        }
    }

    /// What is to be done with a unit of which these `ranges` are searched here.
    fn searched(&mut self, (split, subset): (&str, &str), ranges: &Ranges) -> Freshness {
        let unit = UnitName { task: &self.selected.entry.card.name, split, subset };
        let path = RangesFile::path(self.context.store.folder(), unit);
        // Damaged ranges are searched again.
        let Ok(Some(file)) = RangesFile::read(&path) else { return Freshness::Missing };
        let nothing = Json::Null;
        let model = file.head.get("host").and_then(|host| host.get("model")).unwrap_or(&nothing);
        let now = self.context.host.get("model").unwrap_or(&nothing);
        let Some(facts) = file.head.get("unit").and_then(UnitFacts::from_json) else {
            return Freshness::Missing;
        };
        let Ok(data) = self.sources.facts(&self.selected.entry, split, subset, Some(&facts.data)) else {
            return Freshness::Unread;
        };
        let mut changes = Vec::new();
        let change = model_changes(model, now).unwrap_or_else(|change| change);
        changes.extend(change.map(|change| format!("model changed: {change}")));
        self.compare(&facts, &data, (split, subset), &mut changes);
        let is_wanted = file.ranges().as_ref() == Some(ranges)
            && file.head.get("kept") == Some(&kept_json(self.context.options.keep));
        if !is_wanted {
            changes.push("its ranges are other ones, or fewer documents of each query were kept".to_owned());
        }
        if !changes.is_empty() {
            return Freshness::Changed(changes);
        }
        let is_unpinned = self.context.info.meta.contains_key(UNPINNED) && !self.context.options.keep_unknown;
        if is_unpinned { Freshness::Unknown(UNPINNED_MODEL) } else { Freshness::Searched }
    }

    fn compare(&self, facts: &UnitFacts, data: &DataFacts, unit: (&str, &str), changes: &mut Vec<String>) {
        let entry = &self.selected.entry;
        changes.extend(facts.data.change(data));
        if let Some(chain) = &self.chain
            && !chain.is(facts.earlier.as_deref())
        {
            changes.push(OTHER_EARLIER.to_owned());
        }
        let name = UnitName { task: &entry.card.name, split: unit.0, subset: unit.1 };
        let hash = self.context.options.first_stage.as_ref().map(|first| first.hash(name));
        let is_same = match (&hash, &facts.first_stage) {
            (None, None) => true,
            (Some(Ok(found)), Some(known)) => found == known,
            // Data that cannot be read is reported when the unit is planned.
            _ => false,
        };
        if !is_same {
            changes.push("the rankings of the first stage changed".to_owned());
        }
        if !facts.measures.cover(&self.context.options.measures) {
            changes.push("its measures differ from those selected".to_owned());
        }
        let options = option_changes(&facts.options, &options_of_unit(&entry.card, unit.1), unit);
        changes.extend(options.map(|change| format!("options changed: {change}")));
        let roles: Vec<String> = facts
            .prompts
            .iter()
            .filter(|(role, prompt)| !self.is_prompt(role, prompt))
            .map(|(role, _)| role.clone())
            .collect();
        if !roles.is_empty() {
            changes.push(format!("prompts changed: {}", roles.join(", ")));
        }
    }

    /// What the outcomes beside the score say against it.
    fn contradiction(&self, (split, subset): (&str, &str), main_score: f64) -> Option<String> {
        let unit = UnitName { task: &self.selected.entry.card.name, split, subset };
        let made_from = self.made_from((split, subset), None);
        let found = self.context.kept.contradiction(unit, &made_from, main_score);
        found.map(|fault| format!("its result cannot be right: {fault}"))
    }

    /// What files beside the score say that they were made from.
    fn made_from(&self, (split, subset): (&str, &str), depth: Option<usize>) -> Json {
        let nothing = Json::Null;
        let model = self.file.model(split, subset).unwrap_or(&nothing);
        kept_facts(model, self.file.facts(split, subset).unwrap_or(&nothing), depth)
    }

    /// Requested companion files that are missing, damaged, or computed from other inputs than the
    /// score.
    fn missing_files(&self, (split, subset): (&str, &str)) -> Vec<String> {
        let RunContext { kept, options, info, .. } = self.context;
        let unit = UnitName { task: &self.selected.entry.card.name, split, subset };
        let made_from = |depth| self.made_from((split, subset), depth);
        let mut missing = Vec::new();
        if options.keep.outcomes && self.selected.entry.card.has_outcomes() {
            missing.extend(kept.standing_of_outcomes(unit, &made_from(None)).reason("outcomes"));
        }
        if !self.selected.entry.card.task_type.is_ranking() {
            return missing;
        }
        if options.keep.rankings {
            let made_from = made_from(Some(options.keep.depth));
            missing.extend(kept.standing_of_rankings(unit, &made_from).reason("rankings"));
        }
        if options.keep.predictions {
            let standing = kept.standing_of_predictions(unit, &info.identity, options.keep.rankings);
            missing.extend(standing.reason("predictions"));
        }
        missing
    }

    /// True if texts with `role` currently get this prompt.
    fn is_prompt(&self, role: &str, prompt: &str) -> bool {
        let prompts = &self.context.info.prompts;
        let roles = [None, Some(Role::Query), Some(Role::Document)];
        let role = roles.into_iter().find(|known| role_name(*known).unwrap_or("text") == role);
        role.is_some_and(|role| prompt_for(prompts, &self.selected.entry.card, role) == prompt)
    }

    /// Takes a unit into what later ones continue.
    fn go_on(&mut self, (split, subset): (&str, &str)) {
        let Some(chain) = &mut self.chain else { return };
        let entry = &self.selected.entry;
        let before = self.file.facts(split, subset).and_then(UnitFacts::from_json).map(|facts| facts.data);
        let data = self.sources.facts(entry, split, subset, before.as_ref());
        match data {
            Ok(data) => chain.push((split, subset), &options_of_unit(&entry.card, subset), &data),
            Err(_) => self.chain = None,
        }
    }
}
