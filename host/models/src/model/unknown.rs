//! Models that nobody provides: which names those are, and what is said of them.

use std::path::Path;

use mteb_base::program::is_of_wheel;
use mteb_source::is_repository_name;
use mteb_workers::plugins::{Catalog, FoundPlugin};
use mteb_workers::settings::Settings;

use super::near::{self, near_styles};
use super::{Bm25Model, ModelChoice, ModelError, near_models, remote};

/// The pattern of the plugin that loads any folder with the files of a model.
const ANY: &str = "*";

/// Why there is no plugin torch-encoder and what to do, as what follows its name.
pub fn lack_of_torch(catalog: &Catalog) -> &'static str {
    let is_refused = catalog.refusals.iter().any(|refusal| refusal.path.to_string_lossy().contains("torch"));
    match (is_of_wheel(), is_refused) {
        (false, _) => "which `cargo xtask torch` builds",
        (true, true) => {
            "which needs the package torch: `pip install 'mteb-host[torch]'` in the environment of mteb-host"
        }
        (true, false) => "but this wheel was made without it",
    }
}

impl ModelChoice {
    /// Checks that there may be a model of this name, and starts none. What the hub has is not asked.
    ///
    /// # Errors
    /// If no plugin provides it, and it is neither a folder nor the name of a repository.
    pub fn check_name(&self, catalog: &Catalog, settings: &Settings) -> Result<(), ModelError> {
        let mirrored = settings.hub_dir.as_ref().map(|root| root.join("models").join(&self.name));
        let is_known = Bm25Model::named(&self.name).is_some()
            || is_repository_name(&self.name)
            || Path::new(&self.name).is_dir()
            || mirrored.is_some_and(|folder| folder.is_dir())
            || remote::card_of(&self.cards, &self.name).map_err(ModelError::Card)?.is_some();
        if is_known {
            return Ok(());
        }
        let plugin = catalog.model_plugin(&self.name).filter(|plugin| !self.needs_folder(plugin));
        let plugin = plugin.filter(|_| near_styles(&self.name, catalog).is_none());
        plugin.map(drop).ok_or_else(|| self.unknown(catalog))
    }

    /// True if `plugin` knows the model by nothing but its files.
    pub(super) fn needs_folder(&self, plugin: &FoundPlugin) -> bool {
        let models = &plugin.manifest.models;
        models.iter().all(|pattern| pattern == ANY)
    }

    /// The error of a model that nobody provides.
    pub(super) fn unknown(&self, catalog: &Catalog) -> ModelError {
        let refused: Vec<String> = catalog
            .refusals
            .iter()
            .filter(|refusal| refusal.explicit)
            .map(|refusal| refusal.path.display().to_string())
            .collect();
        let is_shortage = catalog.refusals.iter().any(|refusal| refusal.is_shortage);
        let is_refused = catalog.refusals.iter().any(|refusal| !refusal.is_shortage);
        if !refused.is_empty() {
            let message = format!(
                "expected a model that a plugin provides, found: {}{}; a refused plugin may provide it \
                 (`mteb-host doctor` says what to do): {}",
                self.name,
                near_models(&self.name, catalog, &self.cards, ""),
                refused.join(", ")
            );
            return ModelError::Unknown { message, is_refused, is_shortage };
        }
        if let Some(styles) = near_styles(&self.name, catalog) {
            let message = format!(
                "expected a model that a plugin provides, or a style before `:`, found: {} (near it: {styles})",
                self.name
            );
            return ModelError::Unknown { message, is_refused, is_shortage };
        }
        if catalog.model_plugin(&self.name).is_some() {
            let message = format!(
                "expected a model that a plugin provides, one on the hub as `organisation/name`, or a folder with \
                 a model, found: {}{}",
                self.name,
                near_models(&self.name, catalog, &self.cards, "`mteb-host list models` shows them")
            );
            return ModelError::Unknown { message, is_refused, is_shortage };
        }
        let message = format!(
            "expected a model that a plugin provides, found: {}{} (models of the hub and local folders need the \
             plugin torch-encoder, {}; models behind an endpoint, such as `openai:NAME`, need the plugin api; \
             `mteb-host doctor` lists the plugin folders){}",
            self.name,
            near_models(&self.name, catalog, &self.cards, "`mteb-host list models` shows them"),
            lack_of_torch(catalog),
            near::instead(&self.name)
        );
        ModelError::Unknown { message, is_refused, is_shortage }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mteb_plugin_api::Manifest;

    use super::*;

    /// A catalog with plugins of these names of models.
    fn catalog(models: &[&str]) -> Catalog {
        let plugin = |pattern: &&str| FoundPlugin {
            path: "/p".into(),
            checksum: String::new(),
            library_folders: Vec::new(),
            manifest: Manifest::model("p", "1", &[pattern]),
            cards: BTreeMap::new(),
            types: BTreeMap::new(),
            measures: BTreeMap::new(),
            installed: true,
        };
        Catalog { plugins: models.iter().map(plugin).collect(), ..Catalog::default() }
    }

    fn check(name: &str, models: &[&str]) -> Result<(), String> {
        let settings = Settings::new(Vec::new(), None, None, true);
        let checked = ModelChoice::new(name).check_name(&catalog(models), &settings);
        checked.map_err(|error| error.to_string())
    }

    #[test]
    fn a_mistyped_name_is_told_of_those_near_it_also_beside_a_plugin_that_loads_any_folder() {
        let expected = "expected a model that a plugin provides, one on the hub as `organisation/name`, or a folder \
                        with a model, found: hashng (near it: hashing";
        let found = check("hashng", &["hashing", "*"]).unwrap_err();
        assert!(found.starts_with(expected), "{found}");
        let found = check("hashng", &["hashing"]).unwrap_err();
        assert!(found.contains("found: hashng (near it: hashing"), "{found}");
    }

    #[test]
    fn names_of_plugins_repositories_folders_and_patterns_may_be_models() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().display().to_string();
        for name in ["hashing", "bm25", "organisation/name", "tfidf-small", folder.as_str()] {
            assert_eq!(check(name, &["hashing", "tfidf-*", "*"]), Ok(()), "{name}");
        }
    }
}
