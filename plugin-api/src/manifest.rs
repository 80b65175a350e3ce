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
    /// SPDX licence expression.
    #[serde(default)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PluginKind {
    /// Models: encoders or cross-encoders.
    Model,
    /// Tasks with their cards and data.
    TaskPack,
}

impl Manifest {
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

/// A name and the earlier edition that it is of: `Name@1` is `Name` of the edition `1`. A name alone is of the present one.
pub fn name_and_edition(name: &str) -> (&str, Option<&str>) {
    name.rsplit_once('@').map_or((name, None), |(name, edition)| (name, Some(edition)))
}

#[cfg(test)]
mod tests {
    use super::{Manifest, PluginKind, name_and_edition};

    #[test]
    fn a_name_alone_is_of_the_present_edition() {
        assert_eq!(name_and_edition("IndonesianNewsTopic"), ("IndonesianNewsTopic", None));
        assert_eq!(name_and_edition("IndonesianNewsTopic@1"), ("IndonesianNewsTopic", Some("1")));
    }

    #[test]
    fn a_pattern_knows_the_names_that_begin_so_and_a_star_alone_none() {
        let manifest = |models: &[&str]| Manifest {
            schema: 1,
            kind: PluginKind::Model,
            name: "tfidf".to_owned(),
            version: "1".to_owned(),
            features: Vec::new(),
            licence: String::new(),
            description: String::new(),
            models: models.iter().map(|model| (*model).to_owned()).collect(),
            tasks: Vec::new(),
        };
        assert!(manifest(&["tfidf-*"]).knows_model("tfidf-512") && manifest(&["a"]).knows_model("a"));
        assert!(!manifest(&["tfidf-*"]).knows_model("bm25") && !manifest(&["*"]).knows_model("bm25"));
    }
}
