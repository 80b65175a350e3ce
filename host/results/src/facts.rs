//! What the host adds to a result file: who the model is, and what each unit was made from.

use std::collections::{BTreeMap, HashMap};

use mteb_card::OTHERS;
use mteb_json::Json;
use serde_json::Value;

use super::ResultFile;
use super::identity::hash_of_units;

impl ResultFile {
    /// What the file says a unit was made from.
    pub fn facts(&self, split: &str, subset: &str) -> Option<&Json> {
        self.host.get("units")?.get(split)?.get(subset)
    }

    /// The same of all units, by split and subset.
    pub(super) fn all_facts(&self) -> impl Iterator<Item = ((&str, &str), &Json)> {
        let units = self.host.get("units").and_then(Json::as_map).unwrap_or_default().iter();
        units.flat_map(|(split, subsets)| {
            let subsets = subsets.as_map().unwrap_or_default().iter();
            subsets.map(move |(subset, facts)| ((split.as_str(), subset.as_str()), facts))
        })
    }

    /// The model of a unit: its own, where it is not that of the file; `None` if the file does not
    /// say.
    pub fn model(&self, split: &str, subset: &str) -> Option<&Json> {
        let own = self.facts(split, subset).and_then(|facts| facts.get("model"));
        own.or_else(|| self.host.get("model")).filter(|model| **model != Json::Null)
    }

    /// What was said of the data of units when they were scored, by split and subset.
    pub fn warnings(&self) -> HashMap<(&str, &str), Vec<String>> {
        let said = self.all_facts().filter_map(|(unit, facts)| {
            let lists = ["warnings", "notes"].into_iter().filter_map(|key| facts.get(key)?.as_list());
            let lines: Vec<String> = lists.flatten().filter_map(Json::as_text).map(str::to_owned).collect();
            (!lines.is_empty()).then_some((unit, lines))
        });
        said.collect()
    }

    /// Data and options of a unit as text: equal texts mean scores that can be compared; `None` if
    /// the file does not say. Of a mean of other tasks it is what those were made from.
    pub fn made_from(&self, split: &str, subset: &str) -> Option<String> {
        let (data, options) = made_from(self.facts(split, subset)?)?;
        Some(format!("{data}{options}"))
    }

    /// Hash over what the units of a split were made from; `None` if the split is not there, or the
    /// file does not say it of all of them.
    pub fn split_made_from(&self, split: &str) -> Option<String> {
        let scores = self.splits.iter().find(|found| found.split == split)?;
        hash_of_units(
            scores
                .entries
                .iter()
                .map(|entry| Some((entry.subset.as_str(), self.made_from(split, &entry.subset)?))),
        )
    }

    /// Makes `host` what the file says of its model and of who scored; entries of another model,
    /// and those that others scored, keep theirs, marked.
    pub fn set_host(&mut self, host: &Json) {
        let (before, now) = (self.host.get("model").cloned(), host.get("model").cloned());
        if before == now {
            return self.head(host);
        }
        let of_others = Json::object([("dataset_revision", Json::from(self.dataset_revision.as_str()))]);
        let of_others = (!self.is_ours()).then_some(of_others);
        let places: Vec<(String, String)> = self
            .splits
            .iter()
            .flat_map(|split| split.entries.iter().map(|entry| (split.split.clone(), entry.subset.clone())))
            .collect();
        for (split, subset) in places {
            let mut facts = self.facts(&split, &subset).cloned().unwrap_or(Json::Map(Vec::new()));
            match facts.get("model") {
                Some(own) if Some(own) == now.as_ref() => facts.remove("model"),
                Some(_) => {}
                None => facts.set("model", before.clone().unwrap_or(Json::Null)),
            }
            if let Some(of_others) = &of_others {
                facts.set(OTHERS, of_others.clone());
            }
            self.set_facts(&split, &subset, facts);
        }
        self.head(host);
    }

    /// Notes what a unit was made from, by the model of the file.
    pub fn set_facts(&mut self, split: &str, subset: &str, facts: Json) {
        let units = at(&mut self.host, "units");
        if let Some(subsets) = units.and_then(|units| at(units, split)) {
            subsets.set(subset, facts);
        }
    }

    /// Puts what is said of units into the order of the entries, and the prompts that were used
    /// together.
    pub fn order_facts(&mut self) {
        let (mut units, mut prompts) = (Vec::new(), BTreeMap::new());
        for split in &self.splits {
            let said = self.host.get("units").and_then(|units| units.get(&split.split));
            // Some tasks have tens of thousands of subsets.
            let said: HashMap<&str, &Json> = said
                .and_then(Json::as_map)
                .unwrap_or_default()
                .iter()
                .map(|(subset, facts)| (subset.as_str(), facts))
                .collect();
            let mut subsets = Vec::new();
            for entry in &split.entries {
                let Some(facts) = said.get(entry.subset.as_str()) else { continue };
                let used = facts.get("prompts").and_then(Json::as_map).unwrap_or_default();
                let is_of_this_model = facts.get("model").is_none();
                let used = used.iter().filter(|_| is_of_this_model);
                prompts
                    .extend(used.filter_map(|(role, text)| Some((role.clone(), text.as_text()?.to_owned()))));
                subsets.push((entry.subset.clone(), (*facts).clone()));
            }
            units.push((split.split.clone(), Json::Map(subsets)));
        }
        self.host.set("prompts", Json::texts(&prompts));
        self.host.set("units", Json::Map(units));
    }

    fn head(&mut self, host: &Json) {
        for (key, value) in host.as_map().unwrap_or_default() {
            self.host.set(key, value.clone());
        }
    }
}

/// Data and options of a unit, by what is said of it, as readers of the file find them who know
/// nothing of Python's form. Of a mean of other tasks it is what those were made from, in place of
/// data.
pub(super) fn made_from(facts: &Json) -> Option<(Value, Value)> {
    let members = facts.get("members");
    let mut data = Value::from(members.or_else(|| facts.get("data"))?);
    if let (Value::Object(entries), None) = (&mut data, members) {
        // Whoever packs the same rows anew changes nothing.
        entries.shift_remove("code");
    }
    Some((data, Value::from(facts.get("options")?)))
}

/// The object under `key` of an object, which is made where there is none.
fn at<'a>(object: &'a mut Json, key: &str) -> Option<&'a mut Json> {
    if object.get(key).is_none() {
        object.set(key, Json::Map(Vec::new()));
    }
    object.get_mut(key)
}

/// What a file beside a score was made from; of rankings also how many documents of a query it has.
pub fn kept_facts(model: &Json, unit: &Json, depth: Option<usize>) -> Json {
    let mut unit = unit.clone();
    if let Json::Map(entries) = &mut unit {
        // The model stands beside it.
        entries.retain(|(key, _)| key != "model");
    }
    let mut facts = Json::object([("model", model.clone()), ("unit", unit)]);
    if let Some(depth) = depth {
        facts.set("depth", Json::Int(depth as i64));
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::super::SubsetScores;
    use super::*;

    fn host(model: &str) -> Json {
        Json::object([("model", Json::from(model))])
    }

    fn file(subsets: &[&str], model: &str) -> ResultFile {
        let mut file = ResultFile::new("T", "1", host(model));
        for subset in subsets {
            let entry = SubsetScores::new(subset, Json::Map(Vec::new()), Json::Float(0.5), &[]);
            file.insert("test", entry, &["test".to_owned()], subsets);
        }
        file
    }

    #[test]
    fn entries_of_another_model_stay_and_are_marked() {
        let mut file = file(&["ind", "jav"], "old");
        file.set_host(&host("new"));
        file.set_facts("test", "ind", Json::Map(Vec::new()));
        assert_eq!(file.model("test", "ind"), Some(&Json::from("new")));
        assert_eq!(file.model("test", "jav"), Some(&Json::from("old")));
        file.set_host(&host("old"));
        assert_eq!(file.model("test", "ind"), Some(&Json::from("new")));
        assert_eq!(file.facts("test", "jav"), Some(&Json::Map(Vec::new())));
    }

    #[test]
    fn an_entry_of_a_file_without_a_model_is_of_an_unknown_one() {
        let mut file = ResultFile { host: Json::Null, ..file(&["ind", "jav"], "") };
        file.set_host(&host("new"));
        file.set_facts("test", "ind", Json::Map(Vec::new()));
        assert_eq!(file.model("test", "jav"), None);
    }
}
