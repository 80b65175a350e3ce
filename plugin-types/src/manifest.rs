//! What a plugin says of itself: its manifest.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The manifest a plugin exports as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the schema; always 1.
    pub schema: u32,
    /// What the plugin provides.
    pub kind: PluginKind,
    /// Name of the plugin: letters, digits, `-` and `_`.
    pub name: String,
    /// Version of the plugin; a part of the identity of its models.
    pub version: String,
    /// Methods that the plugin answers through `call`, besides the fixed functions.
    #[serde(default)]
    pub features: Vec<String>,
    /// SPDX licence expression; `license` is read, too.
    #[serde(default, alias = "license")]
    pub licence: String,
    /// What the plugin provides, in one sentence.
    #[serde(default)]
    pub description: String,
    /// Names of the models that `new_model` makes; a name ending in `*` matches all with that
    /// prefix.
    #[serde(default)]
    pub models: Vec<String>,
    /// Names of the tasks that `new_task` makes; `Name@edition` is the task `Name` of an earlier edition of the pack.
    #[serde(default)]
    pub tasks: Vec<String>,
}

/// What a plugin brings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PluginKind {
    /// Models: encoders or cross-encoders.
    #[default]
    Model,
    /// Tasks with their cards and data.
    TaskPack,
}

impl Default for Manifest {
    fn default() -> Self {
        Self {
            schema: 1,
            kind: PluginKind::Model,
            name: String::new(),
            version: String::new(),
            features: Vec::new(),
            licence: String::new(),
            description: String::new(),
            models: Vec::new(),
            tasks: Vec::new(),
        }
    }
}

impl Manifest {
    /// The manifest of a plugin that brings `models`. What it says beside comes behind it: `Manifest { licence, ..Manifest::model(…) }`.
    pub fn model(name: &str, version: &str, models: &[&str]) -> Self {
        Self { models: own_names(models), ..Self::of_kind(PluginKind::Model, name, version) }
    }

    /// The same of a pack that brings `tasks`.
    pub fn task_pack(name: &str, version: &str, tasks: &[&str]) -> Self {
        Self { tasks: own_names(tasks), ..Self::of_kind(PluginKind::TaskPack, name, version) }
    }

    fn of_kind(kind: PluginKind, name: &str, version: &str) -> Self {
        Self { kind, name: name.to_owned(), version: version.to_owned(), ..Self::default() }
    }

    /// True if the plugin names `model`, or has a pattern for it that says more than `*`, which takes any name.
    pub fn knows_model(&self, model: &str) -> bool {
        self.models.iter().any(|name| match name.strip_suffix('*') {
            Some(prefix) => !prefix.is_empty() && model.starts_with(prefix),
            None => name == model,
        })
    }

    /// True if one of the plugin's model names, or patterns, covers `model`.
    pub fn has_model(&self, model: &str) -> bool {
        self.models.iter().any(|name| match name.strip_suffix('*') {
            Some(prefix) => model.starts_with(prefix),
            None => name == model,
        })
    }
}

fn own_names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A name and the earlier edition that it is of: `Name@1` is `Name` of the edition `1`. A name alone is of the present one.
pub fn name_and_edition(name: &str) -> (&str, Option<&str>) {
    name.rsplit_once('@').map_or((name, None), |(name, edition)| (name, Some(edition)))
}

#[cfg(test)]
mod tests {
    use super::{Manifest, PluginKind, name_and_edition};

    #[test]
    fn both_spellings_of_the_licence_are_read_and_one_is_written() {
        let read = |key: &str| {
            let json = format!(
                "{{\"schema\":1,\"kind\":\"task-pack\",\"name\":\"n\",\"version\":\"1\",\"{key}\":\"MIT\"}}"
            );
            serde_json::from_str::<Manifest>(&json)
        };
        let pack = Manifest { licence: "MIT".to_owned(), ..Manifest::task_pack("n", "1", &[]) };
        assert_eq!(read("licence").unwrap(), pack);
        assert_eq!(read("license").unwrap(), pack);
        assert!(read("lisence").is_err());
        assert!(
            serde_json::to_string(&pack).unwrap().contains("\"licence\":\"MIT\""),
            "what hosts of 1.0 read"
        );
        assert_eq!(pack.kind, PluginKind::TaskPack);
    }

    #[test]
    fn a_name_alone_is_of_the_present_edition() {
        assert_eq!(name_and_edition("IndonesianNewsTopic"), ("IndonesianNewsTopic", None));
        assert_eq!(name_and_edition("IndonesianNewsTopic@1"), ("IndonesianNewsTopic", Some("1")));
    }

    #[test]
    fn a_pattern_knows_the_names_that_begin_so_and_a_star_alone_none() {
        let manifest = |models: &[&str]| Manifest::model("tfidf", "1", models);
        assert!(manifest(&["tfidf-*"]).knows_model("tfidf-512") && manifest(&["a"]).knows_model("a"));
        assert!(!manifest(&["tfidf-*"]).knows_model("bm25") && !manifest(&["*"]).knows_model("bm25"));
    }
}
