//! What a card writes out of where its parts are although they are there anyway. Whoever compares also compares the files that were
//! read: only names that no other part has by default are left out, so that equal files and equal rests mean equal parts.

use serde_json::{Map, Value};

use super::Part;

/// Split that training rows come from.
pub const TRAIN_SPLIT: &str = "train";

/// Where the parts of one unit are by default.
pub(super) struct UsualPlaces<'a> {
    split: &'a str,
    subset: &'a str,
    /// The config of the subset, or its name.
    config: String,
    /// The one config of rows that have no subsets, or share one.
    shared: String,
    train: String,
    is_merged: bool,
    /// True where the part stands before the subset in the name of a config.
    is_suffix: bool,
    is_config_per_subset: bool,
}

impl<'a> UsualPlaces<'a> {
    /// Those of the unit (split, subset), from the options `dataset` and `subset` of its card; `None` of a layout that knows no places of
    /// parts.
    pub fn new(
        (split, subset): (&'a str, &'a str),
        dataset: &Map<String, Value>,
        own: Option<&Value>,
    ) -> Option<Self> {
        let text = |key: &str| dataset.get(key).and_then(Value::as_str);
        let layout = text("layout").unwrap_or("config-per-subset");
        let config = own.and_then(|own| own.get("config")).and_then(Value::as_str).unwrap_or(subset);
        (layout != "belebele").then(|| Self {
            split,
            subset,
            config: config.to_owned(),
            shared: text("config").unwrap_or("default").to_owned(),
            train: text("train_split").unwrap_or(TRAIN_SPLIT).to_owned(),
            is_merged: dataset.get("merge_splits").and_then(|merged| merged.get(split)).is_some(),
            is_suffix: layout == "part-suffix",
            is_config_per_subset: matches!(layout, "config-per-subset" | "part-suffix"),
        })
    }

    /// Takes out of `source`, what a card says of the part called `name`, where the part is anyway.
    pub fn leave_out(&self, name: &str, source: &mut Map<String, Value>) {
        let Some(part) = Part::from_name(name) else { return };
        source.retain(|key, value| {
            let Some(value) = value.as_str() else { return true };
            let value = value.replace("{subset}", &self.config).replace("{split}", self.split);
            match key.as_str() {
                "config" => !self.configs(part).contains(&value),
                "split" => !self.is_split(part, &value),
                "file" => !self.is_file(part, &value),
                _ => true,
            }
        });
    }

    /// The split that holds a part of rows; `None` of parts of rankings, which are more than a split.
    fn split_of_rows(&self, part: Part) -> Option<&str> {
        match part {
            Part::Rows => Some(self.split),
            Part::Train => Some(&self.train),
            Part::Corpus
            | Part::Queries
            | Part::Qrels
            | Part::TopRanked
            | Part::Excluded
            | Part::Instruction
            | Part::QrelDiff => None,
        }
    }

    /// Names that the config of the part may have without being named.
    fn configs(&self, part: Part) -> Vec<String> {
        let is_alone = self.subset == "default";
        if !part.is_of_rankings() {
            let is_shared = is_alone || !self.is_config_per_subset;
            return vec![if is_shared { self.shared.clone() } else { self.config.clone() }];
        }
        let of_subset = |name: &&str| match self.is_suffix {
            true => format!("{name}-{}", self.config),
            false => format!("{}-{name}", self.config),
        };
        let mut configs: Vec<String> = part.configs().iter().map(of_subset).collect();
        if is_alone {
            configs.extend(part.configs().iter().map(|name| (*name).to_owned()));
        }
        configs.extend(part.shared_config().map(str::to_owned));
        configs
    }

    fn is_split(&self, part: Part, name: &str) -> bool {
        if let Some(own) = self.split_of_rows(part) {
            return name == own;
        }
        if name == self.split {
            // A split that is named is taken as it is, though the card makes one of several of that name.
            return !self.is_merged;
        }
        !part.is_of_a_split() && (name == part.as_str() || self.configs(part).iter().any(|own| own == name))
    }

    fn is_file(&self, part: Part, path: &str) -> bool {
        let (folder, file) =
            path.rsplit_once('/').map_or((None, path), |(folder, file)| (Some(folder), file));
        let stem = file.split('.').next().unwrap_or(file);
        let is_folder =
            |names: &[String]| folder.is_none_or(|folder| names.iter().any(|name| name == folder));
        let configs = self.configs(part);
        match self.split_of_rows(part) {
            Some(split) => stem == split && !self.is_merged && is_folder(&configs),
            None if folder.is_none() => configs.iter().any(|name| name == stem),
            None => stem == self.split && is_folder(&configs),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn left(unit: (&str, &str), dataset: Value, part: &str, mut source: Value) -> Value {
        let places = UsualPlaces::new(unit, dataset.as_object().unwrap(), None).unwrap();
        places.leave_out(part, source.as_object_mut().unwrap());
        source
    }

    #[test]
    fn the_place_where_a_part_is_anyway_says_nothing() {
        let alone = ("test", "default");
        for (part, source) in [
            ("corpus", json!({"config": "corpus", "split": "corpus"})),
            ("corpus", json!({"file": "corpus.jsonl"})),
            ("queries", json!({"file": "query.csv", "split": "test"})),
            ("qrels", json!({"file": "qrels/{split}.tsv", "config": "qrels"})),
            ("rows", json!({"split": "{split}", "config": "default"})),
            ("rows", json!({"file": "test.csv"})),
            ("train", json!({"file": "train.csv", "split": "train"})),
        ] {
            assert_eq!(left(alone, json!({}), part, source.clone()), json!({}), "{part}: {source}");
        }
        let several = ("dev", "ind");
        assert_eq!(left(several, json!({}), "corpus", json!({"config": "{subset}-corpus"})), json!({}));
        let suffix = json!({"layout": "part-suffix"});
        assert_eq!(left(several, suffix, "corpus", json!({"config": "corpus-ind"})), json!({}));
        assert_eq!(
            left(several, json!({}), "rows", json!({"config": "ind", "file": "ind/dev.csv"})),
            json!({})
        );
    }

    #[test]
    fn another_place_counts() {
        let alone = ("test", "default");
        for (part, source) in [
            ("corpus", json!({"config": "queries"})),
            ("corpus", json!({"file": "docs.jsonl"})),
            ("qrels", json!({"split": "dev"})),
            ("qrels", json!({"file": "qrels/dev.tsv"})),
            ("rows", json!({"split": "train"})),
            ("train", json!({"file": "test.csv"})),
            ("train", json!({"split": "test", "without": ["title"]})),
        ] {
            assert_eq!(left(alone, json!({}), part, source.clone()), source, "{part}");
        }
        let merged = json!({"merge_splits": {"test": ["test", "dev"]}});
        assert_eq!(left(alone, merged, "qrels", json!({"split": "test"})), json!({"split": "test"}));
    }
}
